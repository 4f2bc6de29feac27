/** What overlapped-uploads reads off its trace, and what it concludes. Pure. */
import { summarise } from '../../analysis/metrics'
import { median } from '../../base/stats'
import { findMetric, type Metric, type Verdict } from '../../trace/report'
import { deviceBusyRatio, hostFree, NOT_NEGATIVE, NOT_RECORDED, stepMs, whyNoDevice } from '../common-metrics'
import { variantsOf, VariantSpans, windowsOf } from '../evidence'
import type { Evidence } from '../run-types'
import { say } from '../wording'
import { COMPUTE_ONLY, ringDepth, SERIAL, UPLOAD_ONLY } from './variants'

export function measureOverlappedUploads(evidence: Evidence): readonly Metric[] {
  const steps = Number(evidence.params['steps'])
  return variantsOf(evidence).flatMap((variant) => {
    const isTogether = variant !== COMPUTE_ONLY && variant !== UPLOAD_ONLY
    const uploads = ringDepth(variant) > 0
    return [
      ...(isTogether ? [overlapEfficiency(evidence, variant)] : []),
      stepMs(evidence, variant, steps),
      ...(isTogether ? [versusIdeal(evidence, variant)] : []),
      deviceBusyRatio(evidence, variant),
      ...(uploads
        ? [
            uploadGbPerS(evidence, variant, steps),
            spanMs(evidence, variant, 'fill-ms', 'host-work'),
            spanMs(evidence, variant, 'device-copy-ms', 'transfer'),
          ]
        : []),
      hostFree(evidence, variant),
    ]
  })
}

/** Windows of compute alone, upload alone and this variant, of the same repeat: measured next to each other. */
function triples(evidence: Evidence, variant: string) {
  const lengthOf = (name: string, repeat: number): number | null => {
    const window = windowsOf(evidence, name).find((candidate) => candidate.repeat === repeat)
    return window ? window.endNs - window.startNs : null
  }
  return windowsOf(evidence, variant).flatMap(({ repeat }) => {
    const compute = lengthOf(COMPUTE_ONLY, repeat)
    const upload = lengthOf(UPLOAD_ONLY, repeat)
    const together = lengthOf(variant, repeat)
    return compute !== null && upload !== null && together !== null ? [{ compute, upload, together }] : []
  })
}

/**
 * (compute + upload − together) / min(compute, upload): 1 all of the shorter one is hidden, 0 none, below 0 worse than the sum.
 * Each of the three windows ends when its completion is heard, some ms after the device ended, and this once-a-window lag stands in
 * the sum twice but once in `together`: the value is too high by one lag over the shorter window. That is its systematic bound.
 */
function overlapEfficiency(evidence: Evidence, variant: string): Metric {
  const windows = triples(evidence, variant)
  const samples = windows.map(
    ({ compute, upload, together }) => (compute + upload - together) / Math.min(compute, upload),
  )
  const lagNs = (evidence.completionLatencyMs ?? 0) * 1e6
  const systematic = Math.max(0, ...windows.map(({ compute, upload }) => lagNs / Math.min(compute, upload)))
  return summarise({
    name: 'overlap-efficiency',
    variant,
    unit: 'ratio',
    origin: 'host-clock',
    samples,
    systematic,
  })
}

/** together / max(compute, upload): 1 is the best that overlap alone can give. */
function versusIdeal(evidence: Evidence, variant: string): Metric {
  const samples = triples(evidence, variant).map(
    ({ compute, upload, together }) => together / Math.max(compute, upload),
  )
  return summarise({ name: 'versus-ideal', variant, unit: 'ratio', origin: 'host-clock', samples })
}

/** Bytes uploaded over the whole window, computing included: the rate that a training loop would see. */
function uploadGbPerS(evidence: Evidence, variant: string, steps: number): Metric {
  const batchBytes = Number(evidence.derived['batchBytes'])
  const samples = windowsOf(evidence, variant).map(
    (window) => (batchBytes * steps) / (window.endNs - window.startNs),
  )
  return summarise({ name: 'upload-gb-per-s', variant, unit: 'GB/s', origin: 'host-clock', samples })
}

function spanMs(evidence: Evidence, variant: string, name: string, kind: 'host-work' | 'transfer'): Metric {
  const spans = new VariantSpans(evidence, variant)
  const onDevice = kind === 'transfer'
  const samples = spans.samples((repeat) => {
    const lengths = spans.lengths(
      repeat,
      onDevice ? { kind } : { kind, name: (spanName) => spanName.startsWith('fill') },
    )
    return lengths.length > 0 ? median(lengths) / 1e6 : null
  })
  const why = onDevice ? whyNoDevice(evidence) : NOT_RECORDED
  const note =
    samples.length === 0 ? why : onDevice ? 'upper bound, between two passes; not the bus' : undefined
  return summarise({
    name,
    variant,
    unit: 'ms',
    origin: onDevice ? 'device-clock' : 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    systematic: (onDevice ? (evidence.deviceStepNs ?? 0) : evidence.hostStepNs) / 1e6,
    ...(note === undefined ? {} : { note }),
  })
}

/** Half of the shorter one hidden is overlap that a person would notice. */
const CLEAR_OVERLAP = 0.5
const NO_OVERLAP = 0.2
/** Where one of the two is this small beside the other there is nothing to hide. */
const TINY = 0.15

export function judgeOverlappedUploads(metrics: readonly Metric[], evidence: Evidence): Verdict {
  const rings = variantsOf(evidence).filter((variant) => variant.startsWith('ring-'))
  const best = rings
    .map((variant) => findMetric(metrics, 'overlap-efficiency', variant))
    .filter((metric) => metric?.value != null)
    .sort((a, b) => (b?.value ?? 0) - (a?.value ?? 0))[0]
  const compute = findMetric(metrics, 'step-ms', COMPUTE_ONLY)
  const upload = findMetric(metrics, 'step-ms', UPLOAD_ONLY)
  const serial = findMetric(metrics, 'step-ms', SERIAL)
  if (best?.value == null || compute?.value == null || upload?.value == null)
    return {
      outcome: 'inconclusive',
      reason: 'intervals-overlap',
      text: 'The run gave no samples to judge by.',
    }
  const together = findMetric(metrics, 'step-ms', best.variant)
  const depth = best.variant.replace('ring-', '')
  const figures =
    `Compute alone takes ${say(compute)} a step, upload alone ${say(upload)}, one after the other ${say(serial)}, ` +
    `with a ring of ${depth} ${say(together)}`
  const balance = Math.min(compute.value, upload.value) / Math.max(compute.value, upload.value)
  if (balance < TINY)
    return {
      outcome: 'inconclusive',
      reason: 'nothing-to-hide',
      text: `${figures}. One is so short beside the other that hiding it changes little: choose a balance nearer 1.`,
    }
  if ((best.low ?? 0) > CLEAR_OVERLAP)
    return {
      outcome: 'shown',
      reason: 'overlap',
      text: `${figures}: ${say(best)} of the shorter one is hidden behind the longer.`,
    }
  if ((best.high ?? 1) < NO_OVERLAP || (evidence.isSoftware && (best.high ?? 1) < CLEAR_OVERLAP))
    return evidence.isSoftware
      ? {
          outcome: 'not-shown',
          reason: 'cores-shared',
          text: `${figures}. On this software adapter the 'device' is the same processor that fills the batches, so there is little to overlap.`,
        }
      : {
          outcome: 'not-shown',
          reason: 'no-overlap',
          text: `${figures}. Uploading and computing took turns on this machine: only ${say(best)} was hidden.`,
        }
  if ((best.low ?? 0) > NO_OVERLAP && (best.high ?? 1) < CLEAR_OVERLAP)
    return {
      outcome: 'not-shown',
      reason: 'partial-overlap',
      text: `${figures}. Some of the shorter one is hidden (${say(best)}), but less than half.`,
    }
  return {
    outcome: 'inconclusive',
    reason: 'intervals-overlap',
    text: `${figures}. The repeats spread too far to call it: run more of them, with nothing else busy.`,
  }
}
