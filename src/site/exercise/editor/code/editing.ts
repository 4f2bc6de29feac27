/** What the state of an editor is made of, but for what belongs to a view on a page. */
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { nextDiagnostic, previousDiagnostic } from '@codemirror/lint'
import { Annotation, EditorState, type Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { listing } from './colours'
import { litLine } from './lit-line'
import { problemLines } from './problem-marks'

export const fromOutside = Annotation.define<true>()

/** CodeMirror's own line ends. */
export const normalise = (text: string): string => text.replace(/\r\n?/g, '\n')

/** What the two share at either end stays, and with it the caret and every mark there. */
function smallestChange(from: string, to: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start += 1
  let end = 0
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) }
}

export const editing = (language: Extension): Extension => [
  history(),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  language,
  indentOnInput(),
  bracketMatching(),
  syntaxHighlighting(listing),
  litLine,
  problemLines,
  // Tab is not bound: it leaves the editor, as everywhere on the page. Mod-[ and Mod-] indent.
  keymap.of([
    { key: 'F8', run: nextDiagnostic },
    { key: 'Shift-F8', run: previousDiagnostic },
    ...defaultKeymap,
    ...historyKeymap,
  ]),
]

export const replacement = (state: EditorState, text: string) => ({
  changes: smallestChange(state.doc.toString(), normalise(text)),
  annotations: [fromOutside.of(true), isolateHistory.of('full')],
})
