/** What does a launch cost? The same small kernels in one pass, in passes, in command buffers, in submits of their own. */
import { defineExperiment } from '../declare/experiment'
import { only } from '../declare/metric'
import { choice, number } from '../declare/params'
import { largestOf, medianSpan, steps, windowOver } from '../declare/samplers'
import { shared } from '../shared-params'
import {
  handover,
  hostPerKernel,
  kernelAndGap,
  onDevice,
  onHost,
  LAUNCHES,
  ONE_PASS,
  SUBMITS,
} from './samplers'

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
