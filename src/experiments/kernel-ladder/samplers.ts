/**
 * Reads kernel-ladder's metrics off a run: by the device's clock, or by the host's if there are no
 * timestamps. Pure.
 */
import type { Metric } from '../../trace/report'
import { deviceMissing, deviceStep, whyNotCredible } from '../declare/device-samplers'
import { ofRepeats, SHARE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { derivedOf, lengthOf, MATMUL, medianSpan, steps, sumOfSpans, windowOver } from '../declare/samplers'
import { sum, variantsOf, type SpanQuery } from '../evidence'
import { quotient, rate } from '../../text/interval-arithmetic'
import type { Window } from '../run-types'
import { fastestOf, isRung, rungOf } from './variants'

/** The values that samplers look at. */
interface Has {
  readonly steps: number
}
export type LadderView = View<Has>
type Of<T> = (view: LadderView) => T

const perPass: Of<number> = ({ evidence, variant }) =>
  Number(evidence.derived[`dispatchesPerPass ${variant}`] ?? 1)
/** Matmuls in a window: a resident step may hold several. */
export const matmulsOf: Of<number> = (view) => steps(view) * (isRung(view.variant) ? perPass(view) : 1)
const isBlind: Of<boolean> = ({ evidence }) => evidence.deviceStepNs === null

/** Its repeats by the clock at hand: `device` where there are timestamps, else `host`, with a note. */
function byClock(device: RepeatSampler<Has>, note: string, host = device): DerivedSampler<Has> {
  return {
    quantity: device.quantity,
    derive: (view, named) => {
      return isBlind(view) ? ofRepeats(host, view, named, note) : ofRepeats(device, view, named)
    },
  }
}

/** A span; or a window over its parts, whose wait for completion cannot be taken off, so that the interval holds it. */
const timed = (query: SpanQuery, partsOfSpan: Of<number>, partsOfWindow: Of<number>): DerivedSampler<Has> =>
  byClock(
    medianSpan(query, partsOfSpan),
    'no timestamps: host clock, the wait for completion is in the interval',
    {
      ...windowOver(partsOfWindow),
      systematic: (view) => (derivedOf('roundTripMs')(view) * 1e6) / partsOfWindow(view),
    },
  )

/** One matmul: a pass over the matmuls in it; without timestamps a window over all of its matmuls. */
export const kernelTime = timed(MATMUL, perPass, matmulsOf)

const micro = timed({ kind: 'compute' }, () => 1, derivedOf('rooflinePasses'))
/** An amount of work over the time of a micro-kernel's pass. */
export const rooflineRate = (amount: string): DerivedSampler<Has> => ({
  quantity: 'rate',
  derive: (view, named) => rate(named, derivedOf(amount)(view), micro.derive(view, { ...named, unit: 'ms' })),
})

/** All matmuls of a repeat together, ns; null where their passes were not timed. */
const matmulsNs = (view: LadderView, window: Window): number | null => {
  if (isBlind(view) || whyNotCredible(view, window) !== null) return null
  const lengths = view.spans.lengths(window.repeat, MATMUL)
  return lengths.length > 0 ? sum(lengths) : null
}

/** The rung by itself, on matrices that stay on the device. */
const alone: Of<Metric | undefined> = (view) => view.get('kernel-ms', rungOf(view.variant))

/** 1 − kernel / step: two lengths, each by its own clock; no fit between the clocks is needed. */
export const notKernelShare = byClock(
  {
    quantity: 'ratio',
    origin: 'derived',
    range: SHARE,
    sample: (view, window) => {
      const ms = isBlind(view) ? alone(view)?.value : null
      const kernelsNs = ms == null ? matmulsNs(view, window) : ms * steps(view) * 1e6
      return kernelsNs === null ? null : 1 - kernelsNs / lengthOf(window)
    },
    systematic: (view) => {
      const { low, high } = alone(view) ?? {}
      const ofOneNs = view.evidence.deviceStepNs ?? (((high ?? 0) - (low ?? 0)) / 2) * 1e6
      return (ofOneNs * steps(view)) / Math.min(...view.windows.map(lengthOf))
    },
  },
  'no timestamps: the kernel is taken as long as by itself',
)

/** The host fills staging buffers and reads C out: three spans a step. */
export const hostCopy: RepeatSampler<Has> = {
  ...sumOfSpans({ kind: 'host-work' }, steps),
  systematic: ({ evidence }) => 3 * evidence.hostStepNs,
}

/**
 * The rest of a step: bytes moving between processes and over the bus, submitting, completion not
 * reported yet.
 */
export const rest: RepeatSampler<Has> = {
  quantity: 'time',
  origin: 'derived',
  sample: (view, window) => {
    const kernel = matmulsNs(view, window)
    const copy = hostCopy.sample(view, window)
    return kernel === null || copy === null ? null : (lengthOf(window) - kernel) / steps(view) - copy
  },
  systematic: (view) => 4 * view.evidence.hostStepNs + deviceStep(view),
  missing: (view) =>
    isBlind(view)
      ? 'no timestamps: the kernel cannot be taken off'
      : deviceMissing('no pass was timed')(view),
}

const rungsOf = ({ evidence }: LadderView): readonly string[] => variantsOf(evidence).filter(isRung)
export const firstRung: Of<string> = (view) => rungsOf(view)[0] ?? ''
/** The rung with the shortest matmul; the first where none was timed. */
export const fastestRung: Of<string> = (view) =>
  fastestOf(rungsOf(view), (rung) => view.get('kernel-ms', rung)?.value) ?? firstRung(view)

/** Divides a metric of one variant by that of another. The run decides which two. */
export const speedup = (metric: string, from: Of<string>, to: Of<string>): DerivedSampler<Has> => ({
  quantity: 'ratio',
  isFactor: true,
  derive: (view, named) => quotient(named, view.get(metric, from(view)), view.get(metric, to(view))),
})
