/** Rules about several ranks. */
import { removeStatement } from '../edits'
import type { Rule } from '../rule'

export const RANKS: readonly Rule[] = [
  {
    id: 'rank-branch',
    kind: 'ranks',
    title: 'Only some ranks call this collective: the job hangs',
    why: 'A collective ends only when every rank of its group has called it. Ranks that skip it never do: the others hang until the timeout, or it pairs with the next collective.',
    unless: 'It does not matter if the other branch calls the same collective.',
    instead: 'Call it on every rank, and let one rank use the result.',
    cause: 'late-rank',
    sources: [
      'https://docs.pytorch.org/docs/stable/distributed.html#collective-functions',
      'https://docs.pytorch.org/docs/stable/distributed.html#debugging-torch-distributed-applications',
    ],
    heat: 'any',
    on: {
      call: ({ node, path }, at) => (at.isOfSomeRanks && COLLECTIVE.test(path ?? '') ? { node } : null),
    },
    matches: ['import torch.distributed as dist\nif dist.get_rank() == 0:\n    dist.all_reduce(loss)'],
    misses: [
      'import torch.distributed as dist\nif rank != -1:\n    dist.broadcast(loss, 0)',
      'import torch.distributed as dist\ndist.all_reduce(loss)',
      'import torch.distributed as dist\nif step % 2 == 0:\n    dist.all_reduce(loss)',
    ],
  },
  {
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
  },
]

/** Without barriers: one rank that goes first calls its own in the other branch. */
const COLLECTIVE =
  /^torch\.distributed\.(all_reduce|all_gather\w*|reduce|reduce_scatter\w*|broadcast\w*|gather\w*|scatter\w*|all_to_all\w*)$/
