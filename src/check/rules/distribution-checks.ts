import { setArgument } from '../edits'
import type { Rule } from '../rule'

export const distributionChecksRule: Rule = {
  id: 'distribution-checks',
  kind: 'blocks',
  title: 'A distribution checks its values: the host waits',
  why: 'Every `torch.distributions` object reads from the GPU whether its parameters are valid, and `log_prob()` whether its argument is.',
  unless: 'It does not matter if the host waits for a sample anyway, as an agent does before each action.',
  instead:
    'Pass `validate_args=False` once the program works, or call `torch.distributions.Distribution.set_default_validate_args(False)`.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/distributions.html#torch.distributions.distribution.Distribution.set_default_validate_args',
    'https://github.com/pytorch/pytorch/blob/main/torch/distributions/distribution.py',
  ],
  on: {
    call: ({ node, path, method, receiver, args, named }, at) => {
      if (/set_default_validate_args\(\s*False/.test(at.text)) return null
      const isMade = /^torch\.distributions\.([\w.]*\.)?[A-Z]\w*$/.test(path ?? '')
      if (isMade) {
        const value = [...args, ...named.values()].find((each) => each.kind === 'tensor')
        return value && !named.has('validate_args')
          ? { node, ifOnGpu: value, fix: [setArgument(at, node, 'validate_args', 'False')] }
          : null
      }
      const isChecked =
        method === 'log_prob' &&
        receiver.kind === 'thing' &&
        receiver.path.startsWith('torch.distributions.') &&
        receiver.where === 'gpu'
      return isChecked ? { node } : null
    },
  },
  matches: [
    'actions = torch.distributions.Categorical(logits=out)',
    'from torch.distributions import Normal\nlikely = Normal(out, 1.0).log_prob(x)',
  ],
  misses: [
    'actions = torch.distributions.Categorical(logits=out, validate_args=False)\nlikely = actions.log_prob(y)',
    'prior = torch.distributions.Normal(0.0, 1.0)',
  ],
}
