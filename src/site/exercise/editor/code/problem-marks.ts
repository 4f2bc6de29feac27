/**
 * Problems as marks in the text. Those that were passed in belong to the text that was run, and move with it as it changes; those of the
 * syntax are found anew. Both are one set for CodeMirror, distinguished by a class.
 */
import { forEachDiagnostic, setDiagnostics, setDiagnosticsEffect, type Diagnostic } from '@codemirror/lint'
import { RangeSet, StateField, type EditorState, type TransactionSpec } from '@codemirror/state'
import { GutterMarker, gutterLineClass } from '@codemirror/view'
import type { Problem } from '../../../../exercises/syntax'

export type FoundBy = 'passed' | 'syntax'
const CLASS: Readonly<Record<FoundBy, string>> = { passed: 'cm-problem-passed', syntax: 'cm-problem-syntax' }

/** A place that is no longer there is moved to the nearest one that is. */
function toDiagnostic({ doc }: EditorState, problem: Problem, by: FoundBy): Diagnostic {
  const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines))
  const inLine = (column: number): number => line.from + Math.min(Math.max(column, 0), line.length)
  const from = inLine(problem.column)
  const word = /^(?:[\p{ID_Continue}$]+|\S)/u.exec(doc.sliceString(from, line.to))?.[0].length ?? 0
  const to = problem.endColumn === undefined ? from + word : Math.max(from, inLine(problem.endColumn))
  // At the end of a line there is nothing to underline but what stands before.
  return {
    from: to > from ? from : Math.max(line.from, from - 1),
    to,
    severity: problem.severity,
    message: problem.message,
    markClass: CLASS[by],
  }
}

/** Replaces what was found in one way, and leaves what was found in the other where it now stands. */
export function markProblems(state: EditorState, problems: readonly Problem[], by: FoundBy): TransactionSpec {
  const found = problems.map((problem) => toDiagnostic(state, problem, by))
  const others: Diagnostic[] = []
  forEachDiagnostic(state, (diagnostic, from, to) => {
    if (diagnostic.markClass !== CLASS[by]) others.push({ ...diagnostic, from, to })
  })
  const both = by === 'passed' ? [...found, ...others] : [...others, ...found]
  const isNew = (each: Diagnostic, at: number): boolean =>
    both.findIndex(
      ({ from, message }) =>
        message === each.message && doc.lineAt(from).number === doc.lineAt(each.from).number,
    ) === at
  const { doc } = state
  return setDiagnostics(
    state,
    both.filter(isNew).sort((a, b) => a.from - b.from),
  )
}

/** All of them, or those found in one way, in the order of the text, where they now stand. */
export function problemsIn(state: EditorState, by?: FoundBy): readonly Problem[] {
  const problems: Problem[] = []
  forEachDiagnostic(state, ({ message, severity, markClass }, from, to) => {
    if (by && markClass !== CLASS[by]) return
    const line = state.doc.lineAt(from)
    problems.push({
      line: line.number,
      column: from - line.from,
      endColumn: Math.min(to, line.to) - line.from,
      message,
      severity: severity === 'error' ? 'error' : 'warning',
    })
  })
  return problems.sort((a, b) => a.line - b.line || a.column - b.column)
}

class LineOfProblem extends GutterMarker {
  override readonly elementClass: string
  constructor(severity: Problem['severity']) {
    super()
    this.elementClass = `cm-problem-${severity}`
  }
}
const MARKER = { error: new LineOfProblem('error'), warning: new LineOfProblem('warning') }

/** Line numbers at which there is a problem. */
export const problemLines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (lines, transaction) => {
    if (!transaction.effects.some((effect) => effect.is(setDiagnosticsEffect)))
      return lines.map(transaction.changes)
    const { doc } = transaction.state
    const byLine = new Map<number, GutterMarker>()
    for (const { line, severity } of problemsIn(transaction.state)) {
      const { from } = doc.line(line)
      if (severity === 'error' || !byLine.has(from)) byLine.set(from, MARKER[severity])
    }
    return RangeSet.of(
      [...byLine].map(([from, marker]) => marker.range(from)),
      true,
    )
  },
  provide: (field) => gutterLineClass.from(field),
})
