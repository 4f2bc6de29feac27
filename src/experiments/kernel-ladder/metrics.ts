/** What kernel-ladder reads off its trace, and what it concludes: only from intervals that are apart. Pure. */
import { findMetric, type Metric, type Verdict } from '../../trace/report'
import { deviceBusyRatio, stepMs } from '../common-metrics'
import { variantsOf } from '../evidence'
import { exactly, quotient, rate } from '../interval-arithmetic'
import type { Evidence } from '../run-types'
import { isBelow, say } from '../wording'
import { hostCopyMs, kernelMs, notKernelShare, residentStepMs, restMs, rooflineRate } from './readings'
import { FMA_PEAK, isMoved, isRung, moved, rungOf, STREAM_COPY, TRANSFERS_ONLY } from './variants'

/** Rungs that were run, in the ladder's order. */
export const rungsOf = (evidence: Evidence): readonly string[] => variantsOf(evidence).filter(isRung)

/** The rung with the shortest matmul; undefined where none was timed. */
export function fastestRung(metrics: readonly Metric[], evidence: Evidence): string | undefined {
  return rungsOf(evidence)
    .filter((rung) => findMetric(metrics, 'kernel-ms', rung)?.value != null)
    .toSorted(
      (a, b) =>
        (findMetric(metrics, 'kernel-ms', a)?.value ?? 0) - (findMetric(metrics, 'kernel-ms', b)?.value ?? 0),
    )[0]
}

export function measureKernelLadder(evidence: Evidence): readonly Metric[] {
  const { params, derived } = evidence
  const steps = Number(params['steps'])
  const flops = Number(derived['flopsPerStep'])
  const rungs = rungsOf(evidence)
  const movedRungs = variantsOf(evidence).filter(isMoved)
  const [first = ''] = rungs

  const peak = rooflineRate(evidence, FMA_PEAK, 'peak-gflops', 'GFLOP/s', Number(derived['flopsPerPeakPass']))
  const copy = rooflineRate(
    evidence,
    STREAM_COPY,
    'copy-gb-per-s',
    'GB/s',
    Number(derived['bytesPerCopyPass']),
  )
  const kernels = rungs.map((rung) => kernelMs(evidence, rung, flops, steps))
  const gflops = kernels.map((kernel) =>
    rate({ name: 'gflops', variant: kernel.variant, unit: 'GFLOP/s' }, flops, kernel),
  )
  const kernelOf = (rung: string) => findMetric(kernels, 'kernel-ms', rung)
  const residentSteps = rungs.map((rung) => residentStepMs(evidence, rung, steps))
  const movedSteps = movedRungs.map((variant) => stepMs(evidence, variant, steps))
  const alone = movedRungs.length > 0 ? stepMs(evidence, TRANSFERS_ONLY, steps) : undefined
  const firstMoved = findMetric(movedSteps, 'step-ms', moved(first))

  const fastest = fastestRung(kernels, evidence) ?? first
  const ratio = (name: string, variant = '') => ({ name, variant, unit: 'ratio' as const })
  return [
    ...(firstMoved
      ? [quotient(ratio('best-step-speedup'), firstMoved, findMetric(movedSteps, 'step-ms', moved(fastest)))]
      : []),
    quotient(ratio('best-speedup'), kernelOf(first), kernelOf(fastest)),
    ...(firstMoved ? [quotient(ratio('step-speedup-limit'), firstMoved, alone)] : []),
    ...kernels,
    ...gflops,
    ...gflops.map((each) => quotient(ratio('peak-share', each.variant), each, peak)),
    ...rungs.slice(1).map((rung) => quotient(ratio('speedup', rung), kernelOf(first), kernelOf(rung))),
    ...residentSteps,
    ...movedSteps,
    ...(alone ? [alone] : []),
    ...[...rungs, ...movedRungs].map((variant) => deviceBusyRatio(evidence, variant)),
    ...movedSteps.map((step) =>
      rate({ name: 'step-gflops', variant: step.variant, unit: 'GFLOP/s' }, flops, step),
    ),
    ...movedSteps.slice(1).map((step) => quotient(ratio('step-speedup', step.variant), firstMoved, step)),
    ...movedRungs.flatMap((variant) => [
      notKernelShare(evidence, variant, flops, kernelOf(rungOf(variant)), steps),
      hostCopyMs(evidence, variant, steps),
      restMs(evidence, variant, steps),
    ]),
    ...(alone
      ? [
          rate(
            { name: 'transfer-gb-per-s', variant: TRANSFERS_ONLY, unit: 'GB/s' },
            Number(derived['movedBytesPerStep']),
            alone,
          ),
        ]
      : []),
    peak,
    copy,
    exactly(
      { name: 'intensity', variant: '', unit: 'flop/byte' },
      flops / Number(derived['leastBytesPerStep']),
      'worked out, not timed: flops over the bytes of A and B read once, C read and written once',
    ),
  ]
}

/** A ladder that is less steep than this is no ladder; one that may be steeper than FLAT is not called flat. */
const WORTH_CLIMBING = 1.3
const FLAT = 1.5
/** More than half of a step is then not the kernel. */
const MOST = 0.5

const times = (metric: Metric | undefined): string =>
  metric?.value == null ? 'not measured' : `${String(Number(metric.value.toPrecision(3)))} times`

export function judgeKernelLadder(metrics: readonly Metric[], evidence: Evidence): Verdict {
  const rungs = rungsOf(evidence)
  const [first = ''] = rungs
  const fastest = fastestRung(metrics, evidence)
  const best = findMetric(metrics, 'best-speedup')
  if (fastest === undefined || rungs.length < 2 || best?.value == null)
    return {
      outcome: 'inconclusive',
      reason: 'nothing-to-compare',
      text: 'Nothing to compare: the run needs at least two kernels that could be timed.',
    }
  const kernelOf = (rung: string) => findMetric(metrics, 'kernel-ms', rung)
  const climb =
    fastest === first
      ? `no kernel was faster than ${first}, which took ${say(kernelOf(first))}`
      : `${fastest} took ${say(kernelOf(fastest))} for what ${first} took ${say(kernelOf(first))}: ${times(best)} as fast`
  const climbs = best.value >= WORTH_CLIMBING && isBelow(kernelOf(fastest), kernelOf(first))
  if (!climbs && (best.high ?? Infinity) < FLAT)
    return {
      outcome: 'not-shown',
      reason: 'ladder-flat',
      text: evidence.isSoftware
        ? `Here ${climb}. On a software adapter that is normal: its workgroup memory is the processor's ordinary memory, and a barrier costs more than it saves.`
        : `Here ${climb}. This device gains little from what the ladder teaches: its caches may do the same work, or the matrix is too small to fill it. Choose a larger one.`,
    }
  if (!climbs)
    return {
      outcome: 'inconclusive',
      reason: 'intervals-overlap',
      text: `Here ${climb}, but the repeats spread too far to call it. Run more of them, with nothing else busy.`,
    }
  if (evidence.params['transfers'] === 'none')
    return {
      outcome: 'shown',
      reason: 'ladder-climbs',
      text: `Where the matrices stay on the device, ${climb}; that is ${say(findMetric(metrics, 'peak-share', fastest))} of the peak measured here.`,
    }
  const step = findMetric(metrics, 'step-ms', moved(fastest))
  const firstStep = findMetric(metrics, 'step-ms', moved(first))
  const share = findMetric(metrics, 'not-kernel-share', moved(fastest))
  const bestStep = findMetric(metrics, 'best-step-speedup')
  const alone = findMetric(metrics, 'step-ms', TRANSFERS_ONLY)
  const steps =
    `With A and B uploaded and C read back each time, a step took ${say(step)} instead of ${say(firstStep)}, ${times(bestStep)} as fast; ` +
    `the transfers alone take ${say(alone)}`
  if ((share?.low ?? 0) > MOST && isBelow(bestStep, best))
    return {
      outcome: 'shown',
      reason: 'transfers-take-over',
      text: `By itself ${climb}. ${steps}. Of a step with the fastest kernel, ${say(share)} is not the kernel.`,
    }
  if ((share?.high ?? 1) < MOST)
    return {
      outcome: 'not-shown',
      reason: 'kernel-dominates',
      text: `By itself ${climb}. ${steps}. Even with the fastest kernel only ${say(share)} of a step is not the kernel, so here a faster kernel still helps.`,
    }
  return {
    outcome: 'inconclusive',
    reason: 'intervals-overlap',
    text: `By itself ${climb}. ${steps}. Kernel and transfers take about equally long here, or the repeats spread too far to call it: change the size, or run more repeats.`,
  }
}
