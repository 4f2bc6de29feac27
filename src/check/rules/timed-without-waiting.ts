import type { Rule } from '../rule'

export const timedWithoutWaitingRule: Rule = {
  id: 'timed-without-waiting',
  kind: 'measures',
  title: 'The clock is read while the GPU still works',
  why: 'Launches return before the GPU has finished, so the difference is the time of the launches, not of the work.',
  unless: 'It does not matter if you mean the host’s time.',
  instead:
    'Call `torch.cuda.synchronize()` before each reading, or use `torch.cuda.Event(enable_timing=True)`.',
  cause: 'synchronize',
  sources: [
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
    'https://docs.pytorch.org/tutorials/recipes/recipes/benchmark.html',
  ],
  heat: 'any',
  on: {
    minus: ({ node, left, right }, at) => {
      if (left.kind !== 'time' || right.kind !== 'time' || !left.isPending) return null
      if (left.launches <= right.launches || left.iteration !== right.iteration) return null
      const start = at.text.lastIndexOf('\n', at.statement.from - 1) + 1
      const indent = at.text.slice(start, at.statement.from)
      const isHere = node.kind === 'binary' && node.left.kind === 'call' && indent.trim() === ''
      return {
        node,
        fix: isHere ? [{ from: start, to: start, text: `${indent}torch.cuda.synchronize()\n` }] : [],
      }
    },
  },
  matches: ['import time\nbegin = time.time()\nout = model(x)\nprint(time.time() - begin)'],
  misses: [
    'import time\nprint(time.time() - before)\nbefore = time.time()\nout = model(x)',
    'import time\nbegin = time.time()\nout = model(x)\ntorch.cuda.synchronize()\nprint(time.time() - begin)',
    'import time\nbegin = time.time()\nrows = list(range(10))\nprint(time.time() - begin)',
  ],
}
