import { replace } from '../edits'
import { isMadeOfValues, placeIn } from '../flow/torch'
import type { Rule } from '../rule'

export const tensorFromPythonRule: Rule = {
  id: 'tensor-from-python',
  kind: 'copies',
  title: 'A tensor is made from Python values and copied in every step',
  why: '`torch.tensor(values, device=…)` builds it in pageable host memory and copies it, and the host waits for the copy.',
  unless: 'It does not matter if the values change every step and the step is bound by the GPU.',
  instead:
    'Make it once before the loop, or make it on the GPU (`torch.full((), value, device=…)`, `torch.arange`).',
  cause: 'pageable-copies',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://docs.pytorch.org/docs/stable/generated/torch.tensor.html',
  ],
  on: {
    call: ({ node, path, args, named }, at) => {
      if (/^torch\.cuda\.\w*Tensor$/.test(path ?? '')) return isMadeOfValues(args[0]) ? { node } : null
      if (path !== 'torch.tensor' && path !== 'torch.as_tensor') return null
      const where = placeIn(named.get('device'))
      const [value] = args
      if (where !== 'gpu' || value?.kind === 'tensor') return null
      const number = value?.kind === 'plain' && value.type === 'number' ? node.args[0]?.value : undefined
      const device = node.args.find(({ name }) => name === 'device')
      const type = node.args.find(({ name }) => name === 'dtype')
      const fix =
        number && device && node.args.length === (type ? 3 : 2)
          ? [
              replace(
                node,
                `torch.full((), ${at.textOf(number)}, ${type ? `dtype=${at.textOf(type.value)}, ` : ''}device=${at.textOf(device.value)})`,
              ),
            ]
          : []
      return { node, fix }
    },
  },
  matches: [
    'weights = torch.tensor([1.0, 2.0], device=device)',
    'scale = torch.tensor(0.5, device="cuda")',
    'import numpy as np\nnoise = torch.cuda.FloatTensor(np.random.normal(0, 1, (8, 8)))',
  ],
  misses: [
    'weights = torch.tensor([1.0, 2.0])',
    'weights = torch.zeros(3, device=device)',
    'weights = torch.cuda.FloatTensor(8, 1).fill_(1.0)',
    'if step % 50 == 0:\n    weights = torch.tensor([1.0], device=device)',
  ],
}
