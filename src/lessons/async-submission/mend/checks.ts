/**
 * Rates that agree with what the GPU did, for each of three shapes in every run. A benchmark may
 * take its time: the run's limit is its bound.
 */
import { grouped } from '../../../base/figures'
import { median } from '../../../base/stats'
import { percent } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'
import { checksOf, no, rulesFor, times, yes, type Ask } from '../../../exercises/rules'
import { atLines, passSpansOf, submissionsOf } from '../../../exercises/trace-of-run'
import type { Evidence, ProgramReport, RunOf } from '../../../exercises/types'
import { placeTrace } from '../../../trace/place'
import type { Trace } from '../../../trace/schema'

/** C (m × n) += A (m × k) · B (k × n). */
type Shape = Readonly<Record<'m' | 'n' | 'k', number>>
export const flopsOf = ({ m, n, k }: Shape): number => 2 * m * n * k
/** Its passes have this name too. */
export const nameOf = ({ m, n, k }: Shape): string =>
  `${String(m)} × ${String(k)} · ${String(k)} × ${String(n)}`

/**
 * Three lengths, in matrices of `size` × `size`: a latency that is taken off all of them is wrong
 * for two.
 */
export const shapesOf = (size: number): readonly Shape[] => [
  { m: size, n: size, k: size },
  { m: size / 2, n: size, k: size },
  { m: size, n: (3 * size) / 4, k: size },
]

/**
 * The lab finds this after a run: the size of the shapes, and how many products of each were
 * encoded.
 */
export type Benchmark = { size: number; products: readonly number[] }

const { runsOf, everyRun } = rulesFor<Benchmark>('benchmark')

/**
 * Share of the lab's own rate. One awaited product is off by more: a product ends well before its
 * completion is reported (prepare.ts).
 */
const ALLOWED = 0.25
/** Passes shorter than so many steps of the device's clock say too little. */
const LEAST_STEPS = 10

/** A rate in GFLOP/s, and between what it lies. */
interface Rate {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly by: string
}

/**
 * Null: there is no device clock, or none that can be fitted to the host's, so it cannot be
 * believed.
 */
function deviceStepNs({ trace }: ProgramReport): number | null {
  if (!trace) return null
  const at = placeTrace(trace).fits.findIndex((fit) => fit !== null)
  return trace.clocks[at]?.stepNs ?? null
}

/**
 * The device's clock gives a rate for all passes of this shape together, the median and the
 * fastest. Null if none was timed.
 */
function deviceRate(trace: Trace, run: RunOf<Benchmark>, shape: Shape, stepNs: number): Rate | null {
  const passes = passSpansOf(trace, run, nameOf(shape))
  const sum = (of: (pass: (typeof passes)[number]) => number) =>
    passes.reduce((all, pass) => all + of(pass), 0)
  const ns = sum((pass) => pass.ns)
  if (!(ns > LEAST_STEPS * stepNs)) return null
  const value = sum(({ flops }) => flops) / ns // FLOP/ns is GFLOP/s
  const rates = passes.map((pass) => pass.flops / pass.ns)
  const [low, high] = [Math.min(value, median(rates)), Math.max(value, ...rates)]
  return { value, low, high, by: 'the GPU’s clock shows' }
}

const isRate = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity
const ratesIn = ({ output }: RunOf<Benchmark>): readonly unknown[] => (Array.isArray(output) ? output : [])

/** The lab's own program measured this rate; null if it did not. */
function referenceRate(reference: ProgramReport | null, index: number): Rate | null {
  const rates = runsOf(reference).flatMap((run) => ratesIn(run)[index]).filter(isRate) // oxfmt-ignore
  if (rates.length === 0) return null
  const [low, high] = [Math.min(...rates), Math.max(...rates)]
  return { value: median(rates), low, high, by: 'the lab measured' }
}

/** The distance from the nearer of its bounds, as a share of that bound. */
const errorOf = (reported: number, { low, high }: Rate): number =>
  reported > high ? reported / high - 1 : Math.max(0, 1 - reported / low)

const gflops = (value: number): string => `${grouped(value, 3)} GFLOP/s`

function offBy(reported: number, value: number): string {
  const factor = reported / value
  if (factor >= 2) return `${grouped(factor, 2)} times too high`
  if (factor <= 0.5) return `${grouped(1 / factor, 2)} times too low`
  return `${percent(Math.abs(factor - 1))} too ${factor > 1 ? 'high' : 'low'}`
}

/**
 * Judges the furthest of a program's rates. The first that is off by too much is put into words.
 */
function judgeRates(
  report: ProgramReport,
  reference: Evidence['reference'],
  isAllowed: (error: number, isHigh: boolean) => boolean,
): { readonly wrong: string | null; readonly furthest: number } {
  const [{ trace }, stepNs] = [report, deviceStepNs(report)]
  let furthest = 0
  for (const run of runsOf(report)) {
    const rates = ratesIn(run)
    const shapes = shapesOf(run.found.size)
    if (rates.length !== shapes.length)
      return {
        wrong: 'Your program must return a list of three rates, one for each shape.',
        furthest: Number.NaN,
      }
    for (const [index, shape] of shapes.entries()) {
      const reported = rates[index]
      const wrong = `For ${nameOf(shape)} your program`
      const timed = trace && stepNs !== null ? deviceRate(trace, run, shape, stepNs) : null
      const rate = timed ?? referenceRate(reference, index)
      if (!isRate(reported)) return { wrong: `${wrong} returned no rate in GFLOP/s.`, furthest: Number.NaN }
      if (!rate) continue
      const error = errorOf(reported, rate)
      furthest = Math.max(furthest, error)
      if (!isAllowed(error, reported > rate.high))
        return {
          wrong: `${wrong} reports ${gflops(reported)}; ${rate.by} ${gflops(rate.value)}. That is ${offBy(reported, rate.value)}.`,
          furthest,
        }
    }
  }
  return { wrong: null, furthest }
}

const output: Ask = ({ yours, reference }) => {
  const { wrong, furthest } = judgeRates(yours, reference, (error) => error <= ALLOWED)
  const runs = runsOf(yours)
  if (wrong === null)
    return yes(
      `All rates, in ${String(runs.length)} runs, are right within ${percent(ALLOWED)}; the furthest is off by ${percent(furthest)}.`,
    )
  const { trace } = yours
  const at = trace ? atLines(runs.flatMap((run) => submissionsOf(trace, run))) : ''
  return no(at === '' ? wrong : `${wrong} Your program submits its matmuls${at}.`)
}

/** A benchmark runs a shape more than once; its time is the bound. */
const work = everyRun(
  ({ repeat, found: { size, products } }) => {
    const missing = shapesOf(size)[products.findIndex((count) => count < 1)]
    return missing
      ? `The GPU did not compute ${nameOf(missing)} in run ${String(repeat + 1)}: a rate must be measured.`
      : null
  },
  (runs) => {
    const counts = runs.flatMap(({ found }) => found.products)
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    const often = least === most ? times(most) : `${grouped(least)} to ${times(most)}`
    return `In every run the GPU computed each shape, ${often}.`
  },
)

export const rules: ExerciseRules = {
  figure: {
    words: 'off: the worst of the rates, against the GPU’s own',
    unit: 'ratio',
    run: 'benchmark',
    of: (report) => {
      const { furthest } = judgeRates(report, null, () => true)
      return Number.isFinite(furthest) ? furthest : null
    },
  },
  checks: checksOf({ output, work }),
}

const notTooHigh: Ask = ({ yours, reference }) => {
  const { wrong } = judgeRates(yours, reference, (error, isHigh) => !isHigh || error <= ALLOWED)
  return wrong === null
    ? yes(`None of the rates is more than ${percent(ALLOWED)} above the lab’s own.`)
    : no(wrong)
}

/** Rates that the GPU can reach. They may be too low: the report of the end is in them. */
export const firstRung: ExerciseRules = {
  ...rules,
  checks: checksOf({ output: notTooHigh, work }),
}
