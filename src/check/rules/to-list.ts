import { maybeTensor } from './read-instead'
import type { Rule } from '../rule'

export const toListRule: Rule = {
  id: 'to-list',
  kind: 'blocks',
  title: '`.tolist()` waits for the GPU',
  why: '`.tolist()` copies the tensor to the host, so Python stops until the GPU has finished everything launched before it.',
  unless: 'It does not matter if the host has nothing to do afterwards.',
  instead: 'Keep the tensor while it fits in device memory, and turn it into a list once after the loop.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_list.cpp',
  ],
  on: {
    call: ({ node, method, receiver }) =>
      method === 'tolist' && node.callee.kind === 'attribute'
        ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object }
        : null,
  },
  matches: ['losses.extend(out.argmax(1).tolist())'],
  misses: ['n = torch.arange(3).tolist()', 'if step % 50 == 0:\n    print(out.tolist())'],
}
