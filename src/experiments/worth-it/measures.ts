/** The figures of worth-it, each read off windows and spans or worked out from others. Pure. */
import { summarise } from '../../analysis/metrics'
import { findMetric, type Metric } from '../../trace/report'
import { NOT_NEGATIVE, NOT_RECORDED, SHARE, whyNoDevice } from '../common-metrics'
import { sum, VariantSpans, windowsOf } from '../evidence'
import type { Evidence } from '../run-types'
import type { Crossing, Crossover } from './crossover'
import { crossoverOf, operationsOf, operationTimes, ruleOf, sizesOf, timeMs, topRate, usesOf } from './curves'
import { CPU, LATENCY, RESIDENT, ROUND_TRIP, sizedVariant, type Place } from './variants'

export function gflops(evidence: Evidence, variant: string, n: number): Metric {
  const flops = 2 * n ** 3 * usesOf(evidence)
  const time = timeMs(evidence, variant)
  const rate = (ms: number | null): number | null => (ms === null || ms <= 0 ? null : flops / (ms * 1e6))
  const { value, low, high } = { value: rate(time.value), low: rate(time.high), high: rate(time.low) }
  return {
    name: 'gflops',
    variant,
    value,
    unit: 'GFLOP/s',
    low,
    // Null too where the time's interval reaches down to nothing: that bounds no rate from above.
    high,
    n: time.n,
    origin: 'derived',
    ...(value === null
      ? { note: time.note ?? 'shorter than the step of the clock' }
      : variant.startsWith(`${CPU}-`)
        ? { note: processorOf(evidence) }
        : {}),
  }
}

/** 'onnxruntime-web, 8 threads': what the processor's figures stand for. */
function processorOf({ derived }: Evidence): string {
  const threads = Number(derived['processorThreads'])
  const note = String(derived['processorNote'] ?? '')
  const name = `${String(derived['processorLibrary'])}, ${threads === 1 ? 'one thread' : `${String(threads)} threads`}`
  return note === '' ? name : `${name}: ${note}`
}

/** What the host and the device do in a round trip; one sample a repeat, for one operation. */
export function partsOfRoundTrip(evidence: Evidence, variant: string): readonly Metric[] {
  const spans = new VariantSpans(evidence, variant)
  const operations = operationsOf(evidence, variant)
  const isFill = (name: string) => name.startsWith('fill staging')
  const isRead = (name: string) => name === 'read the mapped range'
  const isReadback = (name: string) => name.includes('readback')
  const isMatmul = (name: string) => name.startsWith('matmul')
  const hostPart = (
    name: string,
    kind: 'host-work' | 'host-wait',
    named: (spanName: string) => boolean,
  ): Metric => {
    const samples = spans.samples((repeat) => {
      const lengths = spans.lengths(repeat, { kind, name: named })
      return lengths.length > 0 ? sum(lengths) / operations / 1e6 : null
    })
    return summarise({
      name,
      variant,
      unit: 'ms',
      origin: 'host-clock',
      samples,
      range: NOT_NEGATIVE,
      systematic: evidence.hostStepNs / 1e6,
      ...(samples.length === 0 ? { note: NOT_RECORDED } : {}),
    })
  }
  const deviceStepNs = evidence.deviceStepNs ?? 0
  const kernels = spans.samples((repeat) => {
    const lengths = spans.lengths(repeat, { kind: 'compute', name: isMatmul })
    return lengths.length === operations ? sum(lengths) / operations / 1e6 : null
  })
  const shares = spans.samples((repeat) => {
    const window = windowsOf(evidence, variant).find((candidate) => candidate.repeat === repeat)
    const lengths = spans.lengths(repeat, { kind: 'compute', name: isMatmul })
    return window && lengths.length === operations ? sum(lengths) / (window.endNs - window.startNs) : null
  })
  // Both are lengths, each by its own clock: no clock fit is needed. A kernel may have begun before the host began to wait.
  const others = spans.samples((repeat) => {
    const waits = spans.lengths(repeat, { kind: 'host-wait', name: isReadback })
    const lengths = spans.lengths(repeat, { kind: 'compute', name: isMatmul })
    return waits.length === operations && lengths.length === operations
      ? Math.max(0, sum(waits) - sum(lengths)) / operations / 1e6
      : null
  })
  const windowNs = Math.min(...windowsOf(evidence, variant).map(({ startNs, endNs }) => endNs - startNs))
  const noDevice = kernels.length === 0 ? { note: whyNoDevice(evidence) } : {}
  return [
    summarise({
      name: 'kernel-share',
      variant,
      unit: 'ratio',
      origin: 'derived',
      samples: shares,
      range: SHARE,
      systematic: (deviceStepNs * operations) / windowNs,
      ...noDevice,
    }),
    summarise({
      name: 'kernel-ms',
      variant,
      unit: 'ms',
      origin: 'device-clock',
      samples: kernels,
      range: NOT_NEGATIVE,
      systematic: deviceStepNs / 1e6,
      ...noDevice,
    }),
    hostPart('fill-ms', 'host-work', isFill),
    hostPart('wait-ms', 'host-wait', isReadback),
    summarise({
      name: 'other-wait-ms',
      variant,
      unit: 'ms',
      origin: 'derived',
      samples: others,
      range: NOT_NEGATIVE,
      systematic: (deviceStepNs + evidence.hostStepNs) / 1e6,
      ...noDevice,
    }),
    hostPart('read-ms', 'host-work', isRead),
  ]
}

/** Round trip of four bytes. */
export function latencyMs(evidence: Evidence): Metric {
  return summarise({
    name: 'latency-ms',
    variant: LATENCY,
    unit: 'ms',
    origin: 'host-clock',
    samples: operationTimes(evidence, LATENCY),
    range: NOT_NEGATIVE,
    systematic: evidence.hostStepNs / operationsOf(evidence, LATENCY) / 1e6,
  })
}

/**
 * Bytes over the time that they add: the time of a transfer less the latency of the same repeat. Where a transfer takes no longer
 * than the latency alone, nothing is known of the bandwidth.
 */
export function bandwidth(evidence: Evidence, name: string, variant: string): Metric {
  const bytes = Number(evidence.derived['transferBytes'])
  const latency = new Map(
    windowsOf(evidence, LATENCY).map(({ repeat, startNs, endNs }) => [
      repeat,
      (endNs - startNs) / operationsOf(evidence, LATENCY),
    ]),
  )
  const operations = operationsOf(evidence, variant)
  const samples = windowsOf(evidence, variant).map(({ repeat, startNs, endNs }) => {
    const addedNs = (endNs - startNs) / operations - (latency.get(repeat) ?? Number.NaN)
    return addedNs > 0 ? bytes / addedNs : Number.NaN
  })
  return summarise({
    name,
    variant,
    unit: 'GB/s',
    origin: 'host-clock',
    samples,
    range: NOT_NEGATIVE,
    ...(samples.some(Number.isFinite) ? {} : { note: 'a transfer took no longer than the latency alone' }),
  })
}

const sizeAt = (crossing: Crossing): number | null => (crossing.kind === 'at' ? crossing.n : null)

export function crossoverMetric(
  metrics: readonly Metric[],
  evidence: Evidence,
  challenger: Exclude<Place, 'cpu'>,
): Metric {
  const crossover = crossoverOf(metrics, evidence, challenger)
  const found = crossover ? sizeAt(crossover.value) : null
  const repeats = Math.min(
    ...([CPU, challenger] as const).map(
      (place) => findMetric(metrics, 'time-ms', largestVariant(evidence, place))?.n ?? 0,
    ),
  )
  const note = noteOf(crossover)
  return {
    name: 'crossover-n',
    variant: challenger,
    value: found,
    unit: 'count',
    low: found !== null && crossover ? sizeAt(crossover.earliest) : null,
    high: found !== null && crossover ? sizeAt(crossover.latest) : null,
    n: found === null ? 0 : repeats,
    origin: 'derived',
    ...(note === null ? {} : { note }),
  }
}

const largestVariant = (evidence: Evidence, place: Place): string =>
  sizedVariant(place, sizesOf(evidence, place).at(-1) ?? 0)

/** Why there is no crossover, or what its interval leaves open. */
function noteOf(crossover: Crossover | null): string | null {
  if (!crossover) return 'no size was run both ways'
  const [first, last] = [String(crossover.sizes[0]), String(crossover.sizes.at(-1))]
  switch (crossover.value.kind) {
    case 'below':
      return `the device is faster already at ${first}, the smallest size run`
    case 'above':
      return `the processor is still faster at ${last}, the largest size run both ways`
    case 'at': {
      const open = [
        ...(crossover.earliest.kind === 'below' ? [`its interval may begin below ${first}`] : []),
        ...(crossover.latest.kind === 'above' ? [`its interval may end above ${last}`] : []),
      ]
      return open.length > 0 ? open.join('; ') : null
    }
  }
}

export function ruleMetric(
  metrics: readonly Metric[],
  evidence: Evidence,
  name: string,
  withLatency: boolean,
): Metric {
  const rule = ruleOf(metrics, evidence, withLatency)
  const finite = (x: number | undefined): number | null => (x !== undefined && Number.isFinite(x) ? x : null)
  return {
    name,
    variant: ROUND_TRIP,
    value: rule?.value ?? null,
    unit: 'count',
    low: finite(rule?.low),
    high: finite(rule?.high),
    n: rule ? (findMetric(metrics, 'latency-ms', LATENCY)?.n ?? 0) : 0,
    origin: 'derived',
    ...(rule ? {} : { note: whyNoRule(metrics, evidence) }),
  }
}

function whyNoRule(metrics: readonly Metric[], evidence: Evidence): string {
  const [processor, device] = [topRate(metrics, evidence, CPU), topRate(metrics, evidence, RESIDENT)]
  if (processor && device && device.value <= processor.value)
    return 'the device computes no faster than the processor here, so no size is large enough'
  return 'a rate that the rule needs was not measured'
}

/** Measured over predicted, by the corners of both intervals. */
export function factor(name: string, measured: Metric, predicted: Metric): Metric {
  const value = measured.value === null || predicted.value === null ? null : measured.value / predicted.value
  const ratio = (top: number | null, bottom: number | null): number | null =>
    value === null || top === null || bottom === null ? null : top / bottom
  return {
    name,
    variant: ROUND_TRIP,
    value,
    unit: 'ratio',
    low: ratio(measured.low, predicted.high),
    high: ratio(measured.high, predicted.low),
    n: value === null ? 0 : Math.min(measured.n, predicted.n),
    origin: 'derived',
    ...(value === null
      ? { note: measured.value === null ? 'there is no crossover to compare with' : (predicted.note ?? '') }
      : {}),
  }
}
