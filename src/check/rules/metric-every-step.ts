import type { Rule } from '../rule'

export const metricEveryStepRule: Rule = {
  id: 'metric-every-step',
  kind: 'blocks',
  title: 'A metric object is computed in every step',
  why: 'Calling the object or `compute()` works out the value in every step. The `update()` of torchmetrics also checks its input, which reads from the GPU unless `validate_args=False`.',
  unless: 'It does not matter if the step is bound by the GPU.',
  instead:
    'Call `update()` in the loop and `compute()` once after it. For the classification metrics of torchmetrics, pass `validate_args=False` when the input is known to be right.',
  cause: 'read-back',
  sources: [
    'https://lightning.ai/docs/torchmetrics/stable/pages/overview.html',
    'https://github.com/Lightning-AI/torchmetrics/issues/2080',
  ],
  on: {
    call: ({ node, method, receiver, args }, at) => {
      const called = node.callee.kind === 'name' ? at.valueOf(node.callee.name) : receiver
      if (called.kind !== 'thing' || !/^(torchmetrics|torcheval)\./.test(called.path)) return null
      const isCalled = node.callee.kind === 'name' && args.length > 0
      // `update()` returns nothing that a name could hold.
      const isAlone = at.statement.kind === 'expression' && at.statement.value === node
      return isCalled || method === 'compute'
        ? {
            node,
            fix: isCalled && isAlone ? [{ from: node.callee.to, to: node.callee.to, text: '.update' }] : [],
          }
        : null
    },
  },
  matches: [
    'import torchmetrics\naccuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)\naccuracy(out, y)',
  ],
  misses: [
    'import torchmetrics\naccuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)\naccuracy.update(out, y)',
  ],
}
