/**
 * What does a launch cost? The same small kernels in one pass, in passes, in command buffers, in
 * submits of their own.
 */
import { defineExperiment } from '../declare/experiment'
import type { RepeatSampler, View } from '../declare/metric'
import { choice, number } from '../declare/params'
import {
  derivedOf,
  largestOf,
  quotientOf,
  steps,
  windowOver,
  lengthOf,
  sumOfSpans,
} from '../declare/samplers'
import { shared } from '../shared-params'
import { deviceMissing, deviceStep, whyNotCredible } from '../declare/device-samplers'

/** Ways to launch the kernels of a step. */
const ONE_PASS = 'one-pass'
export const LAUNCHES = [ONE_PASS, 'passes', 'command-buffers', 'submits'] as const

type Has = Readonly<Record<'steps' | 'kernels', number>>
type LaunchView = View<Has>

const lagNsOf = (view: LaunchView): number => 1e6 * derivedOf('roundTripMs')(view)
/** Kernels in a window. */
const kernelsOf = (view: LaunchView): number => steps(view) * view.values.kernels

/**
 * A kernel and what lies before the next: the device's time from first to last over the kernels.
 * The stretch is long, so that the steps of the device's clock weigh little.
 */
const kernelAndGap: RepeatSampler<Has> = {
  quantity: 'time',
  origin: 'device-clock',
  sample: (view, window) => {
    const passes = view.spans.find(window.repeat, { kind: 'compute' })
    if (passes.length === 0 || whyNotCredible(view, window) !== null) return null
    const { start, end } = view.evidence.placed.trace.spans
    const first = Math.min(...passes.map((span) => start[span] ?? Number.NaN))
    const last = Math.max(...passes.map((span) => end[span] ?? Number.NaN))
    return (last - first) / kernelsOf(view)
  },
  systematic: (view) => deviceStep(view) / kernelsOf(view),
  missing: deviceMissing('no pass was timed'),
}

/**
 * A window of one pass that is shorter than so many round trips tells nothing by the host's clock:
 * the interval would be as wide as the figure.
 */
export const LEAST_ROUND_TRIPS = 2.5

/**
 * A window over that of one pass, by the host's clock. Each window ends when its completion is
 * reported, up to a round trip late: the interval holds what that may move.
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
    const moved = view.windows.map((own) => {
      const one = view.windowOf(ONE_PASS, own.repeat)
      if (!one || lengthOf(one) < LEAST_ROUND_TRIPS * lagNs) return 0
      return ((lengthOf(own) / lengthOf(one)) * lagNs) / (lengthOf(one) - lagNs)
    })
    return Math.max(0, ...moved)
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
    'device-slowdown': [
      'Longer than one pass, on the device',
      quotientOf({ name: 'kernel-us' }, { name: 'kernel-us', variant: ONE_PASS }),
      { variants: others, isFactor: true },
    ],
    slowdown: ['Longer than one pass, by the host’s clock', onHost, { variants: others }],
    'kernel-us': ['A kernel and the gap after it', kernelAndGap],
    'step-ms': ['Time of a step', windowOver(steps)],
    'host-us': ['Host encoding and submitting a kernel', hostPerKernel],
    'queue-depth-max': ['Deepest queue', largestOf('queue depth')],
  },
})
