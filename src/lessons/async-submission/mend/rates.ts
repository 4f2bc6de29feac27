/** The rates of a run beside those that the lab measured for the same products. */
import { grouped } from '../../../base/figures'
import { median } from '../../../base/stats'
import { ms, percent } from '../../../exercises/checks'
import { rulesFor } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import type { ProgramReport } from '../../../exercises/types'
import { placeTrace } from '../../../trace/place'
import { flopsOf, nameOf, sampledEntries, SAMPLES, type Benchmark, type Shape } from './shapes'
import { tolerance } from '../../../gpu/kernels/matmul/reference'

const { runsOf } = rulesFor<Benchmark>()

/** Of the lab's own rate. One awaited product is off by more: a product ends well before its completion is reported (prepare.ts). */
export const ALLOWED = 0.25

export interface Benched extends Shape {
  readonly index: number
  readonly seedA: number
  readonly seedB: number
}

type Run = RunOf<Benchmark>

export const shapesIn = ({ ms, ns, ks, seedsA, seedsB }: Benchmark['facts']): readonly Benched[] =>
  ms.map((m, index) => ({
    index,
    m,
    n: ns[index] ?? 0,
    k: ks[index] ?? 0,
    seedA: seedsA[index] ?? 0,
    seedB: seedsB[index] ?? 0,
  }))

/** A rate in GFLOP/s, and between what it certainly lies. */
interface Rate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * By the device's clock, of the passes that the program ran: all of them together, or the median. Not faster than the fastest: a program
 * need not time them all, and on a busy machine those that it does may be the faster ones. Null where none was timed.
 */
function deviceRate({ found }: Run, { index, ...shape }: Benched, stepNs: number): Rate | null {
  const [times, ns] = [found.passTimes, found.passNs]
  const passes = found.passShape.flatMap((of, pass) => {
    const [count = 0, length = Number.NaN] = [times[pass], ns[pass]]
    return of === index && length > 0 ? [{ flops: count * flopsOf(shape), ns: length }] : []
  })
  const [flops, sumNs] = [
    passes.reduce((sum, pass) => sum + pass.flops, 0),
    passes.reduce((sum, pass) => sum + pass.ns, 0),
  ]
  // Each length is off by up to a step of the clock, independently: such a sum is off by more than the root of their number once in a hundred.
  const boundNs = stepNs * Math.sqrt(passes.length)
  if (sumNs <= boundNs) return null
  const middle = median(passes.map((pass) => pass.flops / pass.ns))
  return {
    value: flops / sumNs, // FLOP/ns is GFLOP/s
    low: Math.min(middle, flops / (sumNs + boundNs)),
    high: Math.max(flops / (sumNs - boundNs), ...passes.map((pass) => pass.flops / pass.ns)),
  }
}

/** By the host's clock, as the lab measured it before the run. Null where it did not, or found nothing certain. */
function hostRate({ found }: Run, { index, ...shape }: Benched): Rate | null {
  const [ms, boundMs] = [found.slopeMs[index], found.slopeBoundMs[index]]
  if (ms === undefined || boundMs === undefined || ms <= boundMs) return null
  const rate = (each: number) => flopsOf(shape) / each / 1e6
  return { value: rate(ms), low: rate(ms + boundMs), high: rate(ms - boundMs) }
}

/** Which rates are wrong: those that are off, or those alone that the GPU cannot reach. */
type Side = 'both' | 'too high'

/** How far outside its bounds, as a share of the nearer one. */
const errorOf = (reported: number, { low, high }: Rate, side: Side = 'both'): number =>
  reported > high ? reported / high - 1 : reported < low && side === 'both' ? 1 - reported / low : 0

interface Compared {
  readonly shape: Benched
  readonly reported: unknown
  /** Null where the lab cannot tell. */
  readonly rate: Rate | null
  readonly by: 'device' | 'host'
  readonly isEncoded: boolean
}

/** A run's rates beside the lab's own; null where the program returned no such list. */
function comparedIn(run: Run, stepNs: number | null): readonly Compared[] | null {
  const shapes = shapesIn(run.facts)
  const rates = Array.isArray(run.output) ? (run.output as readonly unknown[]) : null
  if (rates?.length !== shapes.length) return null
  return shapes.map((shape) => {
    const byDevice = stepNs === null ? null : deviceRate(run, shape, stepNs)
    return {
      shape,
      reported: rates[shape.index],
      rate: byDevice ?? hostRate(run, shape),
      by: byDevice ? 'device' : 'host',
      isEncoded: run.found.passShape.includes(shape.index),
    }
  })
}

/** Null without a device clock, or where it cannot be believed. */
export function deviceStepNs({ trace }: ProgramReport): number | null {
  if (!trace) return null
  const at = placeTrace(trace).fits.findIndex((fit) => fit !== null)
  return trace.clocks[at]?.stepNs ?? null
}

const isRate = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity

/** How far the worst rate is from the lab's own; null where one cannot be compared. */
export function worstError(report: ProgramReport): number | null {
  const stepNs = deviceStepNs(report)
  const errors = runsOf(report).flatMap(
    (run) =>
      comparedIn(run, stepNs)?.map(({ reported, rate }) =>
        isRate(reported) && rate ? errorOf(reported, rate) : Number.NaN,
      ) ?? [Number.NaN],
  )
  const worst = Math.max(...errors)
  return Number.isFinite(worst) ? worst : null
}

const gflops = (value: number): string => `${grouped(value, 3)} GFLOP/s`

function offBy(reported: number, value: number): string {
  const factor = reported / value
  if (factor >= 2) return `${grouped(factor, 2)} times too high`
  if (factor <= 0.5) return `${grouped(1 / factor, 2)} times too low`
  return `${percent(Math.abs(factor - 1))} too ${factor > 1 ? 'high' : 'low'}`
}

type Judged = { readonly wrong: string } | { readonly isSure: boolean; readonly error: number }

function judgeRate({ shape, reported, rate, by, isEncoded }: Compared, side: Side): Judged {
  if (!isRate(reported)) return { wrong: `For ${nameOf(shape)} your program returned no rate in GFLOP/s.` }
  if (!isEncoded)
    return {
      wrong: `For ${nameOf(shape)} your program returned a rate, and it encoded no product of that shape in this run.`,
    }
  if (!rate) return { isSure: false, error: 0 }
  const { value, low, high } = rate
  const error = errorOf(reported, rate, side)
  if (error > ALLOWED)
    return {
      wrong: `For ${nameOf(shape)} your program reports ${gflops(reported)}; ${by === 'device' ? 'the GPU’s clock shows' : 'the lab measured'} ${gflops(value)}. That is ${offBy(reported, value)}.`,
    }
  // The host's bounds are wide: what only some of them allow is not decided.
  const isLow = side === 'both' && reported < (1 - ALLOWED) * high
  const isSure = by === 'device' || (!isLow && reported <= (1 + ALLOWED) * low)
  return { isSure, error }
}

/** All rates of all runs; the first that is wrong decides. */
export function judgeRates(runs: readonly Run[], stepNs: number | null, side: Side = 'both') {
  let [count, unsure, furthest] = [0, 0, 0]
  for (const run of runs) {
    const compared = comparedIn(run, stepNs)
    if (!compared) return { wrong: 'Your program must return a list of three rates, one for each shape.' }
    for (const each of compared) {
      const judged = judgeRate(each, side)
      if ('wrong' in judged) return judged
      if (judged.isSure) count += 1
      else unsure += 1
      furthest = Math.max(furthest, judged.error)
    }
  }
  return { count, unsure, furthest }
}

/** A rate that stands for a longer time than its run took, in words: nobody measured that. Null where there is none. */
export function slowerThanItsRun(run: Run): string | null {
  const [rates, runMs] = [run.output as readonly number[], (run.endNs - run.startNs) / 1e6]
  for (const shape of shapesIn(run.facts)) {
    const reported = rates[shape.index] ?? Number.NaN
    const tookMs = flopsOf(shape) / reported / 1e6
    if (!(tookMs <= runMs))
      return `For ${nameOf(shape)} your program reports ${gflops(reported)}, which is ${ms(tookMs)} for a product; the whole run took ${ms(runMs)}.`
  }
  return null
}

/** How often A·B was added up in C; null where C is no whole number of them. */
export function productsRun({ found }: RunOf<Benchmark>, shape: Benched): number | null {
  const got = found.c.slice(shape.index * SAMPLES, (shape.index + 1) * SAMPLES)
  const entries = sampledEntries(shape)
  // The entry that cancels least tells the number best.
  const clearest = entries.reduce(
    (best, { value }, at) => (Math.abs(value) > Math.abs(entries[best]?.value ?? 0) ? at : best),
    0,
  )
  const count = Math.round((got[clearest] ?? Number.NaN) / (entries[clearest]?.value ?? Number.NaN))
  const isWhole = entries.every(
    ({ value, scale }, at) =>
      Math.abs((got[at] ?? Number.NaN) - count * value) <= tolerance(shape.k, count) * scale * count,
  )
  return isWhole ? count : null
}
