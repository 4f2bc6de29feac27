/** Rules about data loaders. */
import { setArgument } from '../edits'
import { isHot } from '../flow/heat'
import { loaderOf } from '../flow/values'
import { rulesOf } from '../rule'

export const LOADERS = rulesOf({
  'loader-pin-memory': {
    move: ({ value }, at) => {
      const { loader, where } = value
      const call = loader?.call
      return where === 'cpu' && call && loader.isPinned === false
        ? { node: call, fix: [setArgument(at, call, 'pin_memory', 'True')] }
        : null
    },
  },
  'loader-workers': {
    heat: 'any',
    loop: ({ value, heat }, at) => {
      const loader = loaderOf(value)
      return loader?.call && loader.workers === 0 && !loader.isInMemory && isHot(heat)
        ? { node: loader.call, fix: [setArgument(at, loader.call, 'num_workers', '4')] }
        : null
    },
  },
  'loader-persistent': {
    heat: 'any',
    loop: ({ value, heat, isRepeated }, at) => {
      const loader = loaderOf(value)
      return loader?.call &&
        isRepeated &&
        heat === 'train' &&
        (loader.workers ?? 0) > 0 &&
        loader.isPersistent === false
        ? { node: loader.call, fix: [setArgument(at, loader.call, 'persistent_workers', 'True')] }
        : null
    },
  },
})
