import { sampleReport } from '../../trace/testing/sample-report'
import { findMetric, type Metric } from '../../trace/report'
import { judge, explanationOf, type Explained, type Prose } from '../declare/judge'
import type { Declaration, Rule } from '../declare/experiment'
import type { Evidence } from '../run-types'
import { factsOf, fakeMetrics, FakeRun } from './fake-evidence'
import { passageOf } from '../../text/card'
import { partsFor, type Reading } from '../../text/template'

/**
 * The words with which a page explains a run. A quoted metric reads '⟨name variant⟩', so that a
 * test finds it in the text.
 */
export function explain(
  declaration: Declaration,
  run: Explained,
  metric: Reading['metric'] = ({ value, name, variant }) =>
    value === null ? 'not measured' : quoted(name, variant),
): Prose {
  const { from, cards, reading, machine } = explanationOf(declaration, run, metric)
  return [...from, ...partsFor(passageOf(cards), reading), ...machine]
}

export const quoted = (name: string, variant: string): string => `⟨${name} ${variant}⟩`

/** The page's words below the verdict on a run with these facts. */
export function explainedBy(
  declaration: Declaration,
  facts: ReturnType<typeof factsOf>,
  verdict = judge(declaration, facts),
): string {
  const report = {
    ...sampleReport,
    ...facts,
    environment: { ...sampleReport.environment, ...facts.environment },
    verification: { ...sampleReport.verification, failed: 0 },
    verdict,
  }
  return explain(declaration, { report, origin: 'live' }).join('\n')
}

/** An experiment with its rules, and what its runs come to. */
export function judging<E extends Omit<Declaration, 'rules'>>(declared: E, rules: readonly Rule[]) {
  const experiment = { ...declared, rules }
  const judged = (evidence: Evidence, metrics: readonly Metric[] = experiment.measure(evidence)) => {
    const facts = factsOf(metrics, evidence)
    const metric = (name: string, variant = '') => findMetric(metrics, name, variant)
    return {
      evidence,
      metrics,
      facts,
      verdict: judge(experiment, facts),
      metric,
      value: (name: string, variant?: string) => metric(name, variant)?.value,
      /** The page's words below the verdict. */
      get text() {
        return explainedBy(experiment, facts)
      },
    }
  }
  return {
    experiment,
    judged,
    /** Judges these as if they had been measured. */
    supposed: (values: Parameters<typeof fakeMetrics>[0], over: Partial<Evidence> = {}) =>
      judged(new FakeRun().evidence(over), fakeMetrics(values)),
  }
}
