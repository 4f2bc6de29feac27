import { setArgument } from '../edits'
import type { Rule } from '../rule'

export const copyBlocksRule: Rule = {
  id: 'copy-blocks',
  kind: 'copies',
  title: 'The copy to the GPU waits: it has no `non_blocking=True`',
  why: '`.to()` and `.cuda()` return when the copy is done, and it runs behind everything already launched, so the host stops.',
  unless: 'It does not matter if the GPU has nothing queued at this point, or the step is bound by the GPU.',
  instead: 'Pin the batch (`pin_memory=True` in the loader) and pass `non_blocking=True`.',
  cause: 'pageable-copies',
  sources: [
    'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#enable-asynchronous-data-loading-and-augmentation',
  ],
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
}
