/** Does a faster kernel help? The matmul kernels of the ladder on one size, beside this device's roofline, without and with transfers. */
import { defineExperiment } from '../declare/experiment'
import { NOT_NEGATIVE, SHARE } from '../declare/metric'
import { busyRatio } from '../declare/device-samplers'
import { quotientOf, rateOf, windowOver, worked } from '../declare/samplers'
import type { Param, ValuesOf } from '../experiment'
import { KERNELS, matmulSources, matrixSizeParam, repeatsParam, secondsParam } from '../shared-params'
import { ladderFigures } from './figures'
import { ladderRules, names } from './rules'
import {
  derivedOf,
  fastestRung,
  firstRung,
  hostCopy,
  kernelTime,
  matmulsOf,
  notKernelShare,
  ratioOf,
  rest,
  rooflineRate,
  type LadderView,
} from './samplers'
import { FMA_PEAK, isMoved, isRung, moved, STREAM_COPY, TRANSFERS_ONLY } from './variants'

const params = [
  {
    type: 'choice',
    name: 'transfers',
    label: 'What each step moves',
    help: 'Uploading A and B and reading C back at every step, beside steps whose matrices stay on the device; or only the latter.',
    place: 'dial',
    default: 'each-step',
    options: [
      { value: 'each-step', label: 'A and B there, C back' },
      { value: 'none', label: 'nothing' },
    ],
  },
  {
    ...matrixSizeParam,
    help: 'The same for all kernels, or they could not be compared; 0 sizes it so that the slowest stays below 50 ms.',
    place: 'dial',
    max: 4096,
  },
  {
    type: 'list',
    name: 'rungs',
    label: 'Kernels',
    help: 'Rungs of the ladder; the first of them is what the others are compared with. Without the slow ones the matrix may be larger.',
    place: 'more',
    default: KERNELS.map(({ value }) => value),
    options: KERNELS,
  },
  {
    type: 'number',
    name: 'steps',
    label: 'Steps',
    help: 'Matmuls in each repeat, each in a submission of its own.',
    place: 'more',
    default: 3,
    min: 1,
    max: 32,
    integer: true,
    unit: '',
    scale: 'log2',
  },
  repeatsParam,
  secondsParam,
] as const satisfies readonly Param[]
export type LadderValues = ValuesOf<typeof params>

type Places = (variants: readonly string[]) => readonly string[]

/** How many times as fast. */
const FACTOR = { unit: 'ratio', origin: 'derived', isFactor: true } as const
const SHARE_OF = { unit: 'ratio', origin: 'derived' } as const
const HOST_MS = { unit: 'ms', origin: 'host-clock', range: NOT_NEGATIVE } as const
const DEVICE_RATE = { unit: 'GFLOP/s', origin: 'device-clock' } as const

const whole: Places = () => ['']
const wholeIfMoved: Places = (variants) => (variants.some(isMoved) ? [''] : [])
const rungs: Places = (variants) => variants.filter(isRung)
const movedRungs: Places = (variants) => variants.filter(isMoved)
const both: Places = (variants) => [...rungs(variants), ...movedRungs(variants)]
const afterFirst =
  (places: Places): Places =>
  (variants) =>
    places(variants).slice(1)
const only =
  (name: string): Places =>
  (variants) =>
    variants.filter((variant) => variant === name)

const flops = (view: Pick<LadderView, 'evidence'>): number => derivedOf(view, 'flopsPerStep')
const itself = ({ variant }: LadderView): string => variant
const firstMoved = (view: LadderView): string => moved(firstRung(view))
const fastestMoved = (view: LadderView): string => moved(fastestRung(view))

export const kernelLadder = defineExperiment({
  id: 'kernel-ladder',
  title: 'The kernel ladder',
  question: 'Does a faster kernel help?',
  params,
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { rungs: ['naive', 'tiled', 'vectorised'], matrixSize: 64, steps: 2, repeats: 2 },
    },
    { id: 'resident', label: 'Nothing moved', values: { transfers: 'none' } },
    { id: 'small', label: 'Small matrices', values: { matrixSize: 64 } },
  ],
  requires: [],
  sources: [...matmulSources, 'shaders/calibrate/fma-peak.wgsl', 'shaders/calibrate/stream-copy.wgsl'],
  variants: ({ rungs, transfers }) => {
    // In the ladder's order, whatever the order they were asked for in: the first is what the others are compared with.
    const ids = KERNELS.map(({ value }) => value).filter((id) => rungs.includes(id))
    return [
      FMA_PEAK,
      STREAM_COPY,
      ...ids,
      ...(transfers === 'none' ? [] : [TRANSFERS_ONLY, ...ids.map(moved)]),
    ]
  },
  program: (variant) => {
    if (variant === TRANSFERS_ONLY) return 'transfers-only'
    if (isMoved(variant)) return 'moving'
    return isRung(variant) ? 'resident' : 'roofline'
  },
  names,
  metrics: [
    {
      name: 'best-step-speedup',
      label: 'A step with transfers: fastest kernel over first',
      ...FACTOR,
      at: wholeIfMoved,
      sample: ratioOf('step-ms', firstMoved, fastestMoved),
    },
    {
      name: 'best-speedup',
      label: 'The matmul alone: fastest kernel over first',
      ...FACTOR,
      at: whole,
      sample: ratioOf('kernel-ms', firstRung, fastestRung),
    },
    {
      name: 'step-speedup-limit',
      label: 'A step if the kernel took no time at all',
      ...FACTOR,
      at: wholeIfMoved,
      sample: ratioOf('step-ms', firstMoved, () => TRANSFERS_ONLY),
    },
    {
      name: 'kernel-ms',
      label: 'One matmul on the device',
      unit: 'ms',
      origin: 'device-clock',
      at: rungs,
      sample: kernelTime,
    },
    {
      name: 'gflops',
      label: 'Rate of the matmul',
      ...DEVICE_RATE,
      at: rungs,
      sample: rateOf(flops, { name: 'kernel-ms' }),
    },
    {
      name: 'peak-share',
      label: 'Share of the measured peak',
      ...SHARE_OF,
      at: rungs,
      sample: quotientOf({ name: 'gflops' }, { name: 'peak-gflops', variant: FMA_PEAK }),
    },
    {
      name: 'speedup',
      label: 'Faster than the first kernel',
      ...FACTOR,
      at: afterFirst(rungs),
      sample: ratioOf('kernel-ms', firstRung, itself),
    },
    {
      name: 'step-ms',
      label: 'Time of a step',
      ...HOST_MS,
      at: (variants) => [...both(variants), ...only(TRANSFERS_ONLY)(variants)],
      sample: windowOver(matmulsOf),
    },
    {
      name: 'device-busy-ratio',
      label: 'Device busy',
      unit: 'ratio',
      origin: 'device-clock',
      range: SHARE,
      at: both,
      sample: busyRatio(),
    },
    {
      name: 'step-gflops',
      label: 'Rate of a step with transfers',
      unit: 'GFLOP/s',
      origin: 'host-clock',
      at: movedRungs,
      sample: rateOf(flops, { name: 'step-ms' }),
    },
    {
      name: 'step-speedup',
      label: 'A step, faster than with the first kernel',
      ...FACTOR,
      at: afterFirst(movedRungs),
      sample: ratioOf('step-ms', firstMoved, itself),
    },
    {
      name: 'not-kernel-share',
      label: 'Share of a step that is not the kernel',
      ...SHARE_OF,
      variants: isMoved,
      sample: notKernelShare,
    },
    {
      name: 'host-copy-ms',
      label: 'Host copying in a step',
      ...HOST_MS,
      variants: isMoved,
      sample: hostCopy,
    },
    {
      name: 'rest-ms',
      label: 'Rest of a step: on the way, or waiting',
      unit: 'ms',
      origin: 'derived',
      variants: isMoved,
      sample: rest,
    },
    {
      name: 'transfer-gb-per-s',
      label: 'Rate of the transfers',
      unit: 'GB/s',
      origin: 'host-clock',
      at: only(TRANSFERS_ONLY),
      sample: rateOf((view) => derivedOf(view, 'movedBytesPerStep'), { name: 'step-ms' }),
    },
    {
      name: 'peak-gflops',
      label: 'Measured peak of multiply-adds',
      ...DEVICE_RATE,
      at: [FMA_PEAK],
      sample: rooflineRate('flopsPerPeakPass'),
    },
    {
      name: 'copy-gb-per-s',
      label: 'Measured bandwidth of device memory',
      unit: 'GB/s',
      origin: 'device-clock',
      at: [STREAM_COPY],
      sample: rooflineRate('bytesPerCopyPass'),
    },
    {
      name: 'intensity',
      label: 'Work for each byte that must move',
      unit: 'flop/byte',
      origin: 'derived',
      at: whole,
      sample: worked(
        'ratio',
        (view) => flops(view) / derivedOf(view, 'leastBytesPerStep'),
        'worked out, not timed: flops over the bytes of A and B read once, C read and written once',
      ),
    },
  ],
  figures: ladderFigures,
  rules: ladderRules,
})
