/**
 * Reads kernel-ladder's metrics off a run: by the device's clock, or by the host's if there are no
 * timestamps. Pure.
 */
import { ofRepeats, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { derivedOf, MATMUL, medianSpan, steps, sumOfSpans, windowOver } from '../declare/samplers'
import { variantsOf, type SpanQuery } from '../evidence'
import { rate } from '../../text/interval-arithmetic'
import { fastestOf, isRung } from './variants'

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

/**
 * A span; or a window over its parts, whose wait for completion cannot be taken off, so that the
 * interval holds it.
 */
function timed(query: SpanQuery, partsOfSpan: Of<number>, partsOfWindow: Of<number>): DerivedSampler<Has> {
  const byDevice = medianSpan(query, partsOfSpan)
  const byHost: RepeatSampler<Has> = {
    ...windowOver(partsOfWindow),
    systematic: (view) => (derivedOf('roundTripMs')(view) * 1e6) / partsOfWindow(view),
  }
  const note = 'no timestamps: host clock, the wait for completion is in the interval'
  return {
    quantity: 'time',
    derive: (view, named) =>
      view.evidence.deviceStepNs === null
        ? ofRepeats(byHost, view, named, note)
        : ofRepeats(byDevice, view, named),
  }
}

/**
 * One matmul: a pass over the matmuls in it; without timestamps a window over all of its matmuls.
 */
export const kernelTime = timed(MATMUL, perPass, matmulsOf)

const once = (): number => 1
const micro = timed({ kind: 'compute' }, once, once)
/** An amount of work over the time of a micro-kernel's pass. */
export const rooflineRate = (amount: string): DerivedSampler<Has> => ({
  quantity: 'rate',
  derive: (view, named) => rate(named, derivedOf(amount)(view), micro.derive(view, { ...named, unit: 'ms' })),
})

/** The host fills staging buffers and reads C out: three spans a step. */
export const hostCopy: RepeatSampler<Has> = {
  ...sumOfSpans({ kind: 'host-work' }, steps),
  systematic: ({ evidence }) => 3 * evidence.hostStepNs,
}

const rungsOf = ({ evidence }: LadderView): readonly string[] => variantsOf(evidence).filter(isRung)
export const firstRung: Of<string> = (view) => rungsOf(view)[0] ?? ''
/** The rung with the shortest matmul; the first where none was timed. */
export const fastestRung: Of<string> = (view) =>
  fastestOf(rungsOf(view), (rung) => view.get('kernel-ms', rung)?.value) ?? firstRung(view)
