/** Figures inside verdict sentences: short, with units; the page shows bounds beside them. */
import { findMetric, type Metric } from '../trace/report'

const digits = (value: number): string =>
  value === 0 ? '0' : String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)))

export function say(metric: Metric | undefined): string {
  if (!metric || metric.value === null) return 'not measured'
  if (metric.unit === 'ratio') return `${digits(metric.value * 100)} %`
  if (metric.unit === 'us') return `${digits(metric.value)} µs`
  return metric.unit === 'count' ? digits(metric.value) : `${digits(metric.value)} ${metric.unit}`
}

/** True when both intervals are known and do not touch; the condition for any comparison. */
export function isBelow(lower: Metric | undefined, higher: Metric | undefined): boolean {
  return lower?.high != null && higher?.low != null && lower.high < higher.low
}

export const valueOf = (metrics: readonly Metric[], name: string, variant = ''): number | null =>
  findMetric(metrics, name, variant)?.value ?? null
