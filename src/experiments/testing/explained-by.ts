import { fakeQuote } from '../../lessons/testing/fake-quote'
import { sampleReport } from '../../trace/testing/sample-report'
import { explain, judge, type Declaration } from '../declare'
import type { factsOf } from './fake-evidence'

/** What a page says below the verdict on a run with these facts. */
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
  return explain(declaration, fakeQuote(report)).join('\n')
}
