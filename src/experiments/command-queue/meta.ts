/** What does a launch cost? The same small kernels in one pass, in passes, in command buffers, in submits of their own. */
import { defineExperiment } from '../declare/experiment'
import { only, type RepeatSampler, type View } from '../declare/metric'
import { choice, number } from '../declare/params'
import {
  derivedOf,
  largestOf,
  medianSpan,
  steps,
  windowOver,
  lengthOf,
  sumOfSpans,
} from '../declare/samplers'
import { shared } from '../shared-params'
import { deviceMissing, deviceStep, whyNotCredible } from '../declare/device-samplers'
import { VariantSpans } from '../evidence'

/** Ways to launch the kernels of a step. */
const ONE_PASS = 'one-pass'
const SUBMITS = 'submits'
export const LAUNCHES = [ONE_PASS, 'passes', 'command-buffers', SUBMITS] as const

type Has = Readonly<Record<'steps' | 'kernels', number>>
type LaunchView = View<Has>

const lagNsOf = (view: LaunchView): number => 1e6 * derivedOf('roundTripMs')(view)
/** Kernels in a window. */
const kernelsOf = (view: LaunchView): number => steps(view) * view.values.kernels

/** A long stretch of the device's clock, so that its steps weigh little: from the first begin to the last end of a repeat's passes, device ns; null where they were not timed, or not credibly. */
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
const kernelAndGap: RepeatSampler<Has> = {
  quantity: 'time',
  origin: 'device-clock',
  sample: (view, { repeat }) => {
    const ns = extentNs(view, repeat)
    return ns === null ? null : ns / kernelsOf(view)
  },
  systematic: (view) => deviceStep(view) / kernelsOf(view),
  missing: deviceMissing('no pass was timed'),
}

/** Device time over that of one pass, from the first begin to the last end. */
const onDevice: RepeatSampler<Has> = {
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
 * The same by the host's clock. Each window ends when its completion is reported, up to a round
 * trip late: the interval holds what that may move.
 */
const onHost: RepeatSampler<Has> = {
  quantity: 'ratio',
  isFactor: true,
  sample: (view, window) => {
    const one = view.windowOf(ONE_PASS, window.repeat)
    if (!one || lengthOf(one) < LEAST_ROUND_TRIPS * lagNsOf(view)) return null
    return lengthOf(window) / lengthOf(one)
  },
  systematic: (view) => {
    const lagNs = lagNsOf(view)
    return largest(view, ({ repeat }) => {
      const [own, one] = [view.windowOf(view.variant, repeat), view.windowOf(ONE_PASS, repeat)]
      if (!own || !one || lengthOf(one) < LEAST_ROUND_TRIPS * lagNs) return 0
      return ((lengthOf(own) / lengthOf(one)) * lagNs) / (lengthOf(one) - lagNs)
    })
  },
  missing: () => 'completion is reported too seldom here to time so little work by the host’s clock',
}

/** The host's own time for a kernel: encoding, and submit(). */
const [encoding, submitting] = [
  sumOfSpans<Has>({ role: 'encode' }, kernelsOf),
  sumOfSpans<Has>({ role: 'submit' }, kernelsOf),
]
const hostPerKernel: RepeatSampler<Has> = {
  ...encoding,
  sample: (view, window) => {
    const [encode, submit] = [encoding.sample(view, window), submitting.sample(view, window)]
    return encode === null || submit === null ? null : encode + submit
  },
}

/** The host's time between two kernels: from its first submit() to its last, over those between. */
const handover: RepeatSampler<Has> = {
  quantity: 'time',
  sample: ({ evidence, spans }, { repeat }) => {
    const starts = spans
      .find(repeat, { role: 'submit' })
      .map((span) => evidence.placed.trace.spans.start[span] ?? Number.NaN)
    return starts.length > 1 ? (Math.max(...starts) - Math.min(...starts)) / (starts.length - 1) : null
  },
  systematic: (view) => view.evidence.hostStepNs / kernelsOf(view),
}

const others = (variant: string): boolean => variant !== ONE_PASS

export const commandQueue = defineExperiment({
  id: 'command-queue',
  title: 'The command queue',
  question: 'What does it cost to launch a kernel?',
  params: [
    number(
      'kernelUs',
      'Time of one kernel',
      'The matrix is sized from the measured rate of this device so that one matmul takes about this long; not every device can run kernels this short.',
      { place: 'dial', default: 5, min: 1, max: 1000, unit: 'µs', scale: 'log2' },
    ),
    choice(
      'chain',
      'What a kernel needs',
      'Each kernel adds to the matrix that the one before it wrote. Or eight matrices take turns, so that the device may run several kernels at once.',
      { dependent: 'the result of the one before', independent: 'no result of the seven before' },
      { place: 'dial' },
    ),
    choice(
      'stamps',
      'Timestamps',
      'Writing one takes the device some time. Two for each command buffer, two for each pass, or none: then only the host’s clock is left.',
      { outer: 'on each command buffer', passes: 'on each pass', none: 'none' },
      { place: 'dial' },
    ),
    number('kernels', 'Kernels of a step', 'How many small kernels make up a step.', {
      default: 64,
      min: 2,
      max: 256,
      scale: 'log2',
    }),
    {
      ...shared.steps,
      help: 'Steps in each repeat. More are run where this device’s clock is coarse, or without timestamps.',
      default: 4,
      max: 128,
    },
    shared.repeats,
    shared.seconds,
  ],
  short: { kernels: 16, repeats: 2 },
  sources: ['shaders/matmul/naive.wgsl'],
  variants: () => LAUNCHES,
  metrics: {
    'device-slowdown': ['Longer than one pass, on the device', onDevice, { variants: others }],
    slowdown: ['Longer than one pass, by the host’s clock', onHost, { variants: others }],
    'kernel-us': ['A kernel and the gap after it', kernelAndGap],
    'step-ms': ['Time of a step', windowOver(steps)],
    'host-us': ['Host encoding and submitting a kernel', hostPerKernel],
    'handover-us': ['Host, from one submit() to the next', handover, only(SUBMITS)],
    'submit-us': ['Inside one submit()', medianSpan({ role: 'submit' })],
    'queue-depth-max': ['Deepest queue', largestOf('queue depth')],
  },
})
