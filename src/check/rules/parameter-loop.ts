import { elementOf } from '../flow/values'
import type { For } from '../syntax'
import { allExpressions } from '../walk'
import type { Rule } from '../rule'

export const parameterLoopRule: Rule = {
  id: 'parameter-loop',
  kind: 'launches',
  title: 'A Python loop launches a kernel for every parameter',
  why: 'Each parameter costs several small launches, and a small kernel ends before the host has launched the next.',
  unless: 'It does not matter if the model has few, large parameters.',
  instead:
    'Use the `torch._foreach_…` functions on the list of parameters, or an optimizer with `foreach` or `fused`.',
  cause: 'dispatch',
  sources: [
    'https://docs.pytorch.org/docs/stable/optim.html#algorithms',
    'https://github.com/pytorch/pytorch/issues/38655',
  ],
  on: {
    loop: ({ node, value, heat }) => {
      const element = elementOf(value)
      const items = element.kind === 'tuple' ? element.items : [element]
      const parameter = items.find((each) => each.kind === 'tensor' && each.isParameter)
      if (!parameter || (heat !== 'train' && heat !== 'infer') || !computes(node)) return null
      return { node: { from: node.from, to: node.headTo }, ifOnGpu: parameter, asked: node.iterable }
    },
  },
  matches: [
    'for p in model.parameters():\n    p.data.add_(p.grad, alpha=-0.1)',
    'for p in model.parameters():\n    p.grad.zero_()',
  ],
  misses: [
    'for p in model.parameters():\n    p.requires_grad = False',
    'if step % 50 == 0:\n    for p in model.parameters():\n        p.grad.zero_()',
  ],
}

/** Something in it works in place, or on gradients. */
const computes = ({ body }: For): boolean =>
  [...allExpressions(body)].some(
    (each) =>
      each.kind === 'call' &&
      each.callee.kind === 'attribute' &&
      /^(add|mul|sub|div|copy|zero|lerp|clamp|addcmul|addcdiv|normal|uniform|clip)_$|^norm$/.test(
        each.callee.name,
      ),
  )
