/** How kernel-ladder's metrics are read off a run: by the device's clock, or by the host's where there are no timestamps. Pure. */
import { summarise } from '../../analysis/metrics'
import { deviceMissing, NOT_RECORDED, whyNotCredible } from '../declare/device-samplers'
import { NOT_NEGATIVE, SHARE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { MATMUL, medianSpan, steps, sumOfSpans, windowOver } from '../declare/samplers'
import { sum, variantsOf } from '../evidence'
import { quotient, rate } from '../interval-arithmetic'
import type { Window } from '../run-types'
import { isRung, rungOf } from './variants'

/** The values that samplers look at. */
interface Has {
  readonly steps: number
}
export type LadderView = View<Has>
type Of<T> = (view: LadderView) => T

export const derivedOf = ({ evidence }: Pick<LadderView, 'evidence'>, name: string): number =>
  Number(evidence.derived[name])
const perPass: Of<number> = ({ evidence, variant }) =>
  Number(evidence.derived[`dispatchesPerPass ${variant}`] ?? 1)
/** Matmuls in a window: a resident step may hold several. */
export const matmulsOf: Of<number> = (view) => steps(view) * (isRung(view.variant) ? perPass(view) : 1)
const isBlind: Of<boolean> = ({ evidence }) => evidence.deviceStepNs === null

/** A window over its parts, host clock; the wait for its completion cannot be taken off, so the interval holds it. */
const wholeWindow = (parts: Of<number>): RepeatSampler<Has> => ({
  ...windowOver(parts),
  systematic: (view) => (derivedOf(view, 'roundTripMs') * 1e6) / parts(view),
})

/** `device` where there are timestamps, else `host` with a note. */
function byClock(device: RepeatSampler<Has>, host: RepeatSampler<Has>, note: string): DerivedSampler<Has> {
  const isTime = device.quantity === 'time'
  const scale = isTime ? 1e6 : 1
  return {
    kind: 'derived',
    quantity: device.quantity,
    derive: (view, named) => {
      const sampler = isBlind(view) ? host : device
      const samples = view.windows
        .map((window) => sampler.sample(view, window))
        .filter((value) => value !== null)
        .map((value) => value / scale)
      const missing = samples.length === 0 ? (sampler.missing?.(view) ?? NOT_RECORDED) : undefined
      const why = missing ?? (isBlind(view) ? note : undefined)
      return summarise({
        ...named,
        origin: sampler.origin,
        samples,
        range: isTime ? NOT_NEGATIVE : SHARE,
        systematic: (sampler.systematic?.(view) ?? 0) / scale,
        ...(why === undefined ? {} : { note: why }),
      })
    },
  }
}

const HOST_TIMED = 'no timestamps: host clock, the wait for completion is in the interval'

/** One matmul, ms: a pass over the matmuls in it; without timestamps a window over all of its matmuls. */
export const kernelTime = byClock(medianSpan(MATMUL, perPass), wholeWindow(matmulsOf), HOST_TIMED)

/** An amount of work over the time of a micro-kernel's pass. */
export const rooflineRate = (amount: string): DerivedSampler<Has> => {
  const parts: Of<number> = (view) => derivedOf(view, 'rooflinePasses')
  const pass = byClock(medianSpan({ kind: 'compute' }), wholeWindow(parts), HOST_TIMED)
  return {
    kind: 'derived',
    quantity: 'rate',
    derive: (view, named) =>
      rate(named, derivedOf(view, amount), pass.derive(view, { ...named, unit: 'ms' })),
  }
}

/** All matmuls of a repeat together, ns; null where their passes were not timed. */
const matmulsNs = (view: LadderView, window: Window): number | null => {
  if (isBlind(view) || whyNotCredible(view, window) !== null) return null
  const lengths = view.spans.lengths(window.repeat, MATMUL)
  return lengths.length > 0 ? sum(lengths) : null
}

/** 1 − kernel / step: two lengths, each by its own clock; no fit between the clocks is needed. `halfNs`: how far the kernel's may be off. */
const notKernel = (
  totalNs: (view: LadderView, window: Window) => number | null,
  halfNs: Of<number>,
): RepeatSampler<Has> => ({
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'derived',
  sample: (view, window) => {
    const total = totalNs(view, window)
    return total === null ? null : 1 - total / (window.endNs - window.startNs)
  },
  systematic: (view) => halfNs(view) / Math.min(...view.windows.map(({ startNs, endNs }) => endNs - startNs)),
})

export const notKernelShare = byClock(
  notKernel(matmulsNs, (view) => (view.evidence.deviceStepNs ?? 0) * steps(view)),
  notKernel(
    (view) => {
      const ms = view.get('kernel-ms', rungOf(view.variant))?.value
      return ms == null ? null : ms * steps(view) * 1e6
    },
    (view) => {
      const { low, high } = view.get('kernel-ms', rungOf(view.variant)) ?? {}
      return (((high ?? 0) - (low ?? 0)) / 2) * steps(view) * 1e6
    },
  ),
  'no timestamps: the kernel is taken as long as by itself',
)

/** The host filling staging buffers and reading C out, a step of it: three spans. */
export const hostCopy: RepeatSampler<Has> = {
  ...sumOfSpans({ kind: 'host-work' }, steps),
  systematic: ({ evidence }) => 3 * evidence.hostStepNs,
}

/** What is left of a step: bytes moving between processes and over the bus, submitting, completion not reported yet. */
export const rest: RepeatSampler<Has> = {
  kind: 'repeats',
  quantity: 'time',
  origin: 'derived',
  sample: (view, window) => {
    const kernel = matmulsNs(view, window)
    const copy = hostCopy.sample(view, window)
    return kernel === null || copy === null
      ? null
      : (window.endNs - window.startNs - kernel) / steps(view) - copy
  },
  systematic: ({ evidence }) => 4 * evidence.hostStepNs + (evidence.deviceStepNs ?? 0),
  missing: (view) =>
    isBlind(view) ? 'no timestamps: the kernel cannot be taken off' : deviceMissing(NOT_RECORDED)(view),
}

const rungsOf = ({ evidence }: LadderView): readonly string[] => variantsOf(evidence).filter(isRung)
export const firstRung: Of<string> = (view) => rungsOf(view)[0] ?? ''
/** The rung with the shortest matmul; the first where none was timed. */
export const fastestRung: Of<string> = (view) =>
  fastestOf(rungsOf(view), (rung) => view.get('kernel-ms', rung)?.value ?? null) ?? firstRung(view)

export const fastestOf = (
  rungs: readonly string[],
  msOf: (rung: string) => number | null,
): string | undefined =>
  rungs
    .filter((rung) => msOf(rung) !== null)
    .toSorted((one, other) => (msOf(one) ?? Infinity) - (msOf(other) ?? Infinity))[0]

/** A metric of one variant over that of another, which depend on the run. */
export const ratioOf = (metric: string, above: Of<string>, below: Of<string>): DerivedSampler<Has> => ({
  kind: 'derived',
  quantity: 'ratio',
  origin: 'derived',
  derive: (view, named) => quotient(named, view.get(metric, above(view)), view.get(metric, below(view))),
})
