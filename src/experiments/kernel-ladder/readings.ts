/** Single figures of kernel-ladder, each read off the spans or windows of one variant. Pure. */
import { summarise } from '../../analysis/metrics'
import { median } from '../../base/stats'
import type { Metric } from '../../trace/report'
import { NOT_NEGATIVE, NOT_RECORDED, SHARE, stepMs } from '../common-metrics'
import { sum, VariantSpans, windowsOf } from '../evidence'
import { rate } from '../interval-arithmetic'
import type { Evidence } from '../run-types'

const isMatmul = (name: string): boolean => name.startsWith('matmul')
const HOST_TIMED = 'no timestamps: host clock, the way there and back is in the interval'

const dispatchesPerPass = (evidence: Evidence, rung: string): number =>
  Number(evidence.derived[`dispatchesPerPass ${rung}`] ?? 1)

/** One matmul: a pass over the matmuls in it, device clock. Without timestamps a window over all of its matmuls. */
export function kernelMs(evidence: Evidence, rung: string, flops: number, steps: number): Metric {
  const perPass = dispatchesPerPass(evidence, rung)
  const named = { name: 'kernel-ms', variant: rung, unit: 'ms', range: NOT_NEGATIVE } as const
  if (evidence.deviceStepNs === null) {
    const count = steps * perPass
    const samples = windowsOf(evidence, rung).map(({ startNs, endNs }) => (endNs - startNs) / 1e6 / count)
    const systematic = Number(evidence.derived['roundTripMs'] ?? 0) / count
    return summarise({ ...named, origin: 'host-clock', samples, systematic, note: HOST_TIMED })
  }
  const spans = new VariantSpans(evidence, rung)
  const { flops: flopsOf, start, end } = evidence.placed.trace.spans
  const samples = spans.samples((repeat) => {
    const each = spans.find(repeat, { kind: 'compute', name: isMatmul }).map((span) => {
      const matmuls = (flopsOf[span] ?? flops) / flops
      return ((end[span] ?? 0) - (start[span] ?? 0)) / matmuls
    })
    return each.length > 0 ? median(each) / 1e6 : null
  })
  return summarise({
    ...named,
    origin: 'device-clock',
    samples,
    // Begin and end are both floored to the clock's step.
    systematic: evidence.deviceStepNs / perPass / 1e6,
    ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
  })
}

/** A step of one matmul on resident matrices: where a pass holds several, the window is shared by all of them. */
export const residentStepMs = (evidence: Evidence, rung: string, steps: number): Metric =>
  stepMs(evidence, rung, steps * dispatchesPerPass(evidence, rung))

/** A pass of a micro-kernel: work over its length, device clock; without timestamps over the window's share. */
export function rooflineRate(
  evidence: Evidence,
  variant: string,
  name: string,
  unit: Metric['unit'],
  amount: number,
): Metric {
  const passes = Number(evidence.derived['rooflinePasses'] ?? 1)
  const spans = new VariantSpans(evidence, variant)
  const { deviceStepNs } = evidence
  const byDevice = deviceStepNs !== null
  const samples = byDevice
    ? spans.samples((repeat) => {
        const lengths = spans.lengths(repeat, { kind: 'compute', name: (pass) => pass === variant })
        return lengths.length > 0 ? median(lengths) / 1e6 : null
      })
    : windowsOf(evidence, variant).map(({ startNs, endNs }) => (endNs - startNs) / 1e6 / passes)
  const time = summarise({
    name: 'pass-ms',
    variant,
    unit: 'ms',
    origin: byDevice ? 'device-clock' : 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    systematic: byDevice ? deviceStepNs / 1e6 : Number(evidence.derived['roundTripMs'] ?? 0) / passes,
    ...(byDevice ? (samples.length === 0 ? { note: NOT_RECORDED } : {}) : { note: HOST_TIMED }),
  })
  return rate({ name, variant, unit }, amount, time)
}

/** 1 − kernel / step, repeat by repeat: two lengths, each by its own clock; no fit between the clocks is needed. */
export function notKernelShare(
  evidence: Evidence,
  variant: string,
  flops: number,
  kernel: Metric | undefined,
  steps: number,
): Metric {
  const named = { name: 'not-kernel-share', variant, unit: 'ratio', origin: 'derived' } as const
  const kernelTotals = kernelTotalsNs(evidence, variant, kernel, steps)
  const windows = windowsOf(evidence, variant)
  const samples = windows.flatMap(({ repeat, startNs, endNs }) => {
    const total = kernelTotals(repeat)
    return total === null ? [] : [1 - total / (endNs - startNs)]
  })
  const shortest = Math.min(...windows.map(({ startNs, endNs }) => endNs - startNs))
  const boundNs =
    evidence.deviceStepNs === null
      ? (((kernel?.high ?? 0) - (kernel?.low ?? 0)) / 2) * steps * 1e6
      : evidence.deviceStepNs * steps
  return summarise({
    ...named,
    samples,
    range: SHARE,
    systematic: windows.length > 0 ? boundNs / shortest : 0,
    ...(samples.length === 0
      ? { note: NOT_RECORDED }
      : evidence.deviceStepNs === null
        ? { note: 'no timestamps: the kernel is taken as long as by itself' }
        : {}),
  })
}

/** All matmuls of a repeat together, ns: its own passes, or the matmul as timed by itself where passes cannot be. */
function kernelTotalsNs(
  evidence: Evidence,
  variant: string,
  kernel: Metric | undefined,
  steps: number,
): (repeat: number) => number | null {
  if (evidence.deviceStepNs === null) return () => (kernel?.value == null ? null : kernel.value * steps * 1e6)
  const spans = new VariantSpans(evidence, variant)
  return (repeat) => {
    const lengths = spans.lengths(repeat, { kind: 'compute', name: isMatmul })
    return lengths.length > 0 ? sum(lengths) : null
  }
}

/** The host filling staging buffers and reading C out, a step of it. */
function hostCopySamples(
  evidence: Evidence,
  variant: string,
  steps: number,
): readonly (readonly [number, number])[] {
  const spans = new VariantSpans(evidence, variant)
  return spans.repeats.flatMap((repeat) => {
    const lengths = spans.lengths(repeat, { kind: 'host-work' })
    return lengths.length > 0 ? [[repeat, sum(lengths) / steps / 1e6] as const] : []
  })
}

export function hostCopyMs(evidence: Evidence, variant: string, steps: number): Metric {
  const samples = hostCopySamples(evidence, variant, steps).map(([, ms]) => ms)
  return summarise({
    name: 'host-copy-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    // Three spans a step: fill A, fill B, read C.
    systematic: (3 * evidence.hostStepNs) / 1e6,
    ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
  })
}

/** What is left of a step: bytes on their way through the browser and over the bus, submitting, waiting to hear of the end. */
export function restMs(evidence: Evidence, variant: string, steps: number): Metric {
  const kernels = kernelTotalsNs(evidence, variant, undefined, steps)
  const windows = windowsOf(evidence, variant)
  const samples = hostCopySamples(evidence, variant, steps).flatMap(([repeat, copyMs]) => {
    const window = windows.find((candidate) => candidate.repeat === repeat)
    const kernel = kernels(repeat)
    if (!window || kernel === null) return []
    return [(window.endNs - window.startNs - kernel) / steps / 1e6 - copyMs]
  })
  return summarise({
    name: 'rest-ms',
    variant,
    unit: 'ms',
    origin: 'derived',
    samples,
    systematic: (4 * evidence.hostStepNs + (evidence.deviceStepNs ?? 0)) / 1e6,
    ...(samples.length === 0
      ? {
          note:
            evidence.deviceStepNs === null ? 'no timestamps: the kernel cannot be taken off' : NOT_RECORDED,
        }
      : {}),
  })
}
