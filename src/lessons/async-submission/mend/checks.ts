/** Rates that agree with what the GPU did, for each of three shapes in every run. A benchmark may take its time: the run's limit is its bound. */
import { grouped } from '../../../base/figures'
import { median } from '../../../base/stats'
import { fillValue } from '../../../kernels/data/fill'
import { referenceEntry, samplePositions, tolerance } from '../../../kernels/matmul/reference'
import { check, gradedRuns, percent } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { placeTrace } from '../../../trace/place'
import { flopsOf, nameOf, SAMPLES, type Shape } from './shapes'

/** Of the lab's own rate. One awaited product is off by more: a product ends well before its completion is reported (prepare.ts). */
const ALLOWED = 0.25

interface Benched extends Shape {
  readonly index: number
  readonly seedA: number
  readonly seedB: number
}

const listOf = (values: Readonly<Record<string, unknown>>, name: string): readonly number[] =>
  Array.from((values[name] ?? []) as ArrayLike<number>) // as prepare.ts wrote it

export function shapesIn({ facts }: ProgramRun): readonly Benched[] {
  const [ns, ks, seedsA, seedsB] = [
    listOf(facts, 'ns'),
    listOf(facts, 'ks'),
    listOf(facts, 'seedsA'),
    listOf(facts, 'seedsB'),
  ]
  return listOf(facts, 'ms').map((m, index) => ({
    index,
    m,
    n: ns[index] ?? 0,
    k: ks[index] ?? 0,
    seedA: seedsA[index] ?? 0,
    seedB: seedsB[index] ?? 0,
  }))
}

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
function deviceRate({ found }: ProgramRun, { index, ...shape }: Benched, stepNs: number): Rate | null {
  const [times, ns] = [listOf(found, 'passTimes'), listOf(found, 'passNs')]
  const passes = listOf(found, 'passShape').flatMap((of, pass) => {
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
function hostRate({ found }: ProgramRun, { index, ...shape }: Benched): Rate | null {
  const [ms, boundMs] = [listOf(found, 'slopeMs')[index], listOf(found, 'slopeBoundMs')[index]]
  if (ms === undefined || boundMs === undefined || ms <= boundMs) return null
  const rate = (each: number) => flopsOf(shape) / each / 1e6
  return { value: rate(ms), low: rate(ms + boundMs), high: rate(ms - boundMs) }
}

const gflops = (value: number): string => `${grouped(value, 3)} GFLOP/s`

function offBy(reported: number, value: number): string {
  const factor = reported / value
  if (factor >= 2) return `${grouped(factor, 2)} times too high`
  if (factor <= 0.5) return `${grouped(1 / factor, 2)} times too low`
  return `${percent(Math.abs(factor - 1))} too ${factor > 1 ? 'high' : 'low'}`
}

/** How far outside its bounds, as a share of the nearer one. */
const errorOf = (reported: number, { low, high }: Rate): number =>
  reported > high ? reported / high - 1 : reported < low ? 1 - reported / low : 0

interface Compared {
  readonly shape: Benched
  readonly reported: unknown
  /** Null where the lab cannot tell. */
  readonly rate: Rate | null
  readonly by: 'device' | 'host'
  readonly isEncoded: boolean
}

/** A run's rates beside the lab's own; null where the program returned no such list. */
function comparedIn(run: ProgramRun, stepNs: number | null): readonly Compared[] | null {
  const shapes = shapesIn(run)
  const rates = Array.isArray(run.output) ? (run.output as readonly unknown[]) : null
  if (rates?.length !== shapes.length) return null
  return shapes.map((shape) => {
    const byDevice = stepNs === null ? null : deviceRate(run, shape, stepNs)
    return {
      shape,
      reported: rates[shape.index],
      rate: byDevice ?? hostRate(run, shape),
      by: byDevice ? 'device' : 'host',
      isEncoded: listOf(run.found, 'passShape').includes(shape.index),
    }
  })
}

/** Null without a device clock, or where it cannot be believed. */
function deviceStepNs({ trace }: ProgramReport): number | null {
  if (!trace) return null
  const at = placeTrace(trace).fits.findIndex((fit) => fit !== null)
  return trace.clocks[at]?.stepNs ?? null
}

const isRate = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours)
  const stepNs = deviceStepNs(yours)
  let [count, unsure, furthest] = [0, 0, 0]
  for (const run of runs) {
    const compared = comparedIn(run, stepNs)
    if (!compared)
      return check('output', 'no', 'Your program must return a list of three rates, one for each shape.')
    for (const { shape, reported, rate, by, isEncoded } of compared) {
      if (!isRate(reported))
        return check('output', 'no', `For ${nameOf(shape)} your program returned no rate in GFLOP/s.`)
      if (!isEncoded)
        return check(
          'output',
          'no',
          `For ${nameOf(shape)} your program returned a rate, and it encoded no product of that shape in this run.`,
        )
      if (!rate) {
        unsure += 1
        continue
      }
      const { value, low, high } = rate
      if (errorOf(reported, rate) > ALLOWED)
        return check(
          'output',
          'no',
          `For ${nameOf(shape)} your program reports ${gflops(reported)}; ${by === 'device' ? 'the GPU’s clock shows' : 'the lab measured'} ${gflops(value)}. That is ${offBy(reported, value)}.`,
        )
      // The host's bounds are wide: what only some of them allow is not decided.
      const isSure = by === 'device' || (reported >= (1 - ALLOWED) * high && reported <= (1 + ALLOWED) * low)
      if (isSure) count += 1
      else unsure += 1
      furthest = Math.max(furthest, errorOf(reported, rate))
    }
  }
  if (unsure > 0)
    return check(
      'output',
      'cannot-tell',
      `${String(unsure)} of ${String(count + unsure)} rates cannot be checked: this device’s clock cannot be read, and the host’s is too coarse for it.`,
    )
  return check(
    'output',
    'yes',
    `All ${String(count)} rates, in ${String(runs.length)} runs with fresh shapes, are right within ${percent(ALLOWED)}; the furthest is off by ${percent(furthest)}.`,
  )
}

/** How far the worst rate is from the lab's own; null where one cannot be compared. */
function worstError(report: ProgramReport): number | null {
  const stepNs = deviceStepNs(report)
  const errors = gradedRuns(report).flatMap(
    (run) =>
      comparedIn(run, stepNs)?.map(({ reported, rate }) =>
        isRate(reported) && rate ? errorOf(reported, rate) : Number.NaN,
      ) ?? [Number.NaN],
  )
  const worst = Math.max(...errors)
  return Number.isFinite(worst) ? worst : null
}

/** The entries of A·B that the lab looks at, and the scale of their rounding errors. */
export function sampledEntries({ m, n, k, seedA, seedB }: Benched) {
  return samplePositions(m, n, SAMPLES, seedA).map(([row, column]) =>
    referenceEntry(
      row,
      column,
      k,
      (i, at) => fillValue(i * k + at, seedA),
      (at, j) => fillValue(at * n + j, seedB),
    ),
  )
}

/** How often A·B was added up in C; null where C is no whole number of them. */
function productsRun({ found }: ProgramRun, shape: Benched): number | null {
  const got = listOf(found, 'c').slice(shape.index * SAMPLES, (shape.index + 1) * SAMPLES)
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

/** Counted in C, where only the lab's kernel writes. More than one run of a shape is what a benchmark does; its time is the bound. */
function work(yours: ProgramReport): Check {
  let [least, most] = [Infinity, 0]
  for (const run of gradedRuns(yours))
    for (const shape of shapesIn(run)) {
      const count = productsRun(run, shape)
      if (count === null)
        return check(
          'work',
          'cannot-tell',
          `The result of ${nameOf(shape)} does not show how often the GPU computed it.`,
        )
      if (count < 1)
        return check(
          'work',
          'no',
          `The GPU did not compute ${nameOf(shape)} in run ${String(run.repeat + 1)}: a rate must be measured.`,
        )
      least = Math.min(least, count)
      most = Math.max(most, count)
    }
  const times = least === most ? String(most) : `${String(least)} to ${String(most)}`
  return check(
    'work',
    'yes',
    `In every run the GPU computed each shape, ${times} ${most === 1 ? 'time' : 'times'}.`,
  )
}

export const rules: MendRules = {
  experiment: 'async-submission',
  language: 'javascript',
  figure: {
    words: 'off: the worst of the rates, against the GPU’s own',
    unit: 'ratio',
    run: 'benchmark',
    of: worstError,
  },
  checks: ({ yours }) => [output(yours), work(yours)],
}
