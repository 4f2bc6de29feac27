import type { Rule } from '../rule'

export const dynamicShapeRule: Rule = {
  id: 'dynamic-shape',
  kind: 'blocks',
  title: 'The result’s size is known only on the GPU: the host waits',
  why: '`unique`, `bincount` and `repeat_interleave` with counts on the GPU read their result’s size back before they can allocate it.',
  unless: 'It does not matter if the host has nothing to do afterwards.',
  instead:
    'Give the size: `minlength` does not help `bincount` (use `scatter_add_`), `output_size=` helps `repeat_interleave`. Or compute it in the loader.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.repeat_interleave.html',
    'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/SummaryOps.cu',
  ],
  on: {
    call: ({ node, path, method, receiver, args, named }) => {
      const name = method ?? (path?.startsWith('torch.') ? path.slice('torch.'.length) : null)
      const [value, counts] = method === null ? args : [receiver, ...args]
      if (value?.kind !== 'tensor') return null
      if (/^(unique|unique_consecutive|bincount)$/.test(name ?? '')) return { node, ifOnGpu: value }
      return name === 'repeat_interleave' && counts?.kind === 'tensor' && !named.has('output_size')
        ? { node, ifOnGpu: counts }
        : null
    },
  },
  matches: [
    'kinds = y.unique()',
    'counts = torch.bincount(y)',
    'rows = torch.repeat_interleave(out, y, dim=0)',
  ],
  misses: [
    'rows = torch.repeat_interleave(out, 2, dim=0)',
    'rows = torch.repeat_interleave(out, y, dim=0, output_size=100)',
    'kinds = torch.arange(3).unique()',
  ],
}
