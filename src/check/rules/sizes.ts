/** Rules about results whose size only the GPU knows. */
import { setArgument } from '../edits'
import { rulesOf } from '../rule'
import type { Expr } from '../syntax'

export const SIZES = rulesOf({
  nonzero: {
    call: ({ node, path, method, receiver, args }) => {
      const isOne =
        (path === 'torch.where' && args.length === 1) || path === 'torch.nonzero' || path === 'torch.argwhere'
      if (isOne && args[0]?.kind === 'tensor')
        return { node, ifOnGpu: args[0], asked: node.args[0]?.value ?? node }
      return (method === 'nonzero' || method === 'argwhere') &&
        receiver.kind === 'tensor' &&
        node.callee.kind === 'attribute'
        ? { node, ifOnGpu: receiver, asked: node.callee.object }
        : null
    },
  },
  mask: {
    index: ({ node, object, items, isStore }, at) => {
      const mask = items.find((each) => each.kind === 'tensor' && each.isMask)
      if (object.kind !== 'tensor' || !mask) return null
      if (
        isStore &&
        at.statement.kind === 'assign' &&
        !(at.statement.value && isTensorText(at.statement.value))
      )
        return null
      return { node, ifOnGpu: mask }
    },
    call: ({ node, path, method, receiver, args }) => {
      const value =
        path === 'torch.masked_select' ? args[0] : method === 'masked_select' ? receiver : undefined
      return value?.kind === 'tensor' ? { node, ifOnGpu: value } : null
    },
  },
  'distribution-checks': {
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
  'dynamic-shape': {
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
  'one-hot': {
    call: ({ node, path, args, named }) =>
      path === 'torch.nn.functional.one_hot' && args.length === 1 && !named.has('num_classes') && args[0]
        ? { node, ifOnGpu: args[0] }
        : null,
  },
})

/** A number is filled in without looking at the mask. */
const isTensorText = ({ kind }: Expr): boolean => kind !== 'number' && kind !== 'unary'
