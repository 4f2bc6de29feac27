/**
 * Reads metrics off the device's own clock, in its ticks (ns): no clock fit is needed, but for
 * `completionLag`. Pure.
 */
import { madeOnce } from '../../base/lists'
import { edgeBoundNs } from '../../trace/place'
import { deviceWindows, type DeviceWindow } from '../../analysis/device-windows'
import { median } from '../../base/stats'
import type { Trace } from '../../trace/schema'
import type { SpanQuery } from '../evidence'
import type { Window } from '../run-types'
import { SHARE, type RepeatSampler, type View } from './metric'

const NO_TIMESTAMPS =
  'this adapter offers no timestamp-query, so what the device did is not visible from a page'

/**
 * Says why the device's clock cannot be believed in a repeat, or null. Its ticks are ns, so the
 * passes of a window cannot span more time than the window; and a clock that stands still has no
 * lengths. Where no one map fits its timestamps (place.ts) no length is left: of stamps that run
 * backwards only those of passes within one step of the clock remain, which is not all of a window.
 */
export function whyNotCredible({ spans, evidence }: View<unknown>, window: Window): string | null {
  const passes = spans.find(window.repeat, { kind: 'compute' })
  if (passes.length === 0) return null
  const { fitProblems, trace } = evidence.placed
  if (trace.snapshots.length > 0 && fitProblems.some((problem) => problem !== null))
    return "the device's timestamps cannot be believed: they jump or run backwards"
  const { start, end, lane } = evidence.placed.trace.spans
  const most =
    (window.endNs - window.startNs) * 1.01 + 2 * ((evidence.deviceStepNs ?? 0) + evidence.hostStepNs)
  // Each device counts its ticks from a zero of its own.
  for (const each of new Set(passes.map((span) => lane[span]))) {
    const own = passes.filter((span) => lane[span] === each)
    const first = Math.min(...own.map((span) => start[span] ?? Number.NaN))
    const last = Math.max(...own.map((span) => end[span] ?? Number.NaN))
    // A single pass may be shorter than the clock's step.
    if (own.length > 1 && last === first) return "the device's timestamps did not advance"
    if (last - first > most) return "the device's timestamps span more time than the repeat took"
  }
  return null
}

/** Says why a device-clock metric has no samples. */
export const deviceMissing =
  (why: string) =>
  (view: View<unknown>): string => {
    if (view.evidence.deviceStepNs === null) return NO_TIMESTAMPS
    return view.windows.map((window) => whyNotCredible(view, window)).find((reason) => reason !== null) ?? why
  }
export const deviceStep = ({ evidence }: View<unknown>): number => evidence.deviceStepNs ?? 0

/**
 * Device idle from the end of a pass to the start of the next, median of a repeat's: device ticks
 * alone, no clock fit. Negative where the start of a pass is stamped early.
 */
export const betweenPasses = <Values>(query: SpanQuery): RepeatSampler<Values> => ({
  quantity: 'time',
  origin: 'device-clock',
  sample: (view, window) => {
    if (whyNotCredible(view, window) !== null) return null
    const { start, end } = view.evidence.placed.trace.spans
    const passes = view.spans.find(window.repeat, query)
    const gaps = passes.slice(1).map((span, index) => (start[span] ?? 0) - (end[passes[index] ?? 0] ?? 0))
    return gaps.length > 0 ? median(gaps) : null
  },
  systematic: deviceStep,
  missing: deviceMissing('no two passes followed each other'),
})

const windowsByTrace = new WeakMap<Trace, readonly DeviceWindow[]>()
/** Finds the windows once for a trace: each variant and repeat asks for its own. */
const windowsIn = (trace: Trace): readonly DeviceWindow[] =>
  madeOnce(windowsByTrace, trace, () => deviceWindows(trace))

/**
 * Union of a repeat's device passes over the time from its first start to its last end; device
 * clock alone.
 */
export const busyRatio = <Values>(): RepeatSampler<Values> => {
  const windowsOf = (view: View<Values>) =>
    windowsIn(view.evidence.placed.trace).filter(({ variant }) => variant === view.variant)
  return {
    quantity: 'ratio',
    origin: 'device-clock',
    range: SHARE,
    sample: (view, window) =>
      whyNotCredible(view, window) === null
        ? (windowsOf(view).find(({ repeat }) => repeat === window.repeat)?.busyRatio ?? null)
        : null,
    systematic: (view) => {
      const bounds = windowsOf(view).map(({ busyRatioBound }) => busyRatioBound)
      return bounds.length > 0 ? median(bounds) : 0
    },
    missing: deviceMissing('no pass was timed'),
  }
}

/**
 * Time from the device's end of a submission to its completion as reported to the host. It needs
 * both clocks, so it carries the fit's bound.
 */
export const completionLag = <Values>(): RepeatSampler<Values> => ({
  quantity: 'time',
  origin: 'derived',
  sample: ({ evidence: { placed }, spans }, { repeat }) => {
    const { submission } = placed.trace.spans
    const ends = new Map<number, number>()
    for (const span of spans.find(repeat, { kind: 'compute' })) {
      const end = placed.endNs[span] ?? Number.NaN
      if (!Number.isNaN(end)) ends.set(submission[span] ?? -1, end)
    }
    const lags = spans.find(repeat, { kind: 'queued' }).flatMap((span) => {
      const end = ends.get(submission[span] ?? -1)
      return end === undefined ? [] : [(placed.endNs[span] ?? 0) - end]
    })
    return lags.length > 0 ? median(lags) : null
  },
  systematic: ({ evidence: { placed }, spans, windows }) => {
    const bounds = windows
      .flatMap(({ repeat }) => spans.find(repeat, { kind: 'compute' }))
      .filter((span) => !Number.isNaN(placed.endNs[span] ?? Number.NaN))
      .map((span) => Math.max(...edgeBoundNs(placed, span, 'end')))
    return bounds.length > 0 ? median(bounds) : 0
  },
  missing: deviceMissing('no pass could be placed on the axis of the host'),
})
