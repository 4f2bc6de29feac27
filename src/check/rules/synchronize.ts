import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const synchronizeRule: Rule = {
  id: 'synchronize',
  kind: 'blocks',
  title: '`synchronize()` stops the host in every step',
  why: 'The host waits until the GPU has finished everything, and only then prepares the next step.',
  unless: 'It matters little in a benchmark that times each step on purpose.',
  instead:
    'Remove it: PyTorch orders the work by itself. To time, synchronize once before and once after many steps.',
  cause: 'synchronize',
  sources: [
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
    'https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html',
  ],
  on: {
    call: ({ node, path, method, receiver }, at) => {
      const isStream =
        method === 'synchronize' &&
        receiver.kind === 'thing' &&
        /^torch\.cuda\.(Stream|Event)$/.test(receiver.path)
      return isStream || /^torch\.(cuda|accelerator|xpu)\.synchronize$/.test(path ?? '')
        ? { node, fix: at.statement.kind === 'expression' ? removeStatement(at) : [] }
        : null
    },
  },
  matches: ['torch.cuda.synchronize()', 'event = torch.cuda.Event()\nevent.synchronize()'],
  misses: ['if step % 50 == 0:\n    torch.cuda.synchronize()'],
}
