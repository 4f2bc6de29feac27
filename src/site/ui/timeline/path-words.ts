/** What the parts of a critical path are called, and whose time each is: the only words for them. */
import type { PathOwner } from '../../../timeline'

export interface PathWords {
  readonly name: string
  /** Class of the mark before the name. */
  readonly term: string
  readonly what: string
}

export const PATH_WORDS: Readonly<Record<PathOwner, PathWords>> = {
  host: { name: 'host', term: 'term-host', what: 'the thread’s time until it made the call' },
  launch: { name: 'launch', term: 'term-queue', what: 'from the call to the begin of its work' },
  device: { name: 'device', term: 'term-device', what: 'work that everything after it waited for' },
  stream: { name: 'stream', term: 'term-idle', what: 'from the end of the work before it on its stream' },
  notice: { name: 'notice', term: 'term-wait', what: 'from the end of the work until the host knew' },
  message: {
    name: 'message',
    term: 'term-collective',
    what: 'between two ranks, from the later call until the earlier returned',
  },
}
