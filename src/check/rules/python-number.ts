import { readInstead } from './read-instead'
import type { Rule } from '../rule'

export const pythonNumberRule: Rule = {
  id: 'python-number',
  kind: 'blocks',
  title: 'A tensor becomes a Python number: the host waits',
  why: '`float()`, `int()` and functions of `math` read the value as `.item()` does, so Python stops until the GPU has caught up.',
  unless: 'It does not matter if the host has nothing to do afterwards: a step bound by the GPU hides it.',
  instead: 'Stay with tensors (`loss.detach()`, `torch.exp`), and read a number every 50 steps.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/CUDAScalar.cu',
  ],
  on: {
    call: ({ node, path, args }, at) => {
      const [value] = args
      if (value?.kind !== 'tensor' || path === null) return null
      return /^(float|int|complex|round|math\.\w+)$/.test(path)
        ? { node, ifOnGpu: value, asked: node.args[0]?.value ?? node, fix: readInstead(node, at) }
        : null
    },
  },
  matches: ['total += float(loss)', 'import math\nlosses.append(math.exp(loss))', 'n = int(y.max())'],
  misses: [
    'total += float(step)',
    'n = int(x.shape[0])',
    'n = int(y.size(0))',
    'if step % 10 == 0:\n    print(float(loss))',
  ],
}
