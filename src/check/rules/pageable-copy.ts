import type { Rule } from '../rule'

export const pageableCopyRule: Rule = {
  id: 'pageable-copy',
  kind: 'copies',
  title: '`non_blocking=True` from pageable memory: the host copies anyway',
  why: 'Only pinned memory can be copied by the GPU on its own. From pageable memory the driver stages the data, and the host takes part.',
  unless: 'It does not matter for a few kilobytes.',
  instead:
    'Compute on the GPU instead, from the pinned batch of the loader. Or fill a buffer made once with `torch.empty(…, pin_memory=True)`, and wait for an event of its last copy before you refill it.',
  cause: 'pageable-copies',
  sources: [
    'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#use-pinned-memory-buffers',
  ],
  on: {
    move: ({ node, value, isNonBlocking }) =>
      value.where === 'cpu' &&
      isNonBlocking === true &&
      value.isPinned === false &&
      value.loader === null &&
      !value.isFresh
        ? { node }
        : null,
  },
  matches: ['a = torch.ones(64)\nb = a * 2\nc = b.to(device, non_blocking=True)'],
  misses: ['a = torch.ones(64).pin_memory()\nb = a.to(device, non_blocking=True)'],
}
