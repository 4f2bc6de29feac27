import { setArgument } from '../edits'
import { loaderOf } from '../flow/values'
import type { Rule } from '../rule'

export const loaderPersistentRule: Rule = {
  id: 'loader-persistent',
  kind: 'loads',
  title: 'The loader starts its workers again every epoch',
  why: 'Without `persistent_workers=True` each epoch starts new worker processes and begins with no batch ready, so the GPU waits.',
  unless:
    'It does not matter if an epoch takes minutes. Leave it if you change the dataset object between epochs: persistent workers keep their old copy.',
  instead: 'Pass `persistent_workers=True`.',
  cause: 'data-loading',
  sources: [
    'https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.DataLoader',
    'https://github.com/pytorch/pytorch/issues/15849',
  ],
  heat: 'any',
  on: {
    loop: ({ value, heat, isRepeated }, at) => {
      const loader = loaderOf(value)
      return loader?.call &&
        isRepeated &&
        heat === 'train' &&
        typeof loader.workers === 'number' &&
        loader.workers > 0 &&
        loader.isPersistent === false
        ? { node: loader.call, fix: [setArgument(at, loader.call, 'persistent_workers', 'True')] }
        : null
    },
  },
  matches: [
    'slow = DataLoader(dataset, num_workers=2, pin_memory=True)\nfor a, b in slow:\n    loss.backward()',
  ],
  misses: [
    'slow = DataLoader(dataset, num_workers=2, persistent_workers=True)\nfor a, b in slow:\n    loss.backward()',
  ],
}
