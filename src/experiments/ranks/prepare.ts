/**
 * One, two or four ranks share the rows of one product, and pairs of ranks exchange a number. What
 * rank 0 has at the end is checked.
 */
import { exactly, checkProduct, positionsOf } from '../../lab/check-product'
import type { Verification } from '../../trace/report'
import { openWorld } from '../open-world'
import type { Derived, Prepare, RanksOutput } from '../run-types'
import { boundedKernelMs, fitRun, roundOf } from '../sizing'
import { expectedProduct, sizeRepeated, timesOf } from '../square-matmul'
import {
  BOTH_SEND,
  HANGING,
  hangKey,
  ITEM_DECIDES,
  MOST_RANKS,
  ONE_READS,
  ranksOf,
  SHARDED,
  waitsKey,
  type ranks,
} from './meta'
import type { ShardSpec } from './prepare-rank'

/** Rows are shared out evenly among all numbers of ranks. */
const evenly = (n: number): number => Math.max(2 * MOST_RANKS, Math.floor(n / MOST_RANKS) * MOST_RANKS)
/**
 * The product of a step, where ranks exchange a number after it, over a report of a short kernel. A
 * read costs a rank about one report: beside so short a product that is most of a step, beside a
 * long one it is hardly seen.
 */
const STEP_OF_REPORT = 0.2
/** Rows that a step's product has at least: a kernel's block of them. */
const LEAST_ROWS = 8
/** A message needs one slot of the wire and a bit of the next. */
const WORDS = 20_000
/** A hang has to last for a second before it is believed (lab/ranks/wait-for.ts). */
const HANG_MS = 1300

export const prepare: Prepare<typeof ranks> = async (context, values, services, variants) => {
  const { roundTripMs, say } = services
  say('sizing the product')
  const targetMs = boundedKernelMs(values.kernel * roundTripMs, 1)
  const sized = await sizeRepeated(context, { ...services, targetMs, round: evenly })
  const { square, oneMs, times, productMs } = sized
  const { n } = square
  square.release()
  const { steps } = values
  const step = stepOf(n, oneMs, STEP_OF_REPORT * roundTripMs)
  const windowMs = (variant: string): number =>
    HANGING.includes(variant)
      ? HANG_MS
      : SHARDED.includes(variant)
        ? 1.5 * productMs + 2 * roundTripMs
        : steps * (2 * step.ms + roundTripMs)
  const { repeats } = fitRun(values, roundOf(variants, windowMs), steps)
  say('starting the ranks')
  const size = Math.max(...variants.map(ranksOf))
  const world = await openWorld(context, { size, hasDevice: true }, services)
  const derived: Derived = {
    matrixSize: n,
    productsAdded: times,
    calibratedProductMs: productMs,
    stepProductMs: step.ms,
    roundTripMs,
    steps,
    sharesMemory: globalThis.crossOriginIsolated ? 1 : 0,
    ranksStarted: world.ok ? size : 0,
  }
  if (!world.ok) return { derived: { ...derived, noRanks: world.error }, repeats, variants: [] }
  const { value: ranks } = world

  const specOf = (variant: string, rank: number): ShardSpec => {
    if (SHARDED.includes(variant)) {
      const rows = n / ranksOf(variant)
      return { n, firstRow: rank * rows, rows, times, extra: {} }
    }
    const numbers = Array.from({ length: steps }, (_, at) => at + rank)
    const extra = {
      [BOTH_SEND]: { words: WORDS },
      // One loss of rank 1 is not finite, and its rank is the only one to know.
      [ITEM_DECIDES]: { losses: numbers.map((loss, at) => (rank === 1 && at === 1 ? Infinity : loss)) },
    }[variant] ?? { numbers, reads: variant === ONE_READS && rank === 1 }
    return { n, firstRow: rank * step.rows, rows: step.rows, times: step.times, extra }
  }
  const found: Record<string, string> = {}
  const verify = (variant: string, { outputs, hang }: RanksOutput): Verification => {
    if (HANGING.includes(variant)) {
      if (hang) {
        found[hangKey(variant)] = hang.message
        found[waitsKey(variant)] = hang.edges
          .map(({ from, to, operation }) => `${String(from)} ${operation} ${String(to)}`)
          .join(', ')
      }
      return one(hang !== null, 'hangs that were found')
    }
    if (SHARDED.includes(variant)) return ofProduct(outputs[0], n, times, ranksOf(variant))
    const sums = outputs.every(
      (own) => Array.isArray(own) && own.length === steps && own.every((sum, step) => sum === 2 * step + 1),
    )
    return one(sums, 'sums over both ranks')
  }
  return {
    derived: { ...derived, rankClockBoundUs: ranks.clockBoundNs / 1e3 },
    repeats,
    variants: variants.map((name) => ({
      name,
      input: {},
      ranks: {
        world: ranks,
        size: ranksOf(name),
        specOf: (rank) => specOf(name, rank),
        mayHang: HANGING.includes(name),
      },
      check: (output) => Promise.resolve(verify(name, output as RanksOutput)), // a variant on ranks has such an output
    })),
    found: () => found,
  }
}

/**
 * The product of a step, of about `targetMs`: a quarter of the rows as often as it takes, or fewer
 * rows once. `oneMs`: of the whole.
 */
function stepOf(n: number, oneMs: number, targetMs: number) {
  const rows = Math.min(n / MOST_RANKS, Math.max(LEAST_ROWS, Math.round((targetMs / oneMs) * n)))
  const rowsMs = (oneMs * rows) / n
  const times = timesOf(targetMs / rowsMs)
  return { rows, times, ms: rowsMs * times }
}

const one = (isRight: boolean, what: string): Verification => exactly(1, isRight ? 0 : 1, what)

const SAMPLES = 64
const SEED_SAMPLES = 83

/** Checks what rank 0 has gathered against a float64 reference. A missing entry counts as wrong. */
export function ofProduct(output: unknown, n: number, times: number, size: number): Verification {
  const parts = Array.isArray(output) ? (output as readonly unknown[]) : []
  const expected = expectedProduct(n, times)
  const positions = positionsOf(expected, SAMPLES, SEED_SAMPLES)
  const rows = n / size
  const got = positions.map(([row, column]) => {
    const part = parts[Math.floor(row / rows)]
    return part instanceof Float32Array && part.length === rows * n
      ? (part[(row % rows) * n + column] ?? Number.NaN)
      : Number.NaN
  })
  return checkProduct(
    expected,
    positions,
    got,
    'entries of the gathered product, against a float64 reference',
  )
}
