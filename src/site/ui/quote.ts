/** How an explanation quotes a run: every figure formatted in one way, with its bound, or the reason why there is none. */
import type { Quote } from '../../experiments/declare/quote'
import { findMetric, type Report } from '../../trace/report'
import { formatMetric } from './format'

export function createQuote(report: Report, origin: NonNullable<Quote['origin']>): Quote {
  const get = (name: string, variant = '') => findMetric(report.metrics, name, variant)
  return { report, origin, get, metric: (name, variant) => formatMetric(get(name, variant)) }
}
