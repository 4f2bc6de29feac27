/** What does `.item()` or `print(tensor)` cost? The same steps, reading a result back every step, every k-th, or never. */
import { busyRatio, betweenPasses } from '../declare/device-samplers'
import { defineExperiment } from '../declare/experiment'
import type { Facts } from '../declare/facts'
import { NOT_NEGATIVE, SHARE } from '../declare/metric'
import { freeRatio, MATMUL, medianSpan, ratioTo, steps, windowOver } from '../declare/samplers'
import { kernelParam, matmulSources, matrixSizeParam, repeatsParam, secondsParam } from '../shared-params'
import { curveFigure, curvePoints, flatPart, torchCurve } from './curve'
import { syncStallsRules } from './rules'
import { curveMs, readInterval } from './variants'

const CURVE_MS = ['0.1', '0.2', '0.35', '0.5', '0.75', '1', '1.4', '1.9', '2.6', '3.8', '5.6', '8.6'] as const
const READ_WORDS = {
  item: 'Four bytes',
  matrix: 'The whole matrix',
  shape: 'The shape',
  branch: 'Four bytes that decide what is submitted next',
} as const

const oftenWords = (variant: string): string =>
  readInterval(variant) === 1 ? 'after every step' : `after every ${String(readInterval(variant))}th step`

/** Variants that read and were measured, the most frequent first; points of the curve have other kernels. */
const readers = ({ metrics }: Facts): readonly string[] =>
  metrics
    .filter(({ name, variant, value }) => name === 'step-ms' && variant !== 'never' && value !== null)
    .map(({ variant }) => variant)
    .toSorted((a, b) => readInterval(a) - readInterval(b))

const onCurve = (variant: string): boolean => curveMs(variant) !== null
const reads = (variant: string, { read }: { readonly read: string }): boolean =>
  variant !== 'never' && read !== 'shape'

export const syncStalls = defineExperiment({
  id: 'sync-stalls',
  title: 'Host–device sync stalls',
  question: 'What does .item() or print(tensor) cost?',
  params: [
    {
      type: 'choice',
      name: 'read',
      label: 'What the host reads',
      help: 'A scalar, the whole matrix, only the shape (which the host already has), or a value that decides what to submit next.',
      place: 'dial',
      default: 'item',
      options: [
        { value: 'item', label: '4 bytes, as .item()' },
        { value: 'matrix', label: 'the whole matrix, as print(tensor)' },
        { value: 'shape', label: 'the shape only' },
        { value: 'branch', label: 'a data-dependent if' },
      ],
    },
    {
      type: 'number',
      name: 'kernelMs',
      label: 'Time of one matmul',
      help: 'The matrix is sized from the measured rate of this device so that one matmul takes about this long.',
      place: 'dial',
      default: 0.3,
      min: 0.1,
      max: 20,
      integer: false,
      unit: 'ms',
      scale: 'log2',
    },
    {
      type: 'list',
      name: 'every',
      label: 'How often',
      help: 'Each is a variant, run interleaved with the others.',
      place: 'more',
      default: ['never', 'every-4', 'every-step'],
      options: [
        { value: 'never', label: 'never' },
        { value: 'every-64', label: 'every 64th step' },
        { value: 'every-16', label: 'every 16th step' },
        { value: 'every-4', label: 'every 4th step' },
        { value: 'every-step', label: 'every step' },
      ],
    },
    {
      type: 'list',
      name: 'curve',
      label: 'Curve over kernel length',
      help: 'For each length a variant of its own that reads after every step: how long the host waits, and the device idles, after a kernel of that length.',
      place: 'more',
      mayBeEmpty: true,
      default: [],
      options: CURVE_MS.map((value) => ({ value, label: `${value} ms` })),
    },
    {
      type: 'number',
      name: 'steps',
      label: 'Steps',
      help: 'Matmuls in each repeat, each in a submission of its own.',
      place: 'more',
      default: 32,
      min: 2,
      max: 512,
      integer: true,
      unit: '',
      scale: 'log2',
    },
    kernelParam,
    matrixSizeParam,
    repeatsParam,
    secondsParam,
  ],
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { steps: 6, repeats: 2, kernelMs: 1, every: ['never', 'every-step'] },
    },
    { id: 'long-kernels', label: 'Long kernels', values: { kernelMs: 8, steps: 16 } },
    { id: 'shape', label: 'Only the shape', values: { read: 'shape' } },
    { id: 'curve', label: 'Wait over kernel length', values: { curve: CURVE_MS, steps: 12, seconds: 10 } },
  ],
  requires: [],
  sources: matmulSources,
  remedies: ['every-step', 'every-4', 'every-16', 'every-64'].map((variant) => ({
    variant,
    cause: 'host-waited',
    by: 'never',
    change: 'nothing is read back until all steps have been submitted',
    values: { every: ['never', variant] },
  })),
  variants: ({ every, curve }) => [...every, ...curve.map((ms) => `every-step@${ms}`)],
  program: (variant, { read }) => {
    if (variant === 'never') return 'never'
    if (onCurve(variant)) return 'read'
    return read === 'shape' || read === 'branch' ? read : 'read'
  },
  names: (facts, { read }) => {
    const [often = null, seldom = null] = readers(facts)
    return {
      often,
      seldom,
      oftenWords: often && oftenWords(often),
      seldomWords: seldom && oftenWords(seldom),
      readWords: READ_WORDS[read],
      ...flatPart(curvePoints(facts.metrics)),
    }
  },
  metrics: [
    {
      name: 'device-busy-ratio',
      label: 'Device busy',
      unit: 'ratio',
      origin: 'device-clock',
      range: SHARE,
      sample: busyRatio(),
    },
    {
      name: 'step-ms',
      label: 'Time of a step',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: (variant) => !onCurve(variant),
      sample: windowOver(steps),
    },
    {
      name: 'slowdown',
      label: 'Slower than never reading',
      unit: 'ratio',
      isFactor: true,
      origin: 'host-clock',
      variants: (variant) => variant !== 'never' && !onCurve(variant),
      sample: ratioTo('never'),
    },
    {
      name: 'stall-ms',
      label: 'Host waited for a readback',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: (variant, values) => onCurve(variant) || reads(variant, values),
      sample: medianSpan({ role: 'wait-map' }),
    },
    {
      name: 'idle-per-stall-ms',
      label: 'Device idle for a readback',
      unit: 'ms',
      origin: 'device-clock',
      variants: (variant, values) => onCurve(variant) || reads(variant, values),
      sample: betweenPasses(MATMUL, (step, { variant }) => (step + 1) % readInterval(variant) === 0),
    },
    {
      name: 'host-free-ratio',
      label: 'Host neither encoding nor submitting',
      unit: 'ratio',
      origin: 'host-clock',
      range: SHARE,
      variants: (variant) => !onCurve(variant),
      sample: freeRatio(),
    },
    {
      name: 'kernel-ms',
      label: 'Kernel of a step on the device',
      unit: 'ms',
      origin: 'device-clock',
      range: NOT_NEGATIVE,
      sample: medianSpan(MATMUL),
    },
  ],
  rules: syncStallsRules,
  figures: (metrics) => curveFigure(metrics),
  references: [torchCurve],
})
