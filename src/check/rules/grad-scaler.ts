import type { Rule } from '../rule'

export const gradScalerRule: Rule = {
  id: 'grad-scaler',
  kind: 'blocks',
  title: '`GradScaler.step()` waits for the GPU in every step',
  why: 'It reads whether a gradient overflowed before it decides to step, so Python stops until `backward()` has finished.',
  unless: 'It does not matter if the step is bound by the GPU. With float16 you need it.',
  instead: 'Use `torch.bfloat16` in `autocast`, which needs no scaler.',
  cause: 'read-back',
  sources: [
    'https://github.com/pytorch/pytorch/blob/main/torch/amp/grad_scaler.py',
    'https://docs.pytorch.org/docs/stable/amp.html#gradient-scaling',
  ],
  on: {
    call: ({ node, method, receiver, named }) =>
      method === 'step' &&
      receiver.kind === 'thing' &&
      receiver.role === 'scaler' &&
      receiver.where === 'gpu' &&
      !named.has('closure')
        ? { node }
        : null,
  },
  matches: ['scaler = torch.amp.GradScaler("cuda")\nscaler.step(optimizer)'],
  misses: ['optimizer.step()'],
}
