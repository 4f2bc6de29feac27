import { setArgument } from '../edits'
import type { Rule } from '../rule'

export const loaderPinMemoryRule: Rule = {
  id: 'loader-pin-memory',
  kind: 'loads',
  title: 'The loader does not pin the batches that the loop copies',
  why: 'Without `pin_memory=True` each batch lies in pageable memory: its copy is slower and the host takes part in it.',
  unless: 'It does not matter if batches are small, or if there is no memory to pin.',
  instead: 'Pass `pin_memory=True`, and copy with `non_blocking=True`.',
  cause: 'pageable-copies',
  sources: [
    'https://docs.pytorch.org/docs/stable/data.html#memory-pinning',
    'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
  ],
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
}
