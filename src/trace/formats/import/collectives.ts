/**
 * Which events are collectives, and what the file says of each. torch.profiler writes `Collective
 * name`, sizes and the process group into the arguments of a kernel that a `record_param_comms`
 * operator launched; the operator itself, joined by `External id`, may say more (its position in
 * the group). Files from before that name the kernel only. Gloo works on the host: its ranges are
 * named 'gloo:all_reduce'.
 */
import { addTo } from '../../../base/lists'
import type { NewCollective } from '../../builder'
import { KERNEL, OPERATOR, OTHER, USER_RANGE } from '../../vendors'
import type { Correlations } from './correlations'
import type { CollectiveArguments, EventFile } from './event-file'
import { KEY } from './kept-arguments'

/**
 * Names of collectives: of kernels, of Gloo's ranges, and of the operator that says more of one.
 */

/**
 * 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)', 'ncclKernel_…',
 * 'ncclAllReduceRingLLKernel_sum_f32(…)'; of RCCL too, and of vLLM's own all-reduce.
 */
const KERNEL_NAME = /^(?:void )?(?:nccl\w*Kernel|\w*::cross_device_reduce_)/i
const GLOO_NAME = /^gloo:(\w+)/
const PARAMETERS = 'record_param_comms'

/** Whether its `External id` is asked for, if it says nothing of a collective itself. */
export const mayBeCollective = (name: string): boolean =>
  name === PARAMETERS || KERNEL_NAME.test(name) || GLOO_NAME.test(name)

/**
 * In a kernel's name -> as PyTorch names the operation. Longer names first: 'AllReduce' holds
 * 'Reduce'.
 */
const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/AllReduce|cross_device_reduce/i, 'allreduce'],
  [/AllGather/i, 'allgather'],
  [/ReduceScatter/i, 'reduce_scatter'],
  [/AllToAll/i, 'all_to_all'],
  [/Broadcast/i, 'broadcast'],
  [/Reduce/i, 'reduce'],
  // Also what gather, scatter and all-to-all are made of: the kernel does not say which.
  [/SendRecv/i, 'sendrecv'],
]

/** Bytes of an element, by the names of c10::ScalarType. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  Bool: 1,
  Byte: 1,
  Char: 1,
  Float8_e4m3fn: 1,
  Float8_e5m2: 1,
  Short: 2,
  Half: 2,
  BFloat16: 2,
  Int: 4,
  Float: 4,
  Long: 8,
  Double: 8,
  ComplexFloat: 8,
  ComplexDouble: 16,
}

type ReadCollective = Omit<NewCollective, 'span'>

/**
 * The larger of what goes in and what comes out, as NCCL's tests count a message; undefined where
 * the file does not say.
 */
export function messageBytes({ dtype, elementsIn, elementsOut }: ReadCollective): number | undefined {
  const elementBytes = dtype === undefined ? undefined : ELEMENT_BYTES[dtype]
  const elements = Math.max(elementsIn ?? 0, elementsOut ?? 0)
  return elementBytes === undefined || elements === 0 ? undefined : elements * elementBytes
}

/** Readers of a file's collectives. `event`: the row that a row is a copy of, or itself. */
export function collectiveReader(file: EventFile, joins: Correlations) {
  const { events, texts, pidOf } = file
  const isNamed = texts.asked((name) =>
    KERNEL_NAME.test(name) ? KERNEL : GLOO_NAME.test(name) ? OTHER : null,
  )
  /** External id -> rows of its operators, one a process; made when the first collective asks. */
  let operators: ReadonlyMap<string, readonly number[]> | null = null
  const operatorOf = (collective: number, externalId: string): number | undefined => {
    operators ??= operatorsOf(file)
    const process = joins.processOf(pidOf(collective))
    const rows = operators.get(externalId) ?? []
    return rows.find((row) => pidOf(row) === process) ?? rows.at(-1)
  }
  return {
    has: (row: number, event: number): boolean => {
      const { columns } = events
      const group = columns.group[row]
      if (group !== KERNEL && group !== USER_RANGE && group !== OPERATOR) return false
      const named = isNamed(columns.name[row] ?? 0)
      if (named !== null && (named === KERNEL) === (group === KERNEL)) return true
      return joins.collectives.size > 0 && joins.collectives.has(event)
    },
    /** Of a row that is one. What the event itself says comes before what its operator says. */
    read: (row: number): ReadCollective => {
      const own = file.collective(row)
      const operator = own.externalId === '' ? undefined : operatorOf(row, own.externalId)
      const more = operator === undefined ? {} : known(file.collective(operator))
      const said = { ...more, ...known(own) }
      const name = texts.text(events.columns.name[row] ?? 0)
      return { ...said, operation: said.operation ?? operationOf(name) }
    },
  }
}

function operatorsOf({ events, texts, text }: EventFile): ReadonlyMap<string, readonly number[]> {
  const { columns, length } = events
  const operators = new Map<string, number[]>()
  for (let row = 0; row < length; row += 1)
    if (columns.group[row] === OPERATOR && texts.text(columns.name[row] ?? 0) === PARAMETERS)
      addTo(operators, text(row, KEY['External id']), row)
  return operators
}

/** What is said. */
const known = (said: CollectiveArguments): Partial<CollectiveArguments> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))

function operationOf(name: string): string {
  const gloo = GLOO_NAME.exec(name)?.[1]
  if (gloo !== undefined) return gloo
  return OPERATIONS.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown'
}
