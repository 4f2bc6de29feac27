import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const collectGarbageRule: Rule = {
  id: 'collect-garbage',
  kind: 'launches',
  title: '`gc.collect()` in every step stops the host',
  why: 'Python walks all of its objects, tens of milliseconds in a large program, and launches nothing meanwhile.',
  unless: 'It does not matter if it runs once an epoch.',
  instead: 'Remove it, or run it every few hundred steps.',
  cause: 'host-code',
  sources: ['https://docs.python.org/3/library/gc.html#gc.collect'],
  on: {
    call: ({ node, path }, at) => (path === 'gc.collect' ? { node, fix: removeStatement(at) } : null),
  },
  matches: ['import gc\ngc.collect()'],
  misses: ['import gc\nif step % 500 == 0:\n    gc.collect()'],
}
