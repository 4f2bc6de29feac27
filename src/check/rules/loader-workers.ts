import { setArgument } from '../edits'
import { loaderOf } from '../flow/values'
import type { Rule } from '../rule'

export const loaderWorkersRule: Rule = {
  id: 'loader-workers',
  kind: 'loads',
  title: 'The loop builds each batch itself: `num_workers=0`',
  why: 'With `num_workers=0`, the default, reading and transforms run in the loop, and the GPU gets no work meanwhile.',
  unless: 'It does not matter if the data is in memory and needs no transform.',
  instead: 'Pass `num_workers=4`, say, and measure: workers build the next batches during the step.',
  cause: 'data-loading',
  sources: [
    'https://docs.pytorch.org/docs/stable/data.html#single-and-multi-process-data-loading',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#enable-asynchronous-data-loading-and-augmentation',
  ],
  heat: 'any',
  on: {
    loop: ({ value, heat }, at) => {
      const loader = loaderOf(value)
      return loader?.call &&
        loader.workers === 0 &&
        !loader.isInMemory &&
        (heat === 'train' || heat === 'infer')
        ? { node: loader.call, fix: [setArgument(at, loader.call, 'num_workers', '4')] }
        : null
    },
  },
  matches: ['slow = DataLoader(dataset, pin_memory=True)\nfor a, b in slow:\n    loss.backward()'],
  misses: [
    'from torch.utils.data import TensorDataset\nfast = DataLoader(TensorDataset(rows), pin_memory=True)\nfor a in fast:\n    loss.backward()',
    'slow = DataLoader(dataset, num_workers=2)\nfor a, b in slow:\n    loss.backward()',
    'slow = DataLoader(dataset, **options)\nfor a, b in slow:\n    loss.backward()',
  ],
}
