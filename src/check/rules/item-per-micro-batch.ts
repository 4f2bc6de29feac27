import { maybeTensor, readInstead } from './read-instead'
import type { Rule } from '../rule'

export const itemPerMicroBatchRule: Rule = {
  id: 'item-per-micro-batch',
  kind: 'blocks',
  title: '`.item()` in every micro-batch waits for the GPU',
  why: 'The loop accumulates gradients over several micro-batches, and reads a number in each of them: the host stops more often than the optimizer steps.',
  unless:
    'It does not matter if a micro-batch keeps the GPU busy for longer than the host needs for the next one.',
  instead: 'Sum the losses on the GPU, and read the sum where the optimizer steps.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/CUDAScalar.cu',
  ],
  on: {
    call: ({ node, method, receiver }, at) =>
      method === 'item' && node.callee.kind === 'attribute' && at.accumulates
        ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object, fix: readInstead(node, at) }
        : null,
  },
  matches: ['total += loss.item()\nif (step + 1) % 4 == 0:\n    optimizer.step()'],
  misses: [
    'total += loss.item()\noptimizer.step()\nif step % 100 == 0:\n    scheduler.step()',
    'total += loss.detach()\nif (step + 1) % 4 == 0:\n    optimizer.step()\n    print(total.item())',
  ],
}
