/**
 * From times of chains to the results that are printed and kept. A round times a short and a long
 * chain of each library in turn; what the long one takes longer, over the products it has more, is
 * the time of one product, in which the fixed cost of starting a chain and of hearing that it is
 * done (3 ms in Chromium) is no part. Intervals are those of the median over rounds (base/stats).
 */
import { median, medianInterval } from '../src/base/stats'
import type { Comparison } from '../src/gpu/kernels/matmul/reference'
import { flopsOf, sidesOf, type GemmShape } from './matmul-shapes'
import type { Chain } from './page/bench-page'

export interface Round {
  readonly short: Chain
  readonly long: Chain
}

/** A library and what came of it for one shape. */
export interface Measured {
  readonly library: string
  readonly kernel: string
  readonly rounds: readonly Round[]
  /** Null where it did not come to that. */
  readonly check: Comparison | null
  /** Why there is no figure. */
  readonly error?: string
}

export interface Row {
  readonly library: string
  readonly kernel: string
  readonly shape: readonly [m: number, n: number, k: number]
  /**
   * 10^12 floating-point operations a second, a multiply-add counted as two; null where there is no
   * figure.
   */
  readonly tflops: number | null
  readonly low: number | null
  readonly high: number | null
  /** Rounds. */
  readonly n: number
  /** Every product was dispatched, and sampled entries of the last result agree with float64. */
  readonly verified: boolean
  /**
   * Share of the long chain's time in which the host was still submitting: near 1, the host was
   * timed and not the device.
   */
  readonly hostShare?: number | null
  /** Times of one product in each round, ms. */
  readonly samplesMs?: readonly number[]
  readonly error?: string
}

export interface Results {
  readonly adapter: string
  readonly userAgent: string
  readonly rows: readonly Row[]
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  readonly method: string
  readonly ratios: ReturnType<typeof ratiosOf>
}

export const METHOD =
  'f32, operands on the device, independent products, the newest results kept by every library alike; host clock, from the first call ' +
  'to onSubmittedWorkDone() of the library’s own device; time of one product = (long chain − short chain) / (products more), the ' +
  'median over interleaved rounds with its interval; 256 entries of each result against float64'

const MS_PER_S = 1000
const FLOPS_PER_TFLOP = 1e12

/**
 * Time of one product in each round, ms. Noise can make it negative: the median over rounds
 * decides, nothing is dropped.
 */
const productTimesMs = (rounds: readonly Round[]): readonly number[] =>
  rounds.map(({ short, long }) => (long.ms - short.ms) / (long.products - short.products))

/** Why the results cannot be believed; null where they can. */
function whyNotVerified({ rounds, check }: Measured): string | null {
  if (!check || check.checked === 0) return 'its result was not checked'
  const chains = rounds.flatMap(({ short, long }) => [short, long])
  const skipped = chains.find(({ products, dispatches }) => dispatches < products)
  if (skipped)
    return `it dispatched ${String(skipped.dispatches)} times for ${String(skipped.products)} products`
  if (check.failed > 0)
    return `${String(check.failed)} of ${String(check.checked)} sampled entries are wrong (off by ${check.maxRelativeError.toExponential(1)} of their scale, ${check.tolerance.toExponential(1)} allowed)`
  return null
}

const NOISE = 'its times are noise: a longer chain took no longer'

export function rowOf(measured: Measured, shape: GemmShape): Row {
  const { library, kernel, rounds } = measured
  const samplesMs = productTimesMs(rounds)
  const times = medianInterval(samplesMs)
  const unverified = whyNotVerified(measured)
  const error = measured.error ?? unverified ?? (times.low > 0 ? null : NOISE)
  const common = {
    library,
    kernel,
    shape: sidesOf(shape),
    n: rounds.length,
    verified: unverified === null,
    hostShare: rounds.length > 0 ? median(rounds.map(({ long }) => long.enqueueMs / long.ms)) : null,
    samplesMs,
  }
  if (error !== null) return { ...common, tflops: null, low: null, high: null, error }
  const rate = (ms: number): number => (flopsOf(shape) / FLOPS_PER_TFLOP) * (MS_PER_S / ms)
  return { ...common, tflops: rate(times.median), low: rate(times.high), high: rate(times.low) }
}

/**
 * The lab's rate over each other library's, round by round: both were measured next to one another.
 * `isBest`: the fastest of the others.
 */
export function ratiosOf(measured: readonly Measured[], shape: GemmShape) {
  const figures = measured.filter((each) => rowOf(each, shape).tflops !== null)
  const lab = figures.find(({ library }) => library === 'lab')
  if (!lab) return []
  const labTimes = productTimesMs(lab.rounds)
  const others = figures.filter((each) => each !== lab)
  const fastest = Math.max(...others.map((each) => rowOf(each, shape).tflops ?? 0))
  return others.map((other) => {
    const ratios = productTimesMs(other.rounds).map((ms, round) => ms / (labTimes[round] ?? Number.NaN))
    const { median: ratio, low, high } = medianInterval(ratios)
    const isBest = rowOf(other, shape).tflops === fastest
    return { shape: sidesOf(shape), library: other.library, ratio, low, high, isBest }
  })
}

/** A result of the lab is wrong, or there is none. */
export function labFailed(rows: readonly Row[]): boolean {
  const own = rows.filter(({ library }) => library === 'lab')
  return own.length === 0 || own.some(({ verified }) => !verified)
}
