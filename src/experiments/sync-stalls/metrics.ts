/** What sync-stalls reads off its trace, and what it concludes. Pure. */
import { summarise } from '../../analysis/metrics'
import { median } from '../../base/stats'
import { findMetric, type Metric, type Verdict } from '../../trace/report'
import {
  deviceBusyRatio,
  hostFree,
  NOT_NEGATIVE,
  NOT_RECORDED,
  passMs,
  stepMs,
  whyNoDevice,
} from '../common-metrics'
import { variantsOf, VariantSpans, windowsOf } from '../evidence'
import type { Evidence } from '../run-types'
import { isBelow, say } from '../wording'
import { readInterval } from './variants'

const READS_DATA = new Set(['item', 'matrix', 'branch'])

export function measureSyncStalls(evidence: Evidence): readonly Metric[] {
  const steps = Number(evidence.params['steps'])
  const readsData = READS_DATA.has(String(evidence.params['read']))
  return variantsOf(evidence).flatMap((variant) => [
    deviceBusyRatio(evidence, variant),
    stepMs(evidence, variant, steps),
    ...(variant === 'never' ? [] : [slowdown(evidence, variant)]),
    ...(variant === 'never' || !readsData
      ? []
      : [stallMs(evidence, variant), idlePerStallMs(evidence, variant, steps)]),
    hostFree(evidence, variant),
    passMs(evidence, variant, 'kernel-ms', (name) => name.startsWith('matmul')),
  ])
}

/** Window over the 'never' window of the same repeat: pairs are measured next to each other, so drift cancels. */
function slowdown(evidence: Evidence, variant: string): Metric {
  const never = windowsOf(evidence, 'never')
  const samples = windowsOf(evidence, variant).flatMap((window) => {
    const pair = never.find((candidate) => candidate.repeat === window.repeat)
    return pair ? [(window.endNs - window.startNs) / (pair.endNs - pair.startNs)] : []
  })
  return summarise({
    name: 'slowdown',
    variant,
    unit: 'ratio',
    origin: 'host-clock',
    samples,
    ...(samples.length === 0 ? { note: "the variant 'never' was not among those run" } : {}),
  })
}

/** How long the host awaited one readback. */
function stallMs(evidence: Evidence, variant: string): Metric {
  const spans = new VariantSpans(evidence, variant)
  const samples = spans.samples((repeat) => {
    const waits = spans.lengths(repeat, { kind: 'host-wait', name: (name) => name.includes('readback') })
    return waits.length > 0 ? median(waits) / 1e6 : null
  })
  return summarise({
    name: 'stall-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    systematic: evidence.hostStepNs / 1e6,
    ...(samples.length === 0
      ? { note: evidence.placed.trace.spans.length > 0 ? 'no step read back' : NOT_RECORDED }
      : {}),
  })
}

/** Device idle from the end of a step that was read to the begin of the next: device ticks alone, no clock fit. */
function idlePerStallMs(evidence: Evidence, variant: string, steps: number): Metric {
  const spans = new VariantSpans(evidence, variant)
  const { start, end, step } = evidence.placed.trace.spans
  const interval = readInterval(variant)
  const samples = spans.samples((repeat) => {
    const passes = spans.find(repeat, { kind: 'compute', name: (name) => name.startsWith('matmul') })
    const gaps = passes.slice(1).flatMap((span, index) => {
      const before = passes[index] ?? 0
      const wasRead = ((step[before] ?? 0) + 1) % interval === 0 && (step[before] ?? 0) < steps - 1
      return wasRead ? [(start[span] ?? 0) - (end[before] ?? 0)] : []
    })
    return gaps.length > 0 ? median(gaps) / 1e6 : null
  })
  return summarise({
    name: 'idle-per-stall-ms',
    variant,
    unit: 'ms',
    origin: 'device-clock',
    samples,
    systematic: (evidence.deviceStepNs ?? 0) / 1e6,
    ...(samples.length === 0
      ? {
          note:
            evidence.deviceStepNs === null
              ? whyNoDevice(evidence)
              : 'no step was followed by another after a read',
        }
      : {}),
  })
}

/** A slowdown below this is not worth a lesson's word, even where the intervals are apart. */
const WORTH_SAYING = 1.15
/** 'never' itself must keep the device busy, or something else starves it. */
const BUSY_ENOUGH = 0.5

export function judgeSyncStalls(metrics: readonly Metric[], evidence: Evidence): Verdict {
  const often = [...variantsOf(evidence)].sort((a, b) => readInterval(a) - readInterval(b))[0] ?? 'never'
  const never = findMetric(metrics, 'step-ms', 'never')
  const read = findMetric(metrics, 'step-ms', often)
  const slower = findMetric(metrics, 'slowdown', often)
  const busyNever = findMetric(metrics, 'device-busy-ratio', 'never')
  const busyRead = findMetric(metrics, 'device-busy-ratio', often)
  if (often === 'never' || never?.value == null || slower?.value == null)
    return {
      outcome: 'inconclusive',
      reason: 'intervals-overlap',
      text: "Nothing to compare: the run needs 'never' and one variant that reads.",
    }
  const kernel = findMetric(metrics, 'kernel-ms', 'never')
  const times = `a step takes ${say(never)} when nothing is read and ${say(read)} with ${often}`
  if (!READS_DATA.has(String(evidence.params['read']))) {
    const free = !isBelow(never, read) || slower.value < 1.05
    return free
      ? {
          outcome: 'shown',
          reason: 'metadata-is-free',
          text: `Reading the shape costs nothing here: ${times}.`,
        }
      : {
          outcome: 'not-shown',
          reason: 'host-bound',
          text: `Reading only the shape should cost nothing, yet ${times}. Something else slowed the host; run again.`,
        }
  }
  if (!isBelow(never, read))
    return {
      outcome: 'inconclusive',
      reason: 'intervals-overlap',
      text: `The spread of the repeats hides any difference: ${times}. Choose shorter kernels, more steps or more repeats.`,
    }
  if (slower.value < WORTH_SAYING)
    return {
      outcome: 'not-shown',
      reason: 'stall-hidden-by-long-kernel',
      text: `Each read stalls, but a matmul of ${say(kernel)} is long beside it: ${times}. Choose shorter kernels.`,
    }
  if (busyNever?.value != null && busyNever.value < BUSY_ENOUGH)
    return {
      outcome: 'inconclusive',
      reason: 'host-bound',
      text: `Even without reads the device was busy for only ${say(busyNever)}: submitting cannot keep up with so short a matmul. Choose longer kernels.`,
    }
  const busy =
    busyNever?.value != null && busyRead?.value != null
      ? ` The device was busy ${say(busyNever)} of the time without reads, ${say(busyRead)} with them.`
      : ''
  return {
    outcome: 'shown',
    reason: 'stall-dominates',
    text: `Reading back made a step ${String(Number(slower.value.toPrecision(3)))} times as long: ${times}.${busy}`,
  }
}
