/** What a continuous integration holds a recorded page to: conditions on its figures, and an earlier recording of it. */
import { NAMED_SHARE } from '../src/analysis/findings'
import { PAGE_FIGURES, RUN_FIGURES, type PageFigure } from '../src/analysis/page-figures'
import { linesOf } from '../src/analysis/page-findings'
import type { Trace } from '../src/trace/schema'
import { sayHolds, type FailIf } from './fail-if'
import type { PageReport } from './record-report'
import { formatFigure } from './text-table'

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
        `'${condition.text}' cannot be determined: ${RUN_FIGURES.includes(figure) ? 'there are frames, or hardly more than one submit' : 'no frame submits'}.`,
      ]
    return known.flatMap(({ trace, value, url }) => {
      const said = sayHolds(condition, value)
      return said === null
        ? []
        : [`${url}: ${said}`, ...linesOf(trace, figure).map((line) => `   at ${line}`)]
    })
  })

/** Of a whole recording, however long it was: that there is one at all is what can be compared. */
const OF_LENGTH: readonly PageFigure[] = ['readbacksAwaitedAtOnce', 'unlabelledPasses']

function differ(figure: PageFigure, before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before !== now
  if (OF_LENGTH.includes(figure)) return before > 0 !== now > 0
  // Two recordings of one page differ by as much in time, and in how much of it there was.
  return figure === 'frameMs' || RUN_FIGURES.includes(figure)
    ? Math.abs(now - before) > NAMED_SHARE * before
    : before !== now
}

type Compared = Pick<PageReport, 'figures' | 'adapter'>

/** One sentence. @param file of the earlier one */
export function comparedText(file: string, before: Compared, now: Compared): string {
  const differing = PAGE_FIGURES.filter((figure) =>
    differ(figure, before.figures[figure], now.figures[figure]),
  )
  const text = (value: number | null) => (value === null ? 'unknown' : formatFigure(value))
  const changes = differing.map(
    (figure) => `${figure} ${text(before.figures[figure])} → ${text(now.figures[figure])}`,
  )
  const equal = PAGE_FIGURES.length - differing.length
  const others =
    changes.length === 0
      ? `all ${String(equal)} figures are as before`
      : `${changes.join(', ')}; ${String(equal)} figures are as before`
  const [was, is] = [before, now].map(
    ({ adapter }) => adapter?.description || adapter?.architecture || 'unknown',
  )
  return `Compared with ${file}${was === is ? '' : `, on another adapter (${String(was)} → ${String(is)})`}: ${others}.`
}
