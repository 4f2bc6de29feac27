/** What the tables of the page 'trace' call things. */
import type { PathOwner } from '../../reading/digest'
import type { OpenedFacts } from '../../reading/protocol'
import type { Gap } from '../../timeline'

export const FORMAT_WORDS: Readonly<Record<OpenedFacts['format'], string>> = {
  'host-device-lab': 'a file of this lab',
  'trace-event': 'Trace Event JSON',
  'torch-profiler': 'torch.profiler (Kineto)',
}

export const CAUSE_WORDS: Readonly<Record<Gap['cause'], { readonly name: string; readonly what: string }>> = {
  'host-waited': { name: 'host waited', what: 'The host was waiting for a result before it submitted more.' },
  'host-late': { name: 'host late', what: 'The host was at work and had submitted nothing.' },
  'upload-not-ready': { name: 'upload not ready', what: 'What came next waited for its bytes.' },
  'launch-overhead': { name: 'launch overhead', what: 'The next work was queued and had yet to start.' },
  unknown: { name: 'unknown', what: 'The evidence in the file does not decide why.' },
}

export const OWNER_WORDS: Readonly<
  Record<PathOwner, { readonly name: string; readonly term: string; readonly what: string }>
> = {
  kernel: { name: 'device: kernels', term: 'term-device', what: 'work that everything after it waited for' },
  copy: {
    name: 'device: copies',
    term: 'term-transfer',
    what: 'bytes that everything after them waited for',
  },
  host: { name: 'host', term: 'term-host', what: 'the thread’s time until it made the call' },
  launch: { name: 'launch', term: 'term-queue', what: 'from the call to the begin of its work' },
  stream: { name: 'stream', term: 'term-idle', what: 'from the end of the work before it on its stream' },
  notice: { name: 'notice', term: 'term-wait', what: 'from the end of the work until the host knew' },
}
