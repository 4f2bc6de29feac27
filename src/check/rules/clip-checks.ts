import { isTrue } from '../flow/torch'
import { dropArgument } from '../edits'
import type { Rule } from '../rule'

export const clipChecksRule: Rule = {
  id: 'clip-checks',
  kind: 'blocks',
  title: '`clip_grad_norm_` with an error check waits for the GPU',
  why: '`error_if_nonfinite=True` reads the norm in every step, so Python stops until `backward()` has finished.',
  unless:
    'It does not matter if the step is bound by the GPU. Without the check, one NaN norm writes NaN into every weight.',
  instead:
    'Leave it out if you can go back to a checkpoint, and check the returned norm every 50 steps. To skip such a step without waiting, zero its gradients on the GPU: `torch.where(torch.isfinite(norm), grad, 0)`.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html',
    'https://github.com/pytorch/pytorch/blob/main/torch/nn/utils/clip_grad.py',
  ],
  on: {
    call: ({ node, path, named }, at) => {
      if (!path?.endsWith('.clip_grad_norm_') || isTrue(named.get('error_if_nonfinite')) !== true) return null
      const edit = dropArgument(at, node, 'error_if_nonfinite')
      return { node, fix: edit ? [edit] : [] }
    },
  },
  matches: ['torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)'],
  misses: ['torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)'],
}
