/** Times by size, read off a run's windows, and the crossovers and predictions that follow from them. Pure. */
import { summarise } from '../../analysis/metrics'
import { findMetric, type Metric } from '../../trace/report'
import { variantsOf, windowsOf } from '../evidence'
import type { Evidence } from '../run-types'
import { findCrossover, type Crossover, type Timed } from './crossover'
import { readCounts } from './plan'
import { predict, type Bounded } from './rule'
import { CPU, LATENCY, parseVariant, READBACK, RESIDENT, sizedVariant, UPLOAD, type Place } from './variants'

export const usesOf = (evidence: Evidence): number => Number(evidence.params['uses'])

/** Operations in one window of the variant. */
export function operationsOf(evidence: Evidence, variant: string): number {
  return readCounts(String(evidence.derived['operationsPerWindow'] ?? '')).get(variant) ?? 1
}

/** Sizes that were run at this place, ascending. */
export function sizesOf(evidence: Evidence, place: Place): readonly number[] {
  return variantsOf(evidence)
    .flatMap((variant) => {
      const sized = parseVariant(variant)
      return sized?.place === place ? [sized.n] : []
    })
    .toSorted((a, b) => a - b)
}

/** ms of one operation, one sample a repeat. */
export const operationTimes = (evidence: Evidence, variant: string): readonly number[] => {
  const operations = operationsOf(evidence, variant)
  return windowsOf(evidence, variant).map(({ startNs, endNs }) => (endNs - startNs) / operations / 1e6)
}

/**
 * Time of one operation. The end of a resident queue is heard late, once a window: its interval reaches down by that share, since
 * the device was done earlier.
 */
export function timeMs(evidence: Evidence, variant: string): Metric {
  const operations = operationsOf(evidence, variant)
  const metric = summarise({
    name: 'time-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples: operationTimes(evidence, variant),
    range: [0, Infinity],
    systematic: evidence.hostStepNs / operations / 1e6,
  })
  if (parseVariant(variant)?.place !== RESIDENT || metric.low === null) return metric
  const lagMs = (evidence.completionLatencyMs ?? 0) / operations
  return {
    ...metric,
    low: Math.max(0, metric.low - lagMs),
    note: 'queued; the end is heard late once a window, which the interval allows for',
  }
}

const boundsOf = ({ value, low, high }: Metric): Bounded | null =>
  value === null || !Number.isFinite(value) ? null : { value, low: low ?? value, high: high ?? value }

/** The curve of one place. */
export function curveOf(metrics: readonly Metric[], evidence: Evidence, place: Place): readonly Timed[] {
  return sizesOf(evidence, place).flatMap((n) => {
    const metric = findMetric(metrics, 'time-ms', sizedVariant(place, n))
    const bounds = metric && boundsOf(metric)
    return bounds ? [{ n, ...bounds }] : []
  })
}

export const crossoverOf = (
  metrics: readonly Metric[],
  evidence: Evidence,
  challenger: Exclude<Place, 'cpu'>,
): Crossover | null => findCrossover(curveOf(metrics, evidence, CPU), curveOf(metrics, evidence, challenger))

/** Rate at the largest size of a place, GFLOP/s: where overhead weighs least. */
export function topRate(metrics: readonly Metric[], evidence: Evidence, place: Place): Bounded | null {
  const last = sizesOf(evidence, place).at(-1)
  const metric = last === undefined ? undefined : findMetric(metrics, 'gflops', sizedVariant(place, last))
  return metric ? boundsOf(metric) : null
}

/** What the rule of thumb says for this run; null where something it needs is missing, or where it gives no size. */
export function ruleOf(metrics: readonly Metric[], evidence: Evidence, withLatency: boolean): Bounded | null {
  const rate = (name: string, variant: string): Bounded | null => {
    const metric = findMetric(metrics, name, variant)
    return metric ? boundsOf(metric) : null
  }
  const processor = topRate(metrics, evidence, CPU)
  const device = topRate(metrics, evidence, RESIDENT)
  const upload = rate('upload-gb-per-s', UPLOAD)
  const readback = rate('readback-gb-per-s', READBACK)
  const latencyMs = rate('latency-ms', LATENCY)
  if (!processor || !device || !upload || !readback || (withLatency && !latencyMs)) return null
  const known = [processor, device, upload, readback].every(({ low }) => low > 0)
  if (!known) return null
  return predict({
    uses: usesOf(evidence),
    processor,
    device,
    upload,
    readback,
    latencyMs: withLatency ? latencyMs : null,
  })
}
