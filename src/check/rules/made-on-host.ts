import { setArgument } from '../edits'
import type { Rule } from '../rule'

export const madeOnHostRule: Rule = {
  id: 'made-on-host',
  kind: 'copies',
  title: 'Made on the host, then copied: make it on the GPU',
  why: 'The host computes the values and copies them from pageable memory, and the host waits for the copy.',
  unless:
    'It does not matter if you need the host’s random numbers, or the tensor is tiny and the step is bound by the GPU.',
  instead:
    'Pass `device=` (and `dtype=`) to the function that makes it. `torch.tensor(list)` copies even then: make it once before the loop.',
  cause: 'pageable-copies',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#create-tensors-directly-on-the-target-device',
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
  ],
  on: {
    move: ({ node, value, of }, at) => {
      if (!value.isFresh) return null
      const [target, ...others] = node.args
      const isCuda = node.callee.kind === 'attribute' && node.callee.name === 'cuda'
      // A type, or an index of a GPU, would be lost.
      const isPlain = others.length === 0 && (target?.name ?? 'device') === 'device'
      const device =
        isCuda && !target ? '"cuda"' : !isCuda && target && isPlain ? at.textOf(target.value) : null
      const isMaker = of.kind === 'call' && MAKERS.test(at.textOf(of.callee))
      const fix =
        isMaker && device !== null
          ? [setArgument(at, of, 'device', device), { from: of.to, to: node.to, text: '' }]
          : []
      return { node, fix }
    },
  },
  matches: [
    'noise = torch.randn(64, 100).to(device)',
    'noise = torch.zeros(64).cuda()',
    'noise = torch.zeros(64).to(device, torch.float16)',
  ],
  misses: [
    'noise = torch.randn(64, 100, device=device)',
    'if step % 50 == 0:\n    noise = torch.zeros(64).cuda()',
  ],
}

/** They take `device=`, and NumPy's memory is not what they begin with. */
const MAKERS = /(^|\.)(arange|empty|eye|full|linspace|normal|ones|rand|randint|randn|randperm|zeros)$/
