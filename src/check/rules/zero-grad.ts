import { isTrue } from '../flow/torch'
import { dropArgument } from '../edits'
import type { Rule } from '../rule'

export const zeroGradRule: Rule = {
  id: 'zero-grad',
  kind: 'launches',
  title: '`zero_grad(set_to_none=False)` launches a kernel for the gradients',
  why: 'Gradients are filled with zeros and then added to, where `None`, the default, lets `backward()` write them anew.',
  unless: 'It does not matter if the step is bound by large kernels.',
  instead: 'Leave `set_to_none` at its default.',
  cause: 'dispatch',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#use-parameter-grad-none-instead-of-model-zero-grad-or-optimizer-zero-grad',
  ],
  on: {
    call: ({ node, method, receiver, named }, at) => {
      if (receiver.kind === 'thing' && receiver.where !== 'gpu') return null
      if (method !== 'zero_grad' || isTrue(named.get('set_to_none')) !== false) return null
      const edit = dropArgument(at, node, 'set_to_none')
      return { node, fix: edit ? [edit] : [] }
    },
  },
  matches: ['optimizer.zero_grad(set_to_none=False)'],
  misses: ['optimizer.zero_grad()', 'optimizer.zero_grad(set_to_none=True)'],
}
