/** Rules about several ranks. */
import { removeStatement } from '../edits'
import { rulesOf } from '../rule'

export const RANKS = rulesOf({
  'rank-branch': {
    heat: 'any',
    call: ({ node, path }, at) => (at.isOfSomeRanks && COLLECTIVE.test(path ?? '') ? { node } : null),
  },
  barrier: {
    call: ({ node, path }, at) =>
      path === 'torch.distributed.barrier' && !at.isOfSomeRanks ? { node, fix: removeStatement(at) } : null,
  },
})

/** Without barriers: one rank that goes first calls its own in the other branch. */
const COLLECTIVE =
  /^torch\.distributed\.(all_reduce|all_gather\w*|reduce|reduce_scatter\w*|broadcast\w*|gather\w*|scatter\w*|all_to_all\w*)$/
