/** Conditions on a recorded page's figures, for continuous integration. */
import type { PageFigure } from '../src/analysis/page-figures'
import { linesOf } from '../src/analysis/page-findings'
import type { Trace } from '../src/trace/schema'
import { sayHolds, type FailIf } from './fail-if'
import type { PageReport } from './record-report'

interface Recorded {
  readonly trace: Trace
  readonly report: Pick<PageReport, 'url' | 'figures'>
}

/**
 * For each condition that holds of one of the page's documents and workers: what it is, and the lines at fault. One that can be determined of
 * none of them fails too.
 */
export const pageFailures = (
  conditions: readonly FailIf[],
  recorded: readonly Recorded[],
): readonly string[] =>
  conditions.flatMap((condition) => {
    const figure = condition.name as PageFigure // parsed as one of them
    const known = recorded.flatMap(({ trace, report }) => {
      const value = report.figures[figure]
      return value === null ? [] : [{ trace, value, url: report.url }]
    })
    if (known.length === 0)
      return [
        `'${condition.text}' cannot be determined: ${figure === 'submitsPerWait' ? 'there are frames, or hardly more than one submit' : 'no frame submits'}.`,
      ]
    return known.flatMap(({ trace, value, url }) => {
      const said = sayHolds(condition, value)
      return said === null
        ? []
        : [`${url}: ${said}`, ...linesOf(trace, figure).map((line) => `   at ${line}`)]
    })
  })
