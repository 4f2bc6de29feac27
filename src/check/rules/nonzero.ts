import type { Rule } from '../rule'

export const nonzeroRule: Rule = {
  id: 'nonzero',
  kind: 'blocks',
  title: '`nonzero` waits for the GPU to know its size',
  why: 'How many elements there are is known only on the GPU, so the host waits for the number before it can allocate the result.',
  unless: 'It does not matter if the host has nothing to do afterwards.',
  instead:
    'Keep the mask and use `torch.where(mask, a, b)`: the shape stays the same. For a mean, divide the sum by `mask.sum()`.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.nonzero.html',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/Nonzero.cu',
  ],
  on: {
    call: ({ node, path, method, receiver, args }) => {
      const isOne =
        (path === 'torch.where' && args.length === 1) || path === 'torch.nonzero' || path === 'torch.argwhere'
      if (isOne && args[0]?.kind === 'tensor')
        return { node, ifOnGpu: args[0], asked: node.args[0]?.value ?? node }
      return (method === 'nonzero' || method === 'argwhere') &&
        receiver.kind === 'tensor' &&
        node.callee.kind === 'attribute'
        ? { node, ifOnGpu: receiver, asked: node.callee.object }
        : null
    },
  },
  matches: ['n = (out > 0).nonzero()', 'n = torch.nonzero(out > 0)', 'n = torch.where(out > 0)'],
  misses: ['n = torch.where(out > 0, out, 0)', 'n = torch.nonzero(torch.ones(3))'],
}
