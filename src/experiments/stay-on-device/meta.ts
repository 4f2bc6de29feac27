/**
 * What does a round trip cost? A chain of layers whose results stay on the device, cross to the
 * host and back, or leave one number behind.
 */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment, remedy } from '../declare/experiment'
import { only, type View } from '../declare/metric'
import { choice, number } from '../declare/params'
import {
  derivedOf,
  freeRatio,
  MATMUL,
  medianSpan,
  ofWindows,
  ratioTo,
  steps,
  windowOver,
  worked,
} from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'

/** Every result stays on the device. */
const RESIDENT = 'resident'
/** The results stay; the mean of each comes to the host. */
export const SCALAR_BACK = 'scalar-back'
/** Every result goes to the host and back. */
export const ROUND_TRIPS = 'round-trips'

const goes = only(SCALAR_BACK, ROUND_TRIPS)
const trips = only(ROUND_TRIPS)

type WithSteps = View<{ readonly steps: number; readonly keep: string; readonly when: string }>
const matrixBytes = derivedOf('matrixBytes')
/** Round trips have an input and a result on the device, however many layers there are. */
const heldMatrices = (view: WithSteps): number =>
  view.values.keep === 'all' && view.variant !== ROUND_TRIPS ? steps(view) + 1 : 2
const crossing = (view: WithSteps): number => {
  if (view.variant === ROUND_TRIPS) return 2 * steps(view) * matrixBytes(view)
  return view.variant === RESIDENT ? 0 : 4 * (view.values.when === 'end' ? 1 : steps(view))
}

export const stayOnDevice = defineExperiment({
  id: 'stay-on-device',
  title: 'Staying on the device',
  question: 'What does it cost to bring each result back?',
  params: [
    number(
      'layer',
      'Layer over round trip',
      'A layer is sized from the measured rate of this device so that computing it takes this many times as long as the report of a short kernel takes here.',
      { place: 'dial', default: 0.25, min: 0.1, max: 4, integer: false, unit: '×', scale: 'log2' },
    ),
    choice(
      'when',
      'When the number comes back',
      'In scalar-back: the mean of each layer’s result after that layer, or that of the last one.',
      { each: 'after every layer', end: 'once, at the end' },
    ),
    choice(
      'keep',
      'What stays on the device',
      'In resident and scalar-back: the newest two results, or that of every layer, as training needs them for its backward pass.',
      { two: 'the newest two results', all: 'the result of every layer' },
    ),
    { ...shared.steps, label: 'Layers', help: 'Layers of the chain in each repeat.', default: 8, max: 32 },
    shared.matrixSize,
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 4, repeats: 2 },
  sources: [...matmulSources, 'shaders/data/sum.wgsl'],
  remedies: [
    remedy(ROUND_TRIPS, 'host-waited', RESIDENT, 'nothing comes back between layers'),
    remedy(SCALAR_BACK, 'host-waited', RESIDENT, 'no number is read between layers'),
  ],
  variants: () => [RESIDENT, SCALAR_BACK, ROUND_TRIPS],
  metrics: {
    slowdown: ['Slower than staying', ratioTo(RESIDENT), goes],
    'step-ms': ['Time of a layer', windowOver(steps)],
    'device-busy-ratio': ['Device busy', busyRatio()],
    'write-ms': ['Host inside writeBuffer()', medianSpan({ role: 'write' }), trips],
    'stall-ms': ['Host waited for what comes back', medianSpan({ role: 'wait-map' }), goes],
    'read-ms': ['Host copying it out', medianSpan({ role: 'read' }), goes],
    // Both wait for each layer; what only one of them does is carry a matrix down and up.
    'bytes-ratio': [
      'Share of the extra time that goes with the bytes',
      ofWindows([SCALAR_BACK, RESIDENT], (own, [scalar = Number.NaN, resident = Number.NaN]) =>
        own > resident ? (own - scalar) / (own - resident) : Number.NaN,
      ),
      {
        variants: (variant, { when }) => variant === ROUND_TRIPS && when === 'each',
        note: 'below 0 where the kernel of the mean takes longer than the bytes',
      },
    ],
    'kernel-ms': ['Computing a layer, on the device', medianSpan(MATMUL)],
    'host-free-ratio': ['Host neither encoding nor submitting', freeRatio()],
    'carried-bytes': [
      'Bytes between host and device, in a chain',
      worked('count', crossing, 'by the sizes that the program asks for'),
    ],
    buffers: ['Results that the device holds at once', worked('count', heldMatrices, 'a buffer each')],
    'held-bytes': [
      'Device memory for the results of layers',
      worked(
        'count',
        (view: WithSteps) => heldMatrices(view) * matrixBytes(view),
        'by the sizes of the buffers: a page cannot ask how much memory the device has left',
      ),
    ],
  },
})
