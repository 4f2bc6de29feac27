/**
 * The editor with what was found in it: on the lines, and in a list beside them. All of it runs in
 * the page.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { checkPython, type Finding } from '../../../check/check'
import { apply } from '../../../check/edits'
import { measuredIn, type MeasuredCause } from '../../../check/measured'
import type { Problem } from '../../../exercises/syntax'
import { Findings } from './Findings'
import { ProfileBeside } from './ProfileBeside'
import { pythonLanguage } from '@codemirror/lang-python'
import { EditorView } from '@codemirror/view'
import { editing, openView } from '../../exercise/editor/code/editing'
import { Button } from '../Button'

/** CodeMirror for Python, with the parts of the exercises' editor. */
const createPythonEditor = (parent: HTMLElement, text: string, onChange: (text: string) => void) =>
  openView(parent, {
    text,
    label: 'Your training loop, in Python',
    state: editing(pythonLanguage, 4),
    more: [
      // The tabindex is for browsers that scroll it by key, and for axe.
      EditorView.contentAttributes.of({ tabindex: '0' }),
      EditorView.updateListener.of(({ state, docChanged }) => {
        if (docChanged) onChange(state.doc.toString())
      }),
    ],
  })

/** A pause in typing after which the text is checked. */
const PAUSE_MS = 250

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
  const editor = useRef<ReturnType<typeof createPythonEditor> | null>(null)
  const [text, setText] = useState(example)
  const [{ of, checked }, setChecked] = useState(() => ({ of: example, checked: checkPython(example) }))
  const [causes, setCauses] = useState<readonly MeasuredCause[]>([])
  const measured = useMemo(() => measuredIn(of, checked.findings, causes), [of, checked, causes])

  const make = useEffectEvent((parent: HTMLElement) => createPythonEditor(parent, text, setText))
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
          <Button look="small" label="Clear the editor" onClick={() => replaceText('')} />
          <Button look="small" label="Show the example" onClick={() => replaceText(example)} />
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
        onFix={({ fix }) => replaceText(apply(text, fix.edits))}
      />
    </div>
  )
}
