import type { Rule } from '../rule'

export const oneHotRule: Rule = {
  id: 'one-hot',
  kind: 'blocks',
  title: '`one_hot` without `num_classes` waits for the GPU',
  why: 'Without `num_classes` it reads the largest value from the GPU to know the width of its result.',
  unless: 'It does not matter if the host has nothing to do afterwards.',
  instead: 'Pass `num_classes`.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.one_hot.html',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/Onehot.cpp',
  ],
  on: {
    call: ({ node, path, args, named }) =>
      path === 'torch.nn.functional.one_hot' && args.length === 1 && !named.has('num_classes') && args[0]
        ? { node, ifOnGpu: args[0] }
        : null,
  },
  matches: ['wide = F.one_hot(y)'],
  misses: ['wide = F.one_hot(y, 10)', 'wide = F.one_hot(y, num_classes=10)'],
}
