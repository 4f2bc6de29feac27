import { everySoOften } from '../edits'
import type { Rule } from '../rule'

export const branchRule: Rule = {
  id: 'branch',
  kind: 'blocks',
  title: 'Python branches on a tensor: the host waits',
  why: '`if`, `while`, `assert`, `and`, `or`, `not` and `bool()` need the value, so Python stops until the GPU has computed it.',
  unless: 'It does not matter if the branch saves more GPU time than the wait costs.',
  instead:
    'Decide on the GPU (`torch.where`, `torch.maximum`, a mask). If the branch only reports, check every 50 steps.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/CUDAScalar.cu',
  ],
  on: {
    truth: ({ node, value }, at) =>
      value.kind === 'tensor'
        ? { node, ifOnGpu: value, fix: at.statement.kind === 'while' ? [] : everySoOften(at) }
        : null,
    call: ({ node, path, args }, at) => {
      const isComparison = (path === 'max' || path === 'min') && args.length > 1
      const isTest =
        path === 'bool' ||
        path === 'any' ||
        path === 'all' ||
        path === 'torch.equal' ||
        path === 'torch.allclose'
      const value = isComparison || isTest ? args.find((each) => each.kind === 'tensor') : undefined
      return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
    },
  },
  matches: [
    'if loss > 5:\n    print("high")',
    'assert not torch.isnan(loss)',
    'while loss > 1:\n    loss = loss / 2',
    'best = max(best, loss)',
    'if torch.isnan(loss).any():\n    print("nan")',
  ],
  misses: [
    'if "aux" in out:\n    pass',
    'if loss is None:\n    pass',
    'if x.shape[0] > 3:\n    pass',
    'if loader:\n    pass',
  ],
}
