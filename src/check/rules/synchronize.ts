import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const synchronizeRule: Rule = {
  id: 'synchronize',
  kind: 'blocks',
  title: '`synchronize()` stops the host in every step',
  why: 'The host waits for the GPU (with an event or a stream: for what was queued before it), and launches nothing meanwhile.',
  unless:
    'Keep it where the host then reads or overwrites the memory of a `non_blocking` copy, and in a benchmark that times each step.',
  instead:
    'Remove it if nothing on the host needs the result: work on one stream runs in order, and between streams use `wait_stream()` or `wait_event()`. To time, synchronize once before and once after many steps.',
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
      const isDevice = /^torch\.(cuda|accelerator|xpu)\.synchronize$/.test(path ?? '')
      const loop = at.loops[0]
      const around = loop ? at.text.slice(loop.from, loop.to) : ''
      if ((!isStream && !isDevice) || COPIES_TO_HOST.test(around)) return null
      return { node, fix: isDevice && at.statement.kind === 'expression' ? removeStatement(at) : [] }
    },
  },
  matches: ['torch.cuda.synchronize()', 'event = torch.cuda.Event()\nevent.synchronize()'],
  misses: [
    'if step % 50 == 0:\n    torch.cuda.synchronize()',
    'values = out.detach().to("cpu", non_blocking=True)\ntorch.cuda.synchronize()\narray = values.numpy()',
  ],
}

/** The host has to wait for such a copy before it reads the memory. */
const COPIES_TO_HOST =
  /\.to\(\s*(torch\.device\()?['"]cpu['"][^\n]*non_blocking\s*=\s*True|\.copy_\([^\n]*non_blocking\s*=\s*True/
