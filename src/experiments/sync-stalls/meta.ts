/** What does `.item()` or `print(tensor)` cost? The same steps, reading a result back every step, every k-th, or never. */
import { busyRatio, betweenPasses } from '../declare/device-samplers'
import { defineExperiment } from '../declare/experiment'
import type { Facts } from '../../text/facts'
import type { View } from '../declare/metric'
import { choice, list } from '../declare/params'
import { freeRatio, MATMUL, medianSpan, ratioTo, steps, windowOver } from '../declare/samplers'
import {
  kernelMsParam,
  kernelParam,
  matmulSources,
  matrixSizeParam,
  repeatsParam,
  secondsParam,
  stepsParam,
} from '../shared-params'
import { blankCurve, curveFigure, curvePoints, flatPart, fromShare, torchCurve } from './curve'
import { curveMs, readInterval } from './variants'

const CURVE_MS = ['0.05', '0.1', '0.2', '0.5', '0.75', '1', '1.4', '1.9', '2.6', '3.8', '5.6', '8.6'] as const
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

const offCurve = (variant: string): boolean => curveMs(variant) === null
const reads = (variant: string, { read }: { readonly read: string }): boolean =>
  !offCurve(variant) || (variant !== 'never' && read !== 'shape')
const isRead = (step: number, { variant }: View<unknown>): boolean => (step + 1) % readInterval(variant) === 0

export const syncStalls = defineExperiment({
  id: 'sync-stalls',
  title: 'Host–device sync stalls',
  question: 'What does .item() or print(tensor) cost?',
  params: [
    choice(
      'read',
      'What the host reads',
      'A scalar, the whole matrix, only the shape (which the host already has), or a value that decides what to submit next.',
      {
        item: '4 bytes, as .item()',
        matrix: 'the whole matrix, as .cpu()',
        shape: 'the shape only',
        branch: 'a data-dependent if',
      },
      { place: 'dial' },
    ),
    { ...kernelMsParam, default: 0.05, min: 0.01 },
    list(
      'every',
      'How often',
      'Each is a variant, and takes turns with the others.',
      {
        never: 'never',
        'every-64': 'every 64th step',
        'every-16': 'every 16th step',
        'every-4': 'every 4th step',
        'every-step': 'every step',
      },
      { default: ['never', 'every-4', 'every-step'] },
    ),
    list(
      'curve',
      'Curve over kernel length',
      'One more variant for each length, which reads after every step. It shows how long the host waits, and the device idles, after a kernel of that length.',
      CURVE_MS,
      { default: [], unit: 'ms' },
    ),
    stepsParam,
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
    if (!offCurve(variant)) return 'read'
    return read === 'shape' || read === 'branch' ? read : 'read'
  },
  inWords: (variant) => {
    const ms = curveMs(variant)
    if (ms !== null) return `kernels of ${String(ms)}\u2009ms`
    return variant === 'never' ? null : `reading ${oftenWords(variant)}`
  },
  names: (facts, { read }) => {
    const [often = null, seldom = null] = readers(facts)
    const points = curvePoints(facts.metrics)
    return {
      often,
      seldom,
      oftenWords: often && oftenWords(often),
      seldomWords: seldom && oftenWords(seldom),
      readWords: READ_WORDS[read],
      half: fromShare(points, facts.metrics, 1 / 2),
      most: fromShare(points, facts.metrics, 9 / 10),
      ...flatPart(points),
    }
  },
  metrics: {
    'device-busy-ratio': ['Device busy', busyRatio()],
    'step-ms': ['Time of a step', windowOver(steps), { variants: offCurve }],
    slowdown: [
      'Slower than never reading',
      ratioTo('never'),
      { variants: (variant) => variant !== 'never' && offCurve(variant) },
    ],
    'stall-ms': ['Host waited for a readback', medianSpan({ role: 'wait-map' }), { variants: reads }],
    'read-ms': ['Host copying out what it read', medianSpan({ role: 'read' }), { variants: reads }],
    'idle-per-stall-ms': ['Device idle for a readback', betweenPasses(MATMUL, isRead), { variants: reads }],
    'host-free-ratio': ['Host neither encoding nor submitting', freeRatio(), { variants: offCurve }],
    'kernel-ms': ['Kernel of a step on the device', medianSpan(MATMUL)],
  },
  figures: (metrics) => curveFigure(metrics),
  blanks: ({ curve }) => blankCurve(curve),
  references: [torchCurve],
})
