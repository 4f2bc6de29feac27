/** Rules about data loaders. */
import { setArgument } from '../edits'
import { loaderOf } from '../flow/values'
import type { Rule } from '../rule'
import { LOADING, PINNED } from './sources'

export const LOADERS: readonly Rule[] = [
  {
    id: 'loader-pin-memory',
    kind: 'loads',
    title: 'The loader does not pin the batches that the loop copies',
    why: 'Without `pin_memory=True` each batch lies in pageable memory: its copy is slower and the host takes part in it.',
    unless: 'It does not matter if batches are small, or if there is no memory to pin.',
    instead: 'Pass `pin_memory=True`, and copy with `non_blocking=True`.',
    cause: 'pageable-copies',
    sources: ['https://docs.pytorch.org/docs/stable/data.html#memory-pinning', PINNED],
    on: {
      move: ({ value }, at) => {
        const { loader, where } = value
        const call = loader?.call
        return where === 'cpu' && call && loader.isPinned === false
          ? { node: call, fix: [setArgument(at, call, 'pin_memory', 'True')] }
          : null
      },
    },
    matches: ['slow = DataLoader(dataset, num_workers=2)\nfor a, b in slow:\n    a = a.to(device)'],
    misses: [
      'slow = DataLoader(dataset, num_workers=2, pin_memory=True)\nfor a, b in slow:\n    a = a.to(device)',
      'slow = DataLoader(dataset, **options)\nfor a, b in slow:\n    a = a.to(device)',
    ],
  },
  {
    id: 'loader-workers',
    kind: 'loads',
    title: 'The loop builds each batch itself: `num_workers=0`',
    why: 'With `num_workers=0`, the default, reading and transforms run in the loop, and the GPU gets no work meanwhile.',
    unless: 'It does not matter if the data is in memory and needs no transform.',
    instead: 'Pass `num_workers=4`, say, and measure: workers build the next batches during the step.',
    cause: 'data-loading',
    sources: [
      'https://docs.pytorch.org/docs/stable/data.html#single-and-multi-process-data-loading',
      LOADING,
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
  },
  {
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
  },
]
