/** Rules about many launches, and about options of the training step. */
import { dropArgument, placeUnder, removeStatement } from '../edits'
import { isHot } from '../flow/heat'
import { isTrue } from '../flow/torch'
import { elementOf } from '../flow/values'
import { rulesOf } from '../rule'
import { allExpressions, type For } from '../syntax'

export const LAUNCHES = rulesOf({
  'zero-grad': {
    call: ({ node, method, receiver, named }, at) => {
      if (receiver.kind === 'thing' && receiver.where !== 'gpu') return null
      if (method !== 'zero_grad' || isTrue(named.get('set_to_none')) !== false) return null
      return { node, fix: dropArgument(at, node, 'set_to_none') }
    },
  },
  'parameter-loop': {
    loop: ({ node, value, heat }) => {
      const element = elementOf(value)
      const items = element.kind === 'tuple' ? element.items : [element]
      const parameter = items.find((each) => each.kind === 'tensor' && each.isParameter)
      if (!parameter || !isHot(heat) || !computes(node)) return null
      return { node: { from: node.from, to: node.headTo }, ifOnGpu: parameter, asked: node.iterable }
    },
  },
  'optimizer-loop': {
    heat: 'any',
    call: ({ node, path, named }, at) => {
      if (!path?.startsWith('torch.optim.') || isTrue(named.get('foreach')) !== false) return null
      return { node, fix: dropArgument(at, node, 'foreach') }
    },
  },
  'grad-scaler': {
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
  'clip-checks': {
    call: ({ node, path, named }, at) => {
      if (!path?.endsWith('.clip_grad_norm_') || isTrue(named.get('error_if_nonfinite')) !== true) return null
      return { node, fix: dropArgument(at, node, 'error_if_nonfinite') }
    },
  },
  'anomaly-detection': {
    heat: 'any',
    call: ({ node, path, args, named }, at) => {
      const isOn =
        path === 'torch.autograd.set_detect_anomaly' && isTrue(args[0] ?? named.get('mode')) === true
      const isWith =
        path === 'torch.autograd.detect_anomaly' || path === 'torch.autograd.anomaly_mode.detect_anomaly'
      return isOn || isWith
        ? { node, fix: isOn && at.statement.kind === 'expression' ? removeStatement(at) : [] }
        : null
    },
  },
  'metric-every-step': {
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
  'iterate-tensor': {
    loop: ({ node, value, heat }) =>
      value.kind === 'tensor' && !value.loader && !value.isParameter && isHot(heat)
        ? { node: node.iterable, ifOnGpu: value }
        : null,
    call: ({ node, path, args }) =>
      path === 'sum' && args[0]?.kind === 'tensor' ? { node, ifOnGpu: args[0] } : null,
  },
  'gradients-in-evaluation': {
    heat: 'evaluate',
    call: ({ node, receiver, method }, at) => {
      const called =
        node.callee.kind === 'name' ? at.valueOf(node.callee.name) : method === null ? receiver : null
      const isModel =
        called?.kind === 'thing' &&
        called.role === 'module' &&
        called.where === 'gpu' &&
        !called.path.endsWith('Loss')
      const loop = at.loops.at(-1)
      return isModel && at.hasGradients && loop
        ? { node, fix: placeUnder(at, loop, 'with torch.inference_mode():') }
        : null
    },
  },
})

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
