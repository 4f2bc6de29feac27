/**
 * `randn(n).to("cuda")` or `randn(n, device="cuda")`? A tensor of random integers, made on the host
 * and sent, or made on the device.
 */
import { defineExperiment, remedy } from '../declare/experiment'
import { only } from '../declare/metric'
import { choice, list, number } from '../declare/params'
import {
  bytesOf,
  derivedOf,
  MATMUL,
  medianSpan,
  ratioTo,
  steps,
  sumOfSpans,
  windowOver,
  worked,
} from '../declare/samplers'
import { shared } from '../shared-params'

/** The device makes the numbers. */
const ON_DEVICE = 'on-device'
/** The host makes them, or has them, and sends them. */
export const UPLOAD = 'upload'
/** Does what on-device does, and the host asks each tensor for its shape. */
export const SHAPE = 'shape'
/** Does what on-device does, and the host asks each tensor for its first value. */
export const DATA = 'data'

const sends = only(UPLOAD)
const makes = { variants: (variant: string) => variant !== UPLOAD }

export const tensorResidence = defineExperiment({
  id: 'tensor-residence',
  title: 'Where a tensor is made',
  question: 'What does it cost to make a tensor on the host and send it?',
  params: [
    number(
      'tensorMiB',
      'Size of a tensor',
      'MiB of random integers, four bytes each. Less where this device would take too long for all of them.',
      { place: 'dial', default: 8, min: 1 / 16, max: 32, integer: false, unit: 'MiB', scale: 'log2' },
    ),
    choice(
      'source',
      'Where upload takes its numbers from',
      'Made on the host for each step, or made before the measurement, so that only sending is left.',
      { made: 'made for each step', 'at-hand': 'at hand before the run' },
    ),
    list(
      'ask',
      'What the host asks each tensor for',
      'For each a variant of its own, in which the device makes the tensors and the host asks for it.',
      { [SHAPE]: 'its shape', [DATA]: 'its first value' },
      { default: [] },
    ),
    {
      ...shared.steps,
      label: 'Tensors',
      help: 'Tensors in each repeat, each used once.',
      default: 32,
      max: 128,
    },
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 4, repeats: 2, tensorMiB: 1 },
  sources: ['shaders/data/random.wgsl', 'shaders/lib/pcg.wgsl'],
  remedies: [
    remedy(UPLOAD, 'host-late', ON_DEVICE, 'the host neither makes nor sends the numbers'),
    remedy(DATA, 'host-waited', SHAPE, 'the host asks for what it knows', { ask: [SHAPE, DATA] }),
  ],
  variants: ({ ask }) => [ON_DEVICE, UPLOAD, ...ask],
  metrics: {
    slowdown: ['Slower than on the device', ratioTo(ON_DEVICE), { variants: (name) => name !== ON_DEVICE }],
    'step-ms': ['Time of a tensor', windowOver(steps)],
    'generate-ms': [
      'Host making the numbers',
      medianSpan({ role: 'compute' }),
      { variants: (name, { source }) => name === UPLOAD && source === 'made' },
    ],
    'write-ms': ['Host inside writeBuffer()', medianSpan({ role: 'write' }), sends],
    'kernel-ms': ['Device making the numbers', medianSpan(MATMUL), makes],
    'end-wait-ms': ['Host waited at the end, for each tensor', sumOfSpans({ role: 'wait-done' }, steps)],
    'uploaded-bytes': ['Bytes that the host sent, for each tensor', bytesOf([{ role: 'write' }], steps)],
    'tensor-bytes': [
      'Bytes of a tensor',
      worked('count', derivedOf('tensorBytes'), 'four for each integer'),
      { at: [''] },
    ],
  },
})
