import { everySoOften } from '../edits'
import type { Rule } from '../rule'

export const printRule: Rule = {
  id: 'print',
  kind: 'blocks',
  title: 'Printing a tensor reads it: the host waits',
  why: '`print` needs the values, so it copies the tensor to the host and Python stops until the GPU has caught up.',
  unless: 'It does not matter if you print every 50 steps or less often.',
  instead: 'Print every 50 steps.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/torch/_tensor_str.py',
  ],
  on: {
    text: ({ node, value, how }, at) =>
      how === 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
  },
  matches: ['print(loss)', 'print("loss", loss, step)'],
  misses: ['print(x.shape, step)', 'if step % 50 == 0:\n    print(loss)', 'print(loss.device)'],
}
