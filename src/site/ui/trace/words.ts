/** What the tables of the page 'trace' call things. */
import type { DetailedPathOwner } from '../../import-worker/digest'
import type { OpenedFacts } from '../../import-worker/protocol'
import { PATH_WORDS, type PathWords } from '../timeline/path-words'

export const FORMAT_WORDS: Readonly<Record<OpenedFacts['format'], string>> = {
  'host-device-lab': 'a file of this lab',
  'trace-event': 'Trace Event JSON',
  'torch-profiler': 'torch.profiler (Kineto)',
  'xla-profiler': 'jax.profiler (XLA)',
}

/** What several ranks' verdict rests on. Inline markup. */
export const RANK_WORDS = {
  waiting:
    'A [rank](#rank) that begins a [collective](#collective) early waits in it for the last one. A rank that is last again and again is a [straggler](#straggler): it sets the pace of all.',
  clocks:
    'No rank leaves an [all-reduce](#all-reduce) before all have come, so its ends say how the clocks of the files stand. Waiting shorter than the bound is not shown.',
} as const

/** The path's own, with the device's work distinguished. */
export const OWNER_WORDS: Readonly<Record<DetailedPathOwner, PathWords>> = {
  ...PATH_WORDS,
  kernel: { ...PATH_WORDS.device, name: 'device: kernels' },
  copy: {
    name: 'device: copies',
    term: 'term-transfer',
    what: 'bytes that everything after them waited for',
  },
  collective: {
    name: 'device: collectives',
    term: 'term-collective',
    what: 'communication between ranks, and waiting for them, that everything after it waited for',
  },
}
