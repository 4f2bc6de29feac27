import { maybeTensor, readInstead } from './read-instead'
import type { Rule } from '../rule'

export const itemRule: Rule = {
  id: 'item',
  kind: 'blocks',
  title: '`.item()` waits for the GPU',
  why: '`.item()` copies the value to the host, so Python stops until the GPU has finished everything launched before it.',
  unless: 'It does not matter if the host has nothing to do afterwards: a step bound by the GPU hides it.',
  instead:
    'Keep the value on the GPU with `.detach()`, and sum it there. Read it every 50 steps if it is only reported.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/CUDAScalar.cu',
  ],
  on: {
    call: ({ node, method, receiver }, at) =>
      method === 'item' && node.callee.kind === 'attribute' && !at.accumulates
        ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object, fix: readInstead(node, at) }
        : null,
  },
  matches: [
    'if step % 100:\n    print(loss.item())',
    'total += loss.item()',
    'print(loss.item())',
    'losses.append(out.argmax(1).eq(y).sum().item())',
  ],
  misses: [
    'if step % 100 == 0:\n    print(loss.item())',
    'n = torch.ones(3).sum().item()',
    'total += loss.detach()',
    'import numpy as np\nn = np.ones(3).item()',
  ],
}
