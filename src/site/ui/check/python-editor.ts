/**
 * CodeMirror for Python, in a shadow root, with the parts of the exercises' editor. Loaded by this
 * page alone.
 */
import { pythonLanguage } from '@codemirror/lang-python'
import { indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import type { Problem } from '../../../exercises/problem'
import { editing, normalise, replacement } from '../../exercise/editor/code/editing'
import { lightLine } from '../../exercise/editor/code/lit-line'
import { markProblems } from '../../exercise/editor/code/problem-marks'
import { steadyCaret } from '../../exercise/editor/code/steady-caret'
import { theme } from '../../exercise/editor/code/theme'
import { wrapping } from '../../exercise/editor/code/wrapping'

export interface PythonEditor {
  /** One step of the history. */
  readonly replaceText: (text: string) => void
  readonly setProblems: (problems: readonly Problem[]) => void
  readonly setLitLine: (line: number | null) => void
  /** `line` from 1, `column` from 0. */
  readonly goTo: (line: number, column: number) => void
  readonly destroy: () => void
}

export function createPythonEditor(
  root: ShadowRoot,
  { text, label }: { readonly text: string; readonly label: string },
  onChange: (text: string) => void,
): PythonEditor {
  const view = new EditorView({
    root,
    parent: root,
    doc: normalise(text),
    extensions: [
      lineNumbers(),
      indentUnit.of('    '),
      EditorState.tabSize.of(4),
      editing(pythonLanguage),
      EditorView.lineWrapping,
      wrapping,
      steadyCaret(),
      theme,
      // The tabindex is for browsers that scroll it by key, and for axe.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(({ state, docChanged }) => {
        if (docChanged) onChange(state.doc.toString())
      }),
    ],
  })
  // Outside the shadow root an event comes from its host, which no shortcut of the page takes for a
  // field.
  const keepKey = (event: Event) => event.stopPropagation()
  root.addEventListener('keydown', keepKey)
  return {
    replaceText: (next) => view.dispatch(replacement(view.state, next)),
    setProblems: (problems) => view.dispatch(markProblems(view.state, problems, 'passed')),
    setLitLine: (line) => lightLine(view, line),
    goTo: (line, column) => {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
      const anchor = Math.min(at.from + Math.max(column, 0), at.to)
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    destroy: () => {
      root.removeEventListener('keydown', keepKey)
      view.destroy()
    },
  }
}
