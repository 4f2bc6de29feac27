import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const emptyCacheRule: Rule = {
  id: 'empty-cache',
  kind: 'blocks',
  title: '`empty_cache()` in every step: memory is returned and asked for again',
  why: 'It waits for the GPU and gives cached memory back to the driver, so the next step allocates with `cudaMalloc` again.',
  unless: 'It does not matter if it runs once an epoch.',
  instead:
    'Remove it: the allocator reuses what it has cached. It frees nothing that your program could not use.',
  cause: 'allocation',
  sources: [
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management',
    'https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.empty_cache.html',
  ],
  on: {
    call: ({ node, path }, at) =>
      /^torch\.(cuda|accelerator)\.(memory\.)?empty_cache$/.test(path ?? '')
        ? { node, fix: removeStatement(at) }
        : null,
  },
  matches: ['torch.cuda.empty_cache()'],
  misses: ['if step % 500 == 0:\n    torch.cuda.empty_cache()'],
}
