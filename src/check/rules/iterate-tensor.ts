import type { Rule } from '../rule'

export const iterateTensorRule: Rule = {
  id: 'iterate-tensor',
  kind: 'launches',
  title: 'Python iterates over a tensor on the GPU',
  why: 'Each row becomes a tensor of its own, and what you do with it is one small launch after another.',
  unless: 'It does not matter for a handful of rows.',
  instead: 'Work on the whole tensor at once; `torch.vmap` turns a function of a row into one of all rows.',
  cause: 'dispatch',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.vmap.html',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
  ],
  on: {
    loop: ({ node, value, heat }) =>
      value.kind === 'tensor' && !value.loader && !value.isParameter && (heat === 'train' || heat === 'infer')
        ? { node: node.iterable, ifOnGpu: value }
        : null,
    call: ({ node, path, args }) =>
      path === 'sum' && args[0]?.kind === 'tensor' ? { node, ifOnGpu: args[0] } : null,
  },
  matches: ['for row in out:\n    row.mul(2)', 'total = sum(out)'],
  misses: ['for row in range(3):\n    pass', 'total = out.sum()'],
}
