import { isTrue } from '../flow/torch'
import { dropArgument } from '../edits'
import type { Rule } from '../rule'

export const optimizerLoopRule: Rule = {
  id: 'optimizer-loop',
  kind: 'launches',
  title: 'The optimizer launches kernels for each parameter by itself',
  why: '`foreach=False` makes the optimizer go through the parameters one by one, with several small kernels each.',
  unless: 'It does not matter if the model has few, large parameters, or if memory is what you lack.',
  instead: 'Leave `foreach` at its default, or pass `fused=True`.',
  cause: 'dispatch',
  sources: ['https://docs.pytorch.org/docs/stable/optim.html#algorithms'],
  heat: 'any',
  on: {
    call: ({ node, path, named }, at) => {
      if (!path?.startsWith('torch.optim.') || isTrue(named.get('foreach')) !== false) return null
      const edit = dropArgument(at, node, 'foreach')
      return { node, fix: edit ? [edit] : [] }
    },
  },
  matches: ['slow = torch.optim.Adam(model.parameters(), foreach=False)'],
  misses: [
    'fast = torch.optim.Adam(model.parameters())',
    'fast = torch.optim.Adam(model.parameters(), fused=True)',
  ],
}
