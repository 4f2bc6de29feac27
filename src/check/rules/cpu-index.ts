import type { Value } from '../flow/values'
import type { Expr } from '../syntax'
import type { Rule } from '../rule'

export const cpuIndexRule: Rule = {
  id: 'cpu-index',
  kind: 'copies',
  title: 'A tensor on the GPU is indexed with values on the host: they are copied first',
  why: 'PyTorch copies a CPU index or a Python list to the GPU in every call, from pageable memory, and the host waits for the copy.',
  unless: 'It does not matter if the step is bound by the GPU.',
  instead: 'Keep the index on the GPU: `index = index.to(x.device)` before the loop.',
  cause: 'pageable-copies',
  sources: [
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/TensorAdvancedIndexing.cpp',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
  ],
  on: {
    index: ({ node, object, items }) =>
      object.kind === 'tensor' &&
      items.some(
        (each, at) =>
          (each.kind === 'tensor' && each.where === 'cpu') ||
          (each.kind === 'array' && each.isVector === true) ||
          isNumbers(each, node.items[at]),
      )
        ? { node, ifOnGpu: object, asked: node.object }
        : null,
  },
  matches: [
    'order = torch.randperm(64)\nx = x[order]',
    'x = x[[0, 2, 4]]',
    'picked = out[range(4), y[:4]]',
    'import numpy as np\norder = np.random.permutation(64)\nx = x[order[:32]]',
  ],
  misses: [
    'order = torch.randperm(64, device=device)\nx = x[order]',
    'x = x[0]',
    'x = x[:, None]',
    'import numpy as np\nfor row in np.arange(4):\n    y = x[row]',
  ],
}

const isNumbers = (value: Value, node: Expr | undefined): boolean =>
  (node?.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'range') ||
  (node?.kind === 'list' &&
    value.kind === 'tuple' &&
    value.items.length > 0 &&
    value.items.every((each) => each.kind === 'plain' && each.type === 'number'))
