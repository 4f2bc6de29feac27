import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const barrierRule: Rule = {
  id: 'barrier',
  kind: 'ranks',
  title: 'A barrier in every step stops all ranks',
  why: 'Each rank waits for the slowest, though DDP’s collectives already keep the ranks in step.',
  unless: 'It does not matter if it runs once an epoch, around saving a checkpoint.',
  instead: 'Remove it.',
  cause: 'late-rank',
  sources: ['https://docs.pytorch.org/docs/stable/distributed.html#torch.distributed.barrier'],
  on: {
    call: ({ node, path }, at) =>
      path === 'torch.distributed.barrier' && !at.isOfSomeRanks ? { node, fix: removeStatement(at) } : null,
  },
  matches: ['import torch.distributed as dist\ndist.barrier()'],
  misses: ['import torch.distributed as dist\nif step % 500 == 0:\n    dist.barrier()'],
}
