/**
 * Does a faster kernel help? The matmul kernels of the ladder on one size, beside this device's
 * roofline, without and with transfers.
 */
import { defineExperiment } from '../declare/experiment'
import { valueIn } from '../../text/facts'
import { choice, list } from '../declare/params'
import { derivedOf, quotientOf, rateOf, windowOver, worked } from '../declare/samplers'
import { KERNELS, KERNEL_TITLES, matmulSources, shared } from '../shared-params'
import { rooflineFigure } from './charts'
import {
  fastestRung,
  firstRung,
  hostCopy,
  kernelTime,
  matmulsOf,
  rooflineRate,
  type LadderView,
} from './samplers'
import {
  ALL,
  fastestOf,
  FMA_PEAK,
  isMoved,
  isRung,
  moved,
  rungOf,
  rungsIn,
  STREAM_COPY,
  TRANSFERS_ONLY,
} from './variants'

const LADDER = KERNELS.map(({ value }) => value)

type Variants = readonly string[]
const rungs = (variants: Variants) => variants.filter(isRung)
const steps = (variants: Variants) => [
  ...rungs(variants),
  ...variants.filter(isMoved),
  ...variants.filter((variant) => variant === TRANSFERS_ONLY),
]
const wholeIfMoved = (variants: Variants) => (variants.some(isMoved) ? [''] : [])

const flops = derivedOf('flopsPerStep')
const firstMoved = (view: LadderView): string => moved(firstRung(view))
const fastestMoved = (view: LadderView): string => moved(fastestRung(view))

export const kernelLadder = defineExperiment({
  id: 'kernel-ladder',
  title: 'The kernel ladder',
  question: 'Does a faster kernel help?',
  params: [
    choice(
      'transfers',
      'What each step moves',
      'Steps that upload A and B and read C back, beside steps whose matrices stay on the device; or only the latter.',
      { 'each-step': 'A and B there, C back', none: 'nothing' },
      { place: 'dial' },
    ),
    {
      ...shared.matrixSize,
      help: 'One size for all kernels, so that they can be compared. 0 sizes it so that the slowest stays below 50 ms.',
      place: 'dial',
      max: 4096,
    },
    list(
      'rungs',
      'Kernels',
      'Rungs of the ladder. The others are compared with the first of them. Without the slow ones the matrix may be larger.',
      KERNEL_TITLES,
      { default: LADDER },
    ),
    { ...shared.steps, default: 3, min: 1, max: 32 },
    shared.repeats,
    shared.seconds,
  ],
  short: { rungs: ['naive', 'tiled', 'vectorised'], matrixSize: 64, steps: 2, repeats: 2 },
  sources: [...matmulSources, 'shaders/calibrate/fma-peak.wgsl', 'shaders/calibrate/stream-copy.wgsl'],
  all: ALL,
  variants: ({ rungs: asked, transfers }) => {
    // The ladder's order counts, not the order in which they were asked for: the others are
    // compared with the first.
    const ids = LADDER.filter((id) => asked.includes(id))
    const moving = transfers === 'none' ? [] : [TRANSFERS_ONLY, ...ids.map(moved)]
    return [FMA_PEAK, STREAM_COPY, ...ids, ...moving]
  },
  names: (facts) => {
    const msOf = (rung: string) => valueIn(facts, 'kernel-ms', rung)
    const run = rungsIn(facts.metrics)
    const timed = run.filter((rung) => msOf(rung) !== null)
    const [first = null] = run
    const fastest = fastestOf(run, msOf) ?? first
    return {
      first,
      fastest,
      faster: fastest === first ? null : fastest,
      second: timed.find((rung) => rung !== first) ?? null,
      movedFirst: first && moved(first),
      movedFastest: fastest && moved(fastest),
    }
  },
  metrics: {
    'best-step-speedup': [
      'A step with transfers: fastest kernel over first',
      quotientOf({ name: 'step-ms', variant: firstMoved }, { name: 'step-ms', variant: fastestMoved }),
      { at: wholeIfMoved, isFactor: true },
    ],
    'best-speedup': [
      'The matmul alone: fastest kernel over first',
      quotientOf({ name: 'kernel-ms', variant: firstRung }, { name: 'kernel-ms', variant: fastestRung }),
      { at: [''], isFactor: true },
    ],
    'step-speedup-limit': [
      'A step if the kernel took no time at all',
      quotientOf({ name: 'step-ms', variant: firstMoved }, { name: 'step-ms', variant: TRANSFERS_ONLY }),
      { at: wholeIfMoved, isFactor: true },
    ],
    'kernel-ms': ['One matmul on the device', kernelTime, { at: rungs }],
    gflops: ['Rate of the matmul', rateOf(flops, { name: 'kernel-ms' }), { at: rungs }],
    'peak-share': [
      'Share of the measured peak',
      quotientOf({ name: 'gflops' }, { name: 'peak-gflops', variant: FMA_PEAK }),
      { at: rungs },
    ],
    'step-ms': ['Time of a step', windowOver(matmulsOf), { at: steps }],
    'kernel-share': [
      'Share of a step that its kernel takes alone',
      quotientOf({ name: 'kernel-ms', variant: ({ variant }) => rungOf(variant) }, { name: 'step-ms' }),
      { variants: isMoved },
    ],
    'host-copy-ms': ['Host copying in a step', hostCopy, { variants: isMoved }],
    'peak-gflops': ['Measured peak of multiply-adds', rooflineRate('flopsPerPeakPass'), { at: [FMA_PEAK] }],
    'copy-gb-per-s': [
      'Measured bandwidth of device memory',
      rooflineRate('bytesPerCopyPass'),
      { at: [STREAM_COPY] },
    ],
    intensity: [
      'Work for each byte that must move',
      worked(
        'ratio',
        (view) => flops(view) / derivedOf('leastBytesPerStep')(view),
        'worked out, not timed: flops over the bytes of A and B read once, C read and written once',
      ),
      { at: [''], unit: 'flop/byte' },
    ],
  },
  figures: rooflineFigure,
})
