/**
 * Tells by the names that PyTorch, NCCL's kernels and Gloo give what an operation of a process
 * group makes ranks wait for.
 */

/** Every rank's result needs every rank's data (a barrier: nothing else): no rank can leave before all have come. */
const SYNCHRONISING = new Set([
  'allreduce',
  'allgather',
  'reducescatter',
  'alltoall',
  'alltoallv',
  'barrier',
  'allbarrier',
])

/** Words that name the way of calling, not what is done: '_allgather_base', 'all_gather_into_tensor_coalesced'. */
const FORM = /^_|_base$|_into_tensor|_tensor|_coalesced|_oop$|_sparse|_single/g

/** '_reduce_scatter_base' -> 'reducescatter': one word for one operation, however it was called. */
export function plainOperation(operation: string): string {
  let plain = plainNames.get(operation)
  if (plain === undefined) {
    plain = operation.toLowerCase().replaceAll(FORM, '').replaceAll('_', '')
    plainNames.set(operation, plain)
  }
  return plain
}
/** A profile has a handful of names, and asks a million times. */
const plainNames = new Map<string, string>()

/**
 * A broadcast, a scatter, a gather and a reduce have a root: the others, or it, may leave early. A point-to-point message concerns two.
 */
export const isSynchronising = (operation: string): boolean => SYNCHRONISING.has(plainOperation(operation))

export type Direction = 'send' | 'recv'
/** Null: no point-to-point message. */
export const directionOf = (operation: string): Direction | null => {
  const plain = plainOperation(operation)
  return plain === 'send' || plain === 'isend'
    ? 'send'
    : plain === 'recv' || plain === 'irecv'
      ? 'recv'
      : null
}

/** Many in one call, or a kernel that does not say what it does: no pair can be determined. */
export const isUnclear = (operation: string): boolean =>
  ['', 'sendrecv', 'unknown', 'coalesced', 'pointtopoint'].includes(plainOperation(operation))
