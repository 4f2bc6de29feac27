/** Reads metrics off a run: combinators over windows and spans, and over other metrics. Pure. */
import { median } from '../../base/stats'
import type { Metric } from '../../trace/report'
import type { SpanKind } from '../../trace/schema'
import { sum, type SpanQuery } from '../evidence'
import { exactly, quotient, rate } from '../../text/interval-arithmetic'
import type { Evidence, Window } from '../run-types'
import { deviceMissing, deviceStep, whyNotCredible } from './device-samplers'
import { NOT_NEGATIVE, SHARE, type DerivedSampler, type RepeatSampler, type View } from './metric'

/** ns */
export const lengthOf = ({ startNs, endNs }: Window): number => endNs - startNs

const DEVICE_ROLES: readonly string[] = ['pass', 'render-pass', 'copy']
const isOfDevice = ({ kind, role }: SpanQuery): boolean =>
  kind === 'compute' || kind === 'transfer' || (role !== undefined && DEVICE_ROLES.includes(role))

type Over<Values> = (view: View<Values>) => number
const once = (): number => 1

/** A window over `parts` (its steps, its operations), host clock: what a stopwatch would show. */
export const windowOver = <Values>(parts: Over<Values> = once): RepeatSampler<Values> => ({
  quantity: 'time',
  range: NOT_NEGATIVE,
  sample: (view, window) => lengthOf(window) / parts(view),
  systematic: (view) => view.evidence.hostStepNs / parts(view),
})

/**
 * ns: a window's two ends may be of two ranks, whose clocks are on one axis to
 * `derived.rankClockBoundUs`, each.
 */
export const rankSteps = ({ derived, hostStepNs }: Evidence): number => {
  const us = derived['rankClockBoundUs']
  return hostStepNs + (typeof us === 'number' ? 2e3 * us : 0)
}
/** A window of ranks: from the barrier, when the first rank had left it, to the last rank's end. */
export const makespan: RepeatSampler<unknown> = {
  ...windowOver<unknown>(),
  systematic: ({ evidence }) => rankSteps(evidence),
}

function ofSpans<Values>(
  query: SpanQuery,
  parts: Over<Values>,
  summary: (lengths: readonly number[]) => number,
): RepeatSampler<Values> {
  const onDevice = isOfDevice(query)
  return {
    quantity: 'time',
    origin: onDevice ? 'device-clock' : 'host-clock',
    range: NOT_NEGATIVE,
    sample: (view, window) => {
      if (onDevice && whyNotCredible(view, window) !== null) return null
      const lengths = view.spans.lengths(window.repeat, query)
      return lengths.length > 0 ? summary(lengths) / parts(view) : null
    },
    systematic: (view) => (onDevice ? deviceStep(view) : view.evidence.hostStepNs) / parts(view),
    missing: onDevice
      ? deviceMissing(query.role === 'copy' ? 'copies are not timed on this device' : 'no pass was timed')
      : () => 'this did not happen in the run',
  }
}

/** Median length of a repeat's spans, over `parts` of each. The spans' own clock times them. */
export const medianSpan = <Values>(query: SpanQuery, parts: Over<Values> = once): RepeatSampler<Values> =>
  ofSpans(query, parts, median)

/** All of a repeat's spans together, over `parts`. */
export const sumOfSpans = <Values>(query: SpanQuery, parts: Over<Values> = once): RepeatSampler<Values> =>
  ofSpans(query, parts, sum)

/** Divides a window by all of its spans together. How fast both ran in that window cancels. */
export const overSpans = <Values>(query: SpanQuery): RepeatSampler<Values> => {
  const spans = sumOfSpans<Values>(query)
  return {
    quantity: 'ratio',
    origin: 'derived',
    isFactor: true,
    sample: (view, window) => {
      const together = spans.sample(view, window)
      return together ? lengthOf(window) / together : null
    },
    ...(spans.missing ? { missing: spans.missing } : {}),
  }
}

/** One matmul: passes annotated with their work. */
export const MATMUL: SpanQuery = { kind: 'compute', withFlops: true }

/**
 * A function of this variant's window and those of others in the same repeat: pairs are measured
 * side by side, so drift cancels.
 */
export const ofWindows = <Values>(
  others: readonly string[],
  value: (own: number, others: readonly number[]) => number,
  systematic?: (view: View<Values>) => number,
): RepeatSampler<Values> => ({
  quantity: 'ratio',
  sample: ({ windowOf }, window) => {
    const lengths = others.flatMap((variant) => {
      const other = windowOf(variant, window.repeat)
      return other ? [lengthOf(other)] : []
    })
    return lengths.length === others.length ? value(lengthOf(window), lengths) : null
  },
  missing: () => `the variant '${others.join("' or '")}' was not among those run`,
  ...(systematic ? { systematic } : {}),
})

/** Window over the window of another variant in the same repeat. */
export const ratioTo = <Values>(variant: string): RepeatSampler<Values> => ({
  ...ofWindows<Values>([variant], (own, [other = Number.NaN]) => own / other),
  isFactor: true,
})

/** The other way round: how many times as fast. */
export const timesAsFast = <Values>(variant: string): RepeatSampler<Values> => ({
  ...ofWindows<Values>([variant], (own, [other = Number.NaN]) => other / own),
  isFactor: true,
})

/** Bytes that all these spans of a repeat carried, over `parts`. */
export const bytesOf = <Values>(
  queries: readonly SpanQuery[],
  parts: Over<Values>,
): RepeatSampler<Values> => ({
  quantity: 'count',
  sample: (view, { repeat }) => {
    if (!view.spans.repeats.includes(repeat)) return null
    const { bytes } = view.evidence.placed.trace.spans
    const carrying = queries.flatMap((query) => view.spans.find(repeat, query))
    return sum(carrying.map((span) => bytes[span] ?? 0)) / parts(view)
  },
})

const BUSY: readonly SpanKind[] = ['encode', 'submit', 'host-work']
/**
 * Share of a window in which the program's thread did none of these; on one thread they do not
 * overlap each other.
 */
export const freeRatio = <Values>(): RepeatSampler<Values> => ({
  quantity: 'ratio',
  range: SHARE,
  sample: ({ spans }, window) => {
    if (!spans.repeats.includes(window.repeat)) return null
    const busyNs = sum(BUSY.flatMap((kind) => spans.lengths(window.repeat, { kind, onProgramThread: true })))
    return 1 - busyNs / lengthOf(window)
  },
})

/** Largest value of a counter while the window lasted; no sample where it stayed 0. */
export const largestOf = <Values>(counterName: string): RepeatSampler<Values> => ({
  quantity: 'count',
  sample: ({ evidence }, { startNs, endNs }) => {
    const counter = evidence.placed.trace.counters.find(({ name }) => name === counterName)
    let largest = 0
    for (let index = 0; index < (counter?.length ?? 0); index += 1) {
      const time = counter?.timeNs[index] ?? 0
      if (time >= startNs && time <= endNs) largest = Math.max(largest, counter?.value[index] ?? 0)
    }
    return largest > 0 ? largest : null
  },
})

/** A metric of this variant, or of another one, which the run may decide. */
export interface MetricRef<Values = unknown> {
  readonly name: string
  readonly variant?: string | ((view: View<Values>) => string)
}
const referred = <Values>(
  view: View<Values>,
  { name, variant = view.variant }: MetricRef<Values>,
): Metric | undefined => view.get(name, typeof variant === 'function' ? variant(view) : variant)

/** One metric over another, with every quotient that their intervals allow. */
export const quotientOf = <Values>(
  above: MetricRef<Values>,
  below: MetricRef<Values>,
): DerivedSampler<Values> => ({
  quantity: 'ratio',
  derive: (view, named) => quotient(named, referred(view, above), referred(view, below)),
})

/**
 * An amount of work (flops, bytes) over a metric in ms: GFLOP/s, GB/s. The clock is the metric's
 * own.
 */
export const rateOf = <Values>(amount: Over<Values>, timeMs: MetricRef<Values>): DerivedSampler<Values> => ({
  quantity: 'rate',
  derive: (view, named) => {
    const time = referred(view, timeMs)
    return time ? rate(named, amount(view), time) : quotient(named, undefined, undefined)
  },
})

/** A metric that is not timed: it follows from sizes and has no spread. */
export const worked = <Values>(
  quantity: DerivedSampler<Values>['quantity'],
  value: Over<Values>,
  note: string,
): DerivedSampler<Values> => ({ quantity, derive: (view, named) => exactly(named, value(view), note) })

/** A fact that the run noted about itself. */
export const derivedOf =
  (name: string) =>
  ({ evidence }: Pick<View<unknown>, 'evidence'>): number =>
    Number(evidence.derived[name])

/**
 * Steps of a window as they were run: fewer than asked for where the browser reports completion
 * late.
 */
export const steps = ({ evidence, values }: View<{ readonly steps: number }>): number => {
  const run = evidence.derived['steps']
  return typeof run === 'number' ? run : values.steps
}
