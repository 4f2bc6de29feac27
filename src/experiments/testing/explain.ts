import { passageOf } from '../../text/card'
import { partsFor } from '../../text/template'
import { findMetric, type Report } from '../../trace/report'
import { explanationOf, type Prose, type Quote } from '../declare/judge'
import type { Declaration } from '../declare/experiment'

/** What a page explains of a run, in words alone. */
export function explain(declaration: Declaration, quote: Quote): Prose {
  const { from, cards, reading, machine } = explanationOf(declaration, quote)
  return [...from, ...partsFor(passageOf(cards), reading), ...machine]
}

/** A quoted metric reads '⟨name variant⟩', so that a test finds it in the text. */
export const fakeQuote = (report: Report, origin: Quote['origin'] = 'live'): Quote => ({
  report,
  origin,
  get: (name, variant = '') => findMetric(report.metrics, name, variant),
  metric: (name, variant = '') =>
    findMetric(report.metrics, name, variant)?.value == null ? 'not measured' : quoted(name, variant),
})

export const quoted = (name: string, variant: string): string => `⟨${name} ${variant}⟩`
