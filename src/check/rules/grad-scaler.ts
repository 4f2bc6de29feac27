import type { Rule } from '../rule'

export const gradScalerRule: Rule = {
  id: 'grad-scaler',
  kind: 'blocks',
  title: '`GradScaler` waits for the GPU in every step',
  why: 'Unless the optimizer is fused, `step()` reads whether a gradient overflowed before it steps, so Python stops until `backward()` has finished. `get_scale()` reads the scale.',
  unless:
    'It does not matter if the step is bound by the GPU, and it does not wait with a `fused=True` optimizer.',
  instead:
    'Pass `fused=True` to the optimizer, which skips a bad step on the GPU. From Ampere on, `torch.bfloat16` in `autocast` needs no scaler.',
  cause: 'read-back',
  sources: [
    'https://github.com/pytorch/pytorch/blob/main/torch/amp/grad_scaler.py',
    'https://docs.pytorch.org/docs/stable/amp.html#gradient-scaling',
  ],
  on: {
    call: ({ node, method, receiver, named }, at) => {
      if (receiver.kind !== 'thing' || receiver.role !== 'scaler') return null
      // `get_scale()` reads the scale, whatever the optimizer is.
      if (method === 'get_scale') return receiver.where === 'gpu' ? { node } : null
      if (method !== 'step' || receiver.where === 'cpu' || named.has('closure')) return null
      if (/\bfused\s*=\s*True/.test(at.text) || node.callee.kind !== 'attribute') return null
      return receiver.where === 'gpu'
        ? { node }
        : { node, asks: `Is \`${at.textOf(node.callee.object)}\` enabled?` }
    },
  },
  matches: [
    'scaler = torch.amp.GradScaler("cuda")\nscaler.step(optimizer)',
    'scaler = torch.amp.GradScaler("cuda")\nscales.append(scaler.get_scale())',
  ],
  misses: [
    'optimizer.step()',
    'scaler = torch.amp.GradScaler("cuda")\nfast = torch.optim.AdamW(model.parameters(), fused=True)\nscaler.step(fast)',
  ],
}
