/**
 * Names of the variants: 'gpipe-8' runs gpipe.js with the batch cut into eight micro-batches. And
 * what the model says of them. Pure.
 */
import { byId } from '../../base/lists'

export const GPIPE = 'gpipe'
export const ONE_F_ONE_B = '1f1b'
export const SCHEDULES = [GPIPE, ONE_F_ONE_B] as const
export type Schedule = (typeof SCHEDULES)[number]

export const LEAST_RANKS = 2
export const MOST_RANKS = 8
export const MICRO_BATCHES = ['1', '2', '4', '8', '16', '32'] as const
/** Four for each of the most micro-batches: the CPU's matmul takes four rows at a time. */
export const ROWS = 128

export const SPLITS = { even: 'all alike', uneven: 'the first longer, the last shorter' } as const
export type Split = keyof typeof SPLITS
const LAYERS = 4

/** Layers of each rank. Their sum is the same, however they are shared out. */
export const layersOf = (split: Split, ranks: number): readonly number[] =>
  Array.from({ length: ranks }, (_, rank) =>
    split === 'even' ? LAYERS : rank === 0 ? 1.5 * LAYERS : rank === ranks - 1 ? 0.5 * LAYERS : LAYERS,
  )

/** A micro-batch through the stage of a rank. */
export interface Pass {
  readonly isBack: boolean
  readonly index: number
}

/**
 * Idle share of all ranks by the model. With even stages it is (p − 1)/(m + p − 1), whatever the
 * schedule.
 */
export function bubbleOf(schedule: Schedule, layers: readonly number[], microBatches: number): number {
  const last = layers.length - 1
  const orders = layers.map((_, rank) =>
    orderOf(schedule === GPIPE ? microBatches : Math.min(microBatches, last - rank), microBatches),
  )
  const busy = (1 + BACK) * microBatches * layers.reduce((sum, own) => sum + own, 0)
  return 1 - busy / (layers.length * (lengthOfOrders(layers, orders) ?? Number.NaN))
}

/**
 * Backward takes as long as this many forward: the gradient of the input, and that of the weights.
 */
const BACK = 2

/**
 * The time at which the last rank has ended, by the model, where each does its passes in this
 * order: messages cost nothing, a stage takes as long forward as it has layers, and backward twice
 * that. Null: a pass waits for one that never comes.
 */
function lengthOfOrders(layers: readonly number[], orders: readonly (readonly Pass[])[]): number | null {
  const last = layers.length - 1
  const done = layers.map(() => 0)
  const now = layers.map(() => 0)
  /** The end of each pass, by pass, rank and micro-batch. */
  const ended = new Map<string, number>()
  const keyOf = (isBack: boolean, rank: number, index: number) =>
    `${isBack ? 'back' : 'forward'} ${String(rank)} ${String(index)}`
  for (let left = orders.flat().length; left > 0;) {
    const before = left
    for (const [rank, order] of orders.entries()) {
      const next = order[done[rank] ?? 0]
      if (!next) continue
      const { isBack, index } = next
      const isFirst = isBack ? rank === last : rank === 0
      const arrives = isFirst ? 0 : ended.get(keyOf(isBack, rank + (isBack ? 1 : -1), index))
      if (arrives === undefined) continue
      done[rank] = (done[rank] ?? 0) + 1
      left -= 1
      const end = Math.max(now[rank] ?? 0, arrives) + (isBack ? BACK : 1) * (layers[rank] ?? 0)
      now[rank] = end
      ended.set(keyOf(isBack, rank, index), end)
    }
    if (left === before) return null
  }
  return Math.max(...now)
}

/**
 * Slots that a step with even stages takes in these orders; one is a micro-batch in a stage,
 * forward and back. Null: a pass waits for one that never comes.
 */
export function slotsOf(orders: readonly (readonly Pass[])[]): number | null {
  const length = lengthOfOrders(
    orders.map(() => 1),
    orders,
  )
  return length === null ? null : length / (1 + BACK)
}

/** A rank's passes, if so many go forward before the first comes back. */
function orderOf(ahead: number, microBatches: number): readonly Pass[] {
  const order: Pass[] = []
  for (let turn = 0; turn < microBatches + ahead; turn += 1) {
    if (turn < microBatches) order.push({ isBack: false, index: turn })
    if (turn >= ahead) order.push({ isBack: true, index: turn - ahead })
  }
  return order
}

export const variantOf = (schedule: Schedule, microBatches: number | string): string =>
  `${schedule}-${String(microBatches)}`

/** '8 micro-batches' */
export const counted = (count: number): string => `${String(count)} micro-batch${count === 1 ? '' : 'es'}`

export const ALL = SCHEDULES.flatMap((schedule) =>
  MICRO_BATCHES.map(Number).map((microBatches) => ({
    id: variantOf(schedule, microBatches),
    program: schedule,
    words: `${schedule === GPIPE ? 'GPipe' : '1F1B'} with ${counted(microBatches)}`,
    schedule,
    microBatches,
  })),
)
export const scheduledOf = byId(ALL)

/**
 * `derived` holds here how many micro-batches a rank kept at most; in older runs by rank: '4 3 2
 * 1'.
 */
export const keptKey = (variant: string): string => `kept ${variant}`
