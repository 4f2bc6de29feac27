/** Rules about results whose size only the GPU knows. */
import { setArgument } from '../edits'
import type { Rule } from '../rule'
import type { Expr } from '../syntax'

export const SIZES: readonly Rule[] = [
  {
    id: 'nonzero',
    kind: 'blocks',
    title: '`nonzero` waits for the GPU to know its size',
    why: 'How many elements there are is known only on the GPU, so the host waits for the number before it can allocate the result.',
    unless: 'It does not matter if the host has nothing to do afterwards.',
    instead:
      'Keep the mask and use `torch.where(mask, a, b)`: the shape stays the same. For a mean, divide the sum by `mask.sum()`.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.nonzero.html',
      'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/Nonzero.cu',
    ],
    on: {
      call: ({ node, path, method, receiver, args }) => {
        const isOne =
          (path === 'torch.where' && args.length === 1) ||
          path === 'torch.nonzero' ||
          path === 'torch.argwhere'
        if (isOne && args[0]?.kind === 'tensor')
          return { node, ifOnGpu: args[0], asked: node.args[0]?.value ?? node }
        return (method === 'nonzero' || method === 'argwhere') &&
          receiver.kind === 'tensor' &&
          node.callee.kind === 'attribute'
          ? { node, ifOnGpu: receiver, asked: node.callee.object }
          : null
      },
    },
    matches: ['n = (out > 0).nonzero()', 'n = torch.nonzero(out > 0)', 'n = torch.where(out > 0)'],
    misses: ['n = torch.where(out > 0, out, 0)', 'n = torch.nonzero(torch.ones(3))'],
  },
  {
    id: 'mask',
    kind: 'blocks',
    title: 'Indexing with a mask waits for the GPU to know the size',
    why: 'How many elements the mask selects is known only on the GPU, so the host waits for the number before it can allocate the result, and again in `backward()`.',
    unless:
      'It does not matter if the host has nothing to do afterwards. Writing one number through a mask (`x[mask] = 0`) does not wait.',
    instead:
      'Use `torch.where(mask, x, 0)`: the shape stays the same. For a mean, divide the sum by `mask.sum()`. Multiplying by the mask keeps NaN and inf.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.masked_select.html',
      'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/IndexKernel.cpp',
    ],
    on: {
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
    matches: [
      'picked = out[y > 3]',
      'mask = y != 0\nloss2 = out[mask].sum()',
      'picked = torch.masked_select(out, out > 0)',
      'diagonal = torch.eye(8, dtype=torch.bool).to(device)\nrest = out[~diagonal]',
    ],
    misses: [
      'out = out.detach()\nout[out > 3] = 0',
      'picked = out[0]',
      'picked = out[y]',
      'picked = torch.where(y > 3, y, 0)',
    ],
  },
  {
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
  },
  {
    id: 'dynamic-shape',
    kind: 'blocks',
    title: 'The result’s size is known only on the GPU: the host waits',
    why: '`unique`, `bincount` and `repeat_interleave` with counts on the GPU read their result’s size back before they can allocate it.',
    unless: 'It does not matter if the host has nothing to do afterwards.',
    instead:
      'Give the size: `minlength` does not help `bincount` (use `scatter_add_`), `output_size=` helps `repeat_interleave`. Or compute it in the loader.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.repeat_interleave.html',
      'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/SummaryOps.cu',
    ],
    on: {
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
    matches: [
      'kinds = y.unique()',
      'counts = torch.bincount(y)',
      'rows = torch.repeat_interleave(out, y, dim=0)',
    ],
    misses: [
      'rows = torch.repeat_interleave(out, 2, dim=0)',
      'rows = torch.repeat_interleave(out, y, dim=0, output_size=100)',
      'kinds = torch.arange(3).unique()',
    ],
  },
  {
    id: 'one-hot',
    kind: 'blocks',
    title: '`one_hot` without `num_classes` waits for the GPU',
    why: 'Without `num_classes` it reads the largest value from the GPU to know the width of its result.',
    unless: 'It does not matter if the host has nothing to do afterwards.',
    instead: 'Pass `num_classes`.',
    cause: 'read-back',
    sources: [
      'https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.one_hot.html',
      'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/Onehot.cpp',
    ],
    on: {
      call: ({ node, path, args, named }) =>
        path === 'torch.nn.functional.one_hot' && args.length === 1 && !named.has('num_classes') && args[0]
          ? { node, ifOnGpu: args[0] }
          : null,
    },
    matches: ['wide = F.one_hot(y)'],
    misses: ['wide = F.one_hot(y, 10)', 'wide = F.one_hot(y, num_classes=10)'],
  },
]

/** A number is filled in without looking at the mask. */
const isTensorText = ({ kind }: Expr): boolean => kind !== 'number' && kind !== 'unary'
