/** How command-queue's metrics are read off a run: long stretches of the device's clock, so that its steps weigh little. Pure. */
import { deviceMissing, deviceStep, NOT_RECORDED, whyNotCredible } from '../declare/device-samplers'
import type { RepeatSampler, View } from '../declare/metric'
import { lengthOf, steps, sumOfSpans } from '../declare/samplers'
import { VariantSpans } from '../evidence'

/** Names of the variants: how the kernels of a step are launched. */

export const ONE_PASS = 'one-pass'
const PASSES = 'passes'
const COMMAND_BUFFERS = 'command-buffers'
export const SUBMITS = 'submits'
export const LAUNCHES = [ONE_PASS, PASSES, COMMAND_BUFFERS, SUBMITS] as const

type Has = Readonly<Record<'steps' | 'kernels', number>>
type LaunchView = View<Has>

const derivedOf = ({ evidence }: Pick<LaunchView, 'evidence'>, name: string): number =>
  Number(evidence.derived[name])
/** Kernels in a window. */
const kernelsOf = (view: LaunchView): number => steps(view) * view.values.kernels

/** From the first begin to the last end of a repeat's passes, device ns; null where they were not timed, or not credibly. */
function extentNs(view: LaunchView, repeat: number, variant = view.variant): number | null {
  const own = variant === view.variant
  const spans = own ? view.spans : new VariantSpans(view.evidence, variant)
  const window = view.windowOf(variant, repeat)
  if (!window || whyNotCredible({ ...view, spans }, window) !== null) return null
  const passes = spans.find(repeat, { kind: 'compute' })
  const { start, end } = view.evidence.placed.trace.spans
  if (passes.length === 0) return null
  return (
    Math.max(...passes.map((span) => end[span] ?? Number.NaN)) -
    Math.min(...passes.map((span) => start[span] ?? Number.NaN))
  )
}

/** A kernel and what lies before the next: the device's time from first to last over the kernels. */
export const kernelAndGap: RepeatSampler<Has> = {
  quantity: 'time',
  origin: 'device-clock',
  sample: (view, { repeat }) => {
    const ns = extentNs(view, repeat)
    return ns === null ? null : ns / kernelsOf(view)
  },
  systematic: (view) => deviceStep(view) / kernelsOf(view),
  missing: deviceMissing('no pass was timed'),
}

/** How many times as long as one pass, first begin to last end, by the device's clock. */
export const onDevice: RepeatSampler<Has> = {
  quantity: 'ratio',
  origin: 'device-clock',
  isFactor: true,
  sample: (view, { repeat }) => {
    const [own, one] = [extentNs(view, repeat), extentNs(view, repeat, ONE_PASS)]
    return own === null || one === null || one <= 0 ? null : own / one
  },
  systematic: (view) =>
    largest(view, ({ repeat }) => {
      const [own, one] = [extentNs(view, repeat), extentNs(view, repeat, ONE_PASS)]
      if (own === null || one === null || one <= deviceStep(view)) return 0
      return (deviceStep(view) * (1 + own / one)) / (one - deviceStep(view))
    }),
  missing: deviceMissing('no pass was timed'),
}

/** A window of one pass that is shorter than so many round trips tells nothing by the host's clock: the interval would be as wide as the figure. */
export const LEAST_ROUND_TRIPS = 2.5

const largest = (view: LaunchView, of: (window: { readonly repeat: number }) => number): number =>
  Math.max(0, ...view.windows.map(of))

/**
 * The same by the host's clock. Each window ends when its completion is reported, up to a round trip late: what that may move is in the
 * interval.
 */
export const onHost: RepeatSampler<Has> = {
  quantity: 'ratio',
  isFactor: true,
  sample: (view, window) => {
    const one = view.windowOf(ONE_PASS, window.repeat)
    if (!one || lengthOf(one) < LEAST_ROUND_TRIPS * 1e6 * derivedOf(view, 'roundTripMs')) return null
    return lengthOf(window) / lengthOf(one)
  },
  systematic: (view) => {
    const lagNs = 1e6 * derivedOf(view, 'roundTripMs')
    return largest(view, ({ repeat }) => {
      const [own, one] = [view.windowOf(view.variant, repeat), view.windowOf(ONE_PASS, repeat)]
      if (!own || !one || lengthOf(one) < LEAST_ROUND_TRIPS * lagNs) return 0
      return ((lengthOf(own) / lengthOf(one)) * lagNs) / (lengthOf(one) - lagNs)
    })
  },
  missing: () => 'completion is reported too seldom here to time so little work by the host’s clock',
}

/** What the host itself does for a kernel: encoding, and submit(). */
export const hostPerKernel: RepeatSampler<Has> = {
  ...sumOfSpans<Has>({ role: 'encode' }, kernelsOf),
  sample: (view, window) => {
    const encode = sumOfSpans<Has>({ role: 'encode' }, kernelsOf).sample(view, window)
    const submit = sumOfSpans<Has>({ role: 'submit' }, kernelsOf).sample(view, window)
    return encode === null || submit === null ? null : encode + submit
  },
}

/** How often the host hands over a kernel: from its first submit() to its last, over those between. */
export const handover: RepeatSampler<Has> = {
  quantity: 'time',
  sample: ({ evidence, spans }, { repeat }) => {
    const starts = spans
      .find(repeat, { role: 'submit' })
      .map((span) => evidence.placed.trace.spans.start[span] ?? Number.NaN)
    return starts.length > 1 ? (Math.max(...starts) - Math.min(...starts)) / (starts.length - 1) : null
  },
  systematic: (view) => view.evidence.hostStepNs / kernelsOf(view),
  missing: () => NOT_RECORDED,
}
