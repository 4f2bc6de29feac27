/** Rules about calls that stop the host by design. */
import { removeStatement } from '../edits'
import type { Rule } from '../rule'
import { ASYNCHRONOUS } from './sources'

export const PAUSES: readonly Rule[] = [
  {
    id: 'synchronize',
    kind: 'blocks',
    title: '`synchronize()` stops the host in every step',
    why: 'The host waits for the GPU (with an event or a stream: for what was queued before it), and launches nothing meanwhile.',
    unless:
      'Keep it where the host then reads or overwrites the memory of a `non_blocking` copy, and in a benchmark that times each step.',
    instead:
      'Remove it if nothing on the host needs the result: work on one stream runs in order, and between streams use `wait_stream()` or `wait_event()`. To time, synchronize once before and once after many steps.',
    cause: 'synchronize',
    sources: [ASYNCHRONOUS, 'https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html'],
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
  },
  {
    id: 'empty-cache',
    kind: 'blocks',
    title: '`empty_cache()` in every step: memory is returned and asked for again',
    why: 'It waits for the GPU and gives cached memory back to the driver, so the next step allocates with `cudaMalloc` again.',
    unless: 'It does not matter if it runs once an epoch.',
    instead:
      'Remove it: the allocator reuses what it has cached. It frees nothing that your program could not use.',
    cause: 'allocation',
    sources: [
      'https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management',
      'https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.empty_cache.html',
    ],
    on: {
      call: ({ node, path }, at) =>
        /^torch\.(cuda|accelerator)\.(memory\.)?empty_cache$/.test(path ?? '')
          ? { node, fix: removeStatement(at) }
          : null,
    },
    matches: ['torch.cuda.empty_cache()'],
    misses: ['if step % 500 == 0:\n    torch.cuda.empty_cache()'],
  },
  {
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
  },
  {
    id: 'timed-without-waiting',
    kind: 'measures',
    title: 'The clock is read while the GPU still works',
    why: 'Launches return before the GPU has finished, so the difference is the time of the launches, not of the work.',
    unless: 'It does not matter if you mean the host’s time.',
    instead:
      'Call `torch.cuda.synchronize()` before each reading, or use `torch.cuda.Event(enable_timing=True)`.',
    cause: 'synchronize',
    sources: [ASYNCHRONOUS, 'https://docs.pytorch.org/tutorials/recipes/recipes/benchmark.html'],
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
  },
]

/** The host has to wait for such a copy before it reads the memory. */
const COPIES_TO_HOST =
  /\.to\(\s*(torch\.device\()?['"]cpu['"][^\n]*non_blocking\s*=\s*True|\.copy_\([^\n]*non_blocking\s*=\s*True/
