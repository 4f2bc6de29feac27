/** Rules about tensors that come to the GPU. */
import { replace, setArgument } from '../edits'
import { isMadeOfValues, placeIn } from '../flow/torch'
import type { Value } from '../flow/values'
import type { Rule } from '../rule'
import type { Expr } from '../syntax'
import { ASYNCHRONOUS, LOADING, PINNED, WAITING } from './sources'

export const COPIES: readonly Rule[] = [
  {
    id: 'tensor-from-python',
    kind: 'copies',
    title: 'A tensor is made from Python values and copied in every step',
    why: '`torch.tensor(values, device=…)` builds it in pageable host memory and copies it, and the host waits for the copy.',
    unless: 'It does not matter if the values change every step and the step is bound by the GPU.',
    instead:
      'Make it once before the loop, or make it on the GPU (`torch.full((), value, device=…)`, `torch.arange`).',
    cause: 'pageable-copies',
    sources: [WAITING, 'https://docs.pytorch.org/docs/stable/generated/torch.tensor.html'],
    on: {
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
    matches: [
      'weights = torch.tensor([1.0, 2.0], device=device)',
      'scale = torch.tensor(0.5, device="cuda")',
      'import numpy as np\nnoise = torch.cuda.FloatTensor(np.random.normal(0, 1, (8, 8)))',
    ],
    misses: [
      'weights = torch.tensor([1.0, 2.0])',
      'weights = torch.zeros(3, device=device)',
      'weights = torch.cuda.FloatTensor(8, 1).fill_(1.0)',
      'if step % 50 == 0:\n    weights = torch.tensor([1.0], device=device)',
    ],
  },
  {
    id: 'made-on-host',
    kind: 'copies',
    title: 'Made on the host, then copied: make it on the GPU',
    why: 'The host computes the values and copies them from pageable memory, and the host waits for the copy.',
    unless:
      'It does not matter if you need the host’s random numbers, or the tensor is tiny and the step is bound by the GPU.',
    instead:
      'Pass `device=` (and `dtype=`) to the function that makes it. `torch.tensor(list)` copies even then: make it once before the loop.',
    cause: 'pageable-copies',
    sources: [
      'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#create-tensors-directly-on-the-target-device',
      ASYNCHRONOUS,
    ],
    on: {
      move: ({ node, value, of }, at) => {
        if (!value.isFresh) return null
        const [target, ...others] = node.args
        const isCuda = node.callee.kind === 'attribute' && node.callee.name === 'cuda'
        // A type, or an index of a GPU, would be lost.
        const isPlain = others.length === 0 && (target?.name ?? 'device') === 'device'
        const device =
          isCuda && !target ? '"cuda"' : !isCuda && target && isPlain ? at.textOf(target.value) : null
        const isMaker = of.kind === 'call' && MAKERS.test(at.textOf(of.callee))
        const fix =
          isMaker && device !== null
            ? [setArgument(at, of, 'device', device), { from: of.to, to: node.to, text: '' }]
            : []
        return { node, fix }
      },
    },
    matches: [
      'noise = torch.randn(64, 100).to(device)',
      'noise = torch.zeros(64).cuda()',
      'noise = torch.zeros(64).to(device, torch.float16)',
    ],
    misses: [
      'noise = torch.randn(64, 100, device=device)',
      'if step % 50 == 0:\n    noise = torch.zeros(64).cuda()',
    ],
  },
  {
    id: 'copy-blocks',
    kind: 'copies',
    title: 'The copy to the GPU waits: it has no `non_blocking=True`',
    why: '`.to()` and `.cuda()` return when the copy is done, and it runs behind everything already launched, so the host stops.',
    unless:
      'It does not matter if the GPU has nothing queued at this point, or the step is bound by the GPU.',
    instead: 'Pin the batch (`pin_memory=True` in the loader) and pass `non_blocking=True`.',
    cause: 'pageable-copies',
    sources: [PINNED, LOADING],
    on: {
      move: ({ node, value, isNonBlocking }, at) =>
        value.where === 'cpu' && isNonBlocking === false && !value.isFresh
          ? { node, fix: [setArgument(at, node, 'non_blocking', 'True')] }
          : null,
    },
    matches: [
      'for a, b in loader:\n    a = a.to(device)',
      'batch = next(iter(loader))[0].cuda()',
      'kind = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor\nfor a, b in loader:\n    a = a.type(kind)',
      'rows = corpus[step].to(device)',
    ],
    misses: [
      'for a, b in loader:\n    a = a.to(device, non_blocking=True)',
      'a = loss.to(device)',
      'mask = make(x).to(x.device)',
      'from torch.utils.data import TensorDataset\nrows = DataLoader(TensorDataset(x))\nfor a in rows:\n    a = a.to(device)',
      'a = torch.randn(3).to(device)',
    ],
  },
  {
    id: 'pageable-copy',
    kind: 'copies',
    title: '`non_blocking=True` from pageable memory: the host copies anyway',
    why: 'Only pinned memory can be copied by the GPU on its own. From pageable memory the driver stages the data, and the host takes part.',
    unless: 'It does not matter for a few kilobytes.',
    instead:
      'Compute on the GPU instead, from the pinned batch of the loader. Or fill a buffer made once with `torch.empty(…, pin_memory=True)`, and wait for an event of its last copy before you refill it.',
    cause: 'pageable-copies',
    sources: [PINNED, 'https://docs.pytorch.org/docs/stable/notes/cuda.html#use-pinned-memory-buffers'],
    on: {
      move: ({ node, value, isNonBlocking }) =>
        value.where === 'cpu' &&
        isNonBlocking === true &&
        value.isPinned === false &&
        value.loader === null &&
        !value.isFresh
          ? { node }
          : null,
    },
    matches: ['a = torch.ones(64)\nb = a * 2\nc = b.to(device, non_blocking=True)'],
    misses: ['a = torch.ones(64).pin_memory()\nb = a.to(device, non_blocking=True)'],
  },
  {
    id: 'cpu-index',
    kind: 'copies',
    title: 'A tensor on the GPU is indexed with values on the host: they are copied first',
    why: 'PyTorch copies a CPU index or a Python list to the GPU in every call, from pageable memory, and the host waits for the copy.',
    unless: 'It does not matter if the step is bound by the GPU.',
    instead: 'Keep the index on the GPU: `index = index.to(x.device)` before the loop.',
    cause: 'pageable-copies',
    sources: [
      'https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/TensorAdvancedIndexing.cpp',
      WAITING,
    ],
    on: {
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
    matches: [
      'order = torch.randperm(64)\nx = x[order]',
      'x = x[[0, 2, 4]]',
      'picked = out[range(4), y[:4]]',
      'import numpy as np\norder = np.random.permutation(64)\nx = x[order[:32]]',
    ],
    misses: [
      'order = torch.randperm(64, device=device)\nx = x[order]',
      'x = x[0]',
      'x = x[:, None]',
      'import numpy as np\nfor row in np.arange(4):\n    y = x[row]',
    ],
  },
]

/** They take `device=`, and NumPy's memory is not what they begin with. */
const MAKERS = /(^|\.)(arange|empty|eye|full|linspace|normal|ones|rand|randint|randn|randperm|zeros)$/

const isNumbers = (value: Value, node: Expr | undefined): boolean =>
  (node?.kind === 'call' && node.callee.kind === 'name' && node.callee.name === 'range') ||
  (node?.kind === 'list' &&
    value.kind === 'tuple' &&
    value.items.length > 0 &&
    value.items.every((each) => each.kind === 'plain' && each.type === 'number'))
