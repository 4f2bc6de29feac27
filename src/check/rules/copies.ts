/** Rules about tensors that come to the GPU. */
import { replace, setArgument } from '../edits'
import { isMadeOfValues, placeIn } from '../flow/torch'
import type { Value } from '../flow/values'
import { rulesOf } from '../rule'
import type { Expr } from '../syntax'

export const COPIES = rulesOf({
  'tensor-from-python': {
    call: ({ node, path, args, named }, at) => {
      if (/^torch\.cuda\.\w*Tensor$/.test(path ?? '')) return isMadeOfValues(args[0]) ? { node } : null
      if (path !== 'torch.tensor' && path !== 'torch.as_tensor') return null
      const where = placeIn(named.get('device'))
      const [value] = args
      if (where !== 'gpu' || value?.kind === 'tensor') return null
      const number = value?.kind === 'plain' && value.type === 'number' ? node.args[0]?.value : undefined
      const device = node.args.find(({ name }) => name === 'device')
      const type = node.args.find(({ name }) => name === 'dtype')
      const fix =
        number && device && node.args.length === (type ? 3 : 2)
          ? [
              replace(
                node,
                `torch.full((), ${at.textOf(number)}, ${type ? `dtype=${at.textOf(type.value)}, ` : ''}device=${at.textOf(device.value)})`,
              ),
            ]
          : []
      return { node, fix }
    },
  },
  'made-on-host': {
    move: ({ node, value, of }, at) => {
      if (!value.isFresh) return null
      const [target, ...others] = node.args
      const method = node.callee.kind === 'attribute' ? node.callee.name : ''
      // A type, or an index of a GPU, would be lost.
      const isPlain = others.length === 0 && (target?.name ?? 'device') === 'device'
      const device =
        method === 'cuda' && !target
          ? '"cuda"'
          : method === 'to' && target && isPlain
            ? at.textOf(target.value)
            : null
      const isMaker = of.kind === 'call' && MAKERS.test(at.textOf(of.callee))
      const fix =
        isMaker && device !== null
          ? [setArgument(at, of, 'device', device), { from: of.to, to: node.to, text: '' }]
          : []
      return { node, fix }
    },
  },
  'copy-blocks': {
    move: ({ node, value, isNonBlocking }, at) =>
      value.where === 'cpu' && isNonBlocking === false && !value.isFresh
        ? { node, fix: [setArgument(at, node, 'non_blocking', 'True')] }
        : null,
  },
  'pageable-copy': {
    move: ({ node, value, isNonBlocking }) =>
      value.where === 'cpu' &&
      isNonBlocking === true &&
      value.isPinned === false &&
      value.loader === null &&
      !value.isFresh
        ? { node }
        : null,
  },
  'cpu-index': {
    index: ({ node, object, items }) =>
      object.kind === 'tensor' &&
      items.some(
        (each, at) =>
          (each.kind === 'tensor' && each.where === 'cpu') ||
          (each.kind === 'array' && each.isVector === true) ||
          isNumbers(each, node.items[at]),
      )
        ? { node, ifOnGpu: object, asked: node.object }
        : null,
  },
})

/** They take `device=`, and NumPy's memory is not what they begin with. */
const MAKERS = /(^|\.)(arange|empty|eye|full|linspace|normal|ones|rand|randint|randn|randperm|zeros)$/

const isNumbers = (value: Value, node: Expr | undefined): boolean =>
  (node?.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'range') ||
  (node?.kind === 'list' &&
    value.kind === 'tuple' &&
    value.items.length > 0 &&
    value.items.every((each) => each.kind === 'plain' && each.type === 'number'))
