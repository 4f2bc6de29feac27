import type { Expr } from '../syntax'
import type { Rule } from '../rule'

export const maskRule: Rule = {
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
}

/** A number is filled in without looking at the mask. */
const isTensorText = ({ kind }: Expr): boolean => kind !== 'number' && kind !== 'unary'
