/** What async-submission reads off its trace, and what it concludes. Pure. */
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
import { isBelow, say, valueOf } from '../wording'

const isMatmul = (name: string): boolean => name.startsWith('matmul')

export function measureAsyncSubmission(evidence: Evidence): readonly Metric[] {
  const steps = Number(evidence.params['steps'])
  return variantsOf(evidence).flatMap((variant) => [
    hostFree(evidence, variant),
    deviceBusyRatio(evidence, variant),
    stepMs(evidence, variant, steps),
    totalMs(evidence, variant),
    hostSpanUs(evidence, variant, 'submit-us', 'submit'),
    hostSpanUs(evidence, variant, 'encode-us', 'encode'),
    passMs(evidence, variant, 'kernel-ms', isMatmul),
    queueDepthMax(evidence, variant),
    launchGapUs(evidence, variant),
    completionLagMs(evidence, variant),
  ])
}

function totalMs(evidence: Evidence, variant: string): Metric {
  const samples = windowsOf(evidence, variant).map((window) => (window.endNs - window.startNs) / 1e6)
  const systematic = evidence.hostStepNs / 1e6
  return summarise({ name: 'total-ms', variant, unit: 'ms', origin: 'host-clock', samples, systematic })
}

function hostSpanUs(evidence: Evidence, variant: string, name: string, kind: 'submit' | 'encode'): Metric {
  const spans = new VariantSpans(evidence, variant)
  const samples = spans.samples((repeat) => {
    const lengths = spans.lengths(repeat, { kind })
    return lengths.length > 0 ? median(lengths) / 1e3 : null
  })
  return summarise({
    name,
    variant,
    unit: 'us',
    origin: 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    systematic: evidence.hostStepNs / 1e3,
    ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
  })
}

/** Deepest queue while the window lasted: submissions whose completion the host had not heard of. */
function queueDepthMax(evidence: Evidence, variant: string): Metric {
  const counter = evidence.placed.trace.counters.find((candidate) => candidate.name === 'queue depth')
  const samples = windowsOf(evidence, variant).flatMap((window) => {
    let deepest = 0
    for (let index = 0; index < (counter?.length ?? 0); index += 1) {
      const time = counter?.timeNs[index] ?? 0
      if (time >= window.startNs && time <= window.endNs)
        deepest = Math.max(deepest, counter?.value[index] ?? 0)
    }
    return deepest > 0 ? [deepest] : []
  })
  return summarise({
    name: 'queue-depth-max',
    variant,
    unit: 'count',
    origin: 'host-clock',
    samples,
    ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
  })
}

/** Device idle between two passes that follow each other; median of a repeat's. Negative where begin is stamped early. */
function launchGapUs(evidence: Evidence, variant: string): Metric {
  const spans = new VariantSpans(evidence, variant)
  const { start, end } = evidence.placed.trace.spans
  const samples = spans.samples((repeat) => {
    const passes = spans.find(repeat, { kind: 'compute' })
    const gaps = passes.slice(1).map((span, index) => (start[span] ?? 0) - (end[passes[index] ?? 0] ?? 0))
    return gaps.length > 0 ? median(gaps) / 1e3 : null
  })
  return summarise({
    name: 'launch-gap-us',
    variant,
    unit: 'us',
    origin: 'device-clock',
    samples,
    systematic: (evidence.deviceStepNs ?? 0) / 1e3,
    ...(samples.length === 0 ? { note: whyNoDevice(evidence) } : {}),
  })
}

/** From the device's end of a step to the host's hearing of it: needs both clocks, so it carries the fit's bound. */
function completionLagMs(evidence: Evidence, variant: string): Metric {
  const { placed } = evidence
  const spans = new VariantSpans(evidence, variant)
  const bounds: number[] = []
  const samples = spans.samples((repeat) => {
    const ends = new Map<number, number>()
    for (const span of spans.find(repeat, { kind: 'compute' })) {
      const end = placed.endNs[span] ?? Number.NaN
      if (Number.isNaN(end)) continue
      ends.set(placed.trace.spans.submission[span] ?? -1, end)
      bounds.push(Math.max(...placed.edgeBoundNs(span, 'end')))
    }
    const lags = spans.find(repeat, { kind: 'queued' }).flatMap((span) => {
      const end = ends.get(placed.trace.spans.submission[span] ?? -1)
      return end === undefined ? [] : [(placed.endNs[span] ?? 0) - end]
    })
    return lags.length > 0 ? median(lags) / 1e6 : null
  })
  return summarise({
    name: 'completion-lag-ms',
    variant,
    unit: 'ms',
    origin: 'derived',
    samples,
    systematic: bounds.length > 0 ? median(bounds) / 1e6 : 0,
    note: samples.length === 0 ? whyNoDevice(evidence) : 'both clocks: the bound holds that of the clock fit',
  })
}

/** The host must be free for at least half of the run, and the wait must be for the device. */
const MOSTLY_FREE = 0.5
/** A kernel must last some times what submitting it costs, or the device waits for the host instead. */
const LONG_ENOUGH = 3

export function judgeAsyncSubmission(metrics: readonly Metric[]): Verdict {
  const free = findMetric(metrics, 'host-free-ratio', 'queued')
  const submitMs = (valueOf(metrics, 'submit-us', 'queued') ?? 0) / 1e3
  const encodeMs = (valueOf(metrics, 'encode-us', 'queued') ?? 0) / 1e3
  const kernel = findMetric(metrics, 'kernel-ms', 'queued')
  const submit = findMetric(metrics, 'submit-us', 'queued')
  const stepQueued = findMetric(metrics, 'step-ms', 'queued')
  const stepAwaited = findMetric(metrics, 'step-ms', 'await-each')
  const stepValue = stepQueued?.value ?? null
  if (free?.value == null || stepValue === null)
    return {
      outcome: 'inconclusive',
      reason: 'intervals-overlap',
      text: 'The run gave no samples to judge by.',
    }
  if (submitMs > 0.5 * (kernel?.value ?? stepValue))
    return {
      outcome: 'not-shown',
      reason: 'submit-blocked',
      text: `submit() itself took ${say(submit)}, more than half as long as the matmul: the browser held the host back here.`,
    }
  if ((kernel?.value ?? stepValue) < LONG_ENOUGH * (submitMs + encodeMs))
    return {
      outcome: 'inconclusive',
      reason: 'kernel-too-short',
      text: `A matmul took ${say(kernel)}, little more than encoding and submitting it. Choose longer kernels.`,
    }
  if ((free.low ?? 0) <= MOSTLY_FREE)
    return {
      outcome: (free.high ?? 1) <= MOSTLY_FREE ? 'not-shown' : 'inconclusive',
      reason: (free.high ?? 1) <= MOSTLY_FREE ? 'no-difference' : 'intervals-overlap',
      text: `The host was free for ${say(free)} of the run. Choose longer kernels, so that submitting weighs less.`,
    }
  const faster = isBelow(stepQueued, stepAwaited)
    ? ` Queued, a step took ${say(stepQueued)}; awaited one by one, ${say(stepAwaited)}.`
    : ` Awaiting each step made no difference beyond the spread: ${say(stepQueued)} and ${say(stepAwaited)}.`
  return {
    outcome: 'shown',
    reason: 'host-runs-ahead',
    text: `submit() returned after ${say(submit)}; the matmul it started ran for ${say(kernel)}. The host was free for ${say(free)} of the run.${faster}`,
  }
}
