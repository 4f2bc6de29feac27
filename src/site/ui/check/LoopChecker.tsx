/**
 * The editor with what was found in it: on the lines, and in a list beside them. All of it runs in
 * the page.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { checkPython, type Finding } from '../../../check/check'
import { apply } from '../../../check/edits'
import { type MeasuredCause, measuredIn } from '../../../check/measured'
import type { Problem } from '../../../exercises/problem'
import { Findings } from './Findings'
import { ProfileBeside } from './ProfileBeside'
import { pythonLanguage } from '@codemirror/lang-python'
import { indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { editing, normalise, replacement, steadyCaret, wrapping } from '../../exercise/editor/code/editing'
import { lightLine } from '../../exercise/editor/code/lit-line'
import { markProblems } from '../../exercise/editor/code/problem-marks'
import { theme } from '../../exercise/editor/code/theme'
import { Button } from '../Button'

/**
 * CodeMirror for Python, in a shadow root, with the parts of the exercises' editor. Loaded by this
 * page alone.
 */
interface PythonEditor {
  /** One step of the history. */
  readonly replaceText: (text: string) => void
  readonly setProblems: (problems: readonly Problem[]) => void
  readonly setLitLine: (line: number | null) => void
  /** `line` from 1, `column` from 0. */
  readonly goTo: (line: number, column: number) => void
  readonly destroy: () => void
}

function createPythonEditor(
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

/** A pause in typing after which the text is checked. */
const PAUSE_MS = 250
const LABEL = 'Your training loop, in Python'

/** A mark stands on one line: a finding of several marks its first. */
const problemOf = ({ line, column, endLine, endColumn, title }: Finding): Problem => ({
  line,
  column,
  ...(endLine === line ? { endColumn } : { endColumn: Number.MAX_SAFE_INTEGER }),
  message: title.replaceAll('`', ''),
  severity: 'warning',
})

export const LoopChecker = ({ example }: { readonly example: string }) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<PythonEditor | null>(null)
  const [text, setText] = useState(example)
  const [{ of, checked }, setChecked] = useState(() => ({ of: example, checked: checkPython(example) }))
  const [causes, setCauses] = useState<readonly MeasuredCause[]>([])
  const measured = useMemo(() => measuredIn(of, checked.findings, causes), [of, checked, causes])

  const make = useEffectEvent((parent: HTMLDivElement) => {
    // A shadow root stays with its element: React's strict mode mounts twice.
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
    return createPythonEditor(root, { text, label: LABEL }, setText)
  })
  useLayoutEffect(() => {
    if (!host.current) return
    const made = make(host.current)
    editor.current = made
    return () => {
      editor.current = null
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const pause = setTimeout(() => setChecked({ of: text, checked: checkPython(text) }), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  useEffect(() => {
    editor.current?.setProblems(checked.findings.map(problemOf))
  }, [checked])

  const replaceText = (next: string) => editor.current?.replaceText(next)
  return (
    <div className="loop-checker">
      <div className="shrinks stack-12 top">
        <div ref={host} className="loop-editor shrinks" data-testid="code-editor" />
        <div className="button-row">
          <Button
            look="small"
            label="Empty the editor"
            onClick={() => {
              replaceText('')
            }}
          />
          <Button
            look="small"
            label="Show the example"
            onClick={() => {
              replaceText(example)
            }}
          />
        </div>
        <ProfileBeside
          measured={measured}
          onCauses={setCauses}
          onGoTo={(line) => editor.current?.goTo(line, 0)}
        />
      </div>
      <Findings
        checked={checked}
        measured={measured.findings}
        onGoTo={(line, column) => editor.current?.goTo(line, column)}
        onPoint={(line) => editor.current?.setLitLine(line)}
        onFix={({ fix }) => {
          replaceText(apply(text, fix.edits))
        }}
      />
    </div>
  )
}
