/** What the tables of the page 'trace' call things. */
import type { OpenedFacts } from '../import-worker/protocol'

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
