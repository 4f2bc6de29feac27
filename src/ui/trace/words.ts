/** What the tables of the page 'trace' call things. */
import type { PathOwner } from '../../reading/digest'
import type { OpenedFacts } from '../../reading/protocol'

export const FORMAT_WORDS: Readonly<Record<OpenedFacts['format'], string>> = {
  'host-device-lab': 'a file of this lab',
  'trace-event': 'Trace Event JSON',
  'torch-profiler': 'torch.profiler (Kineto)',
}

/** What several ranks' verdict rests on. Inline markup. */
export const RANK_WORDS = {
  waiting:
    'A [rank](#rank) that begins a [collective](#collective) early waits in it for the last one. A rank that is last again and again is a [straggler](#straggler): it sets the pace of all.',
  clocks:
    'No rank leaves an [all-reduce](#all-reduce) before all have come, so its ends say how the clocks of the files stand. Waiting shorter than the bound is not shown.',
} as const

export const OWNER_WORDS: Readonly<
  Record<PathOwner, { readonly name: string; readonly term: string; readonly what: string }>
> = {
  kernel: { name: 'device: kernels', term: 'term-device', what: 'work that everything after it waited for' },
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
  host: { name: 'host', term: 'term-host', what: 'the thread’s time until it made the call' },
  launch: { name: 'launch', term: 'term-queue', what: 'from the call to the begin of its work' },
  stream: { name: 'stream', term: 'term-idle', what: 'from the end of the work before it on its stream' },
  notice: { name: 'notice', term: 'term-wait', what: 'from the end of the work until the host knew' },
  message: {
    name: 'message',
    term: 'term-collective',
    what: 'between two ranks, from the later call until the earlier returned',
  },
}
