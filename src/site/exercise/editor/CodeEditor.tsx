/**
 * The code editor of a mend, in a shadow root: CodeMirror's own styles then need no style element in the document, and the site's none in
 * the editor. Loaded by LazyCodeEditor.tsx, never at once. Tab leaves it, as it leaves every other field.
 */
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Problem } from '../../../exercises/problem'
import { createEditor, type Editor } from './code/editor'
import type { CodeEditorProps } from './code-editor-props'
import { ProblemList } from './ProblemList'

/**
 * An editor and what keeps its text: each change goes out, and comes back as the value a moment later. Such an echo must never be taken
 * for a change from outside, or it would undo what was typed meanwhile.
 */
export function createValueEcho() {
  let underWay: string[] = []
  return {
    /** The editor has passed this text out. */
    passedOut: (text: string) => {
      underWay.push(text)
    },
    /** Whether `value` came from elsewhere and is to be shown instead of `shown`. */
    isForeign: (value: string, shown: string): boolean => {
      if (value === shown) {
        underWay = []
        return false
      }
      const at = underWay.lastIndexOf(value)
      underWay = underWay.slice(at + 1)
      if (at === -1) underWay = []
      return at === -1
    },
  }
}

const FEWEST_LINES = 6

export const CodeEditor = ({
  language,
  value,
  start,
  label,
  problems,
  litLine,
  litTone,
  onChange,
  onRun,
  onHistory,
  ref,
}: CodeEditorProps) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const [echo] = useState(createValueEcho)
  const [marked, setMarked] = useState<readonly Problem[]>([])

  const changed = useEffectEvent((text: string) => {
    echo.passedOut(text)
    onChange(text)
  })
  const run = useEffectEvent(onRun)
  const historyChanged = useEffectEvent((history: { canUndo: boolean; canRedo: boolean }) =>
    onHistory(history),
  )
  const make = useEffectEvent((parent: HTMLDivElement, name: CodeEditorProps['language']): Editor => {
    // A shadow root stays with its element: React's strict mode mounts twice.
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
    return createEditor(
      root,
      name,
      { text: value, label },
      {
        onChange: (text) => changed(text),
        onRun: () => run(),
        onHistory: (history) => historyChanged(history),
        onProblems: setMarked,
      },
    )
  })

  useLayoutEffect(() => {
    if (!host.current) return
    const made = make(host.current, language)
    editor.current = made
    return () => {
      editor.current = null
      made.destroy()
    }
  }, [language])

  useLayoutEffect(() => {
    const { current } = editor
    if (current && echo.isForeign(value, current.text())) current.replaceText(value)
  }, [value, echo])
  useEffect(() => {
    editor.current?.setProblems(problems)
  }, [problems, language])
  useEffect(() => {
    editor.current?.setLitLine(litLine)
  }, [litLine, language])

  const lines = Math.max(FEWEST_LINES, start.split('\n').length)
  useLayoutEffect(() => {
    host.current?.style.setProperty('--editor-lines', String(lines))
  }, [lines])
  useLayoutEffect(() => {
    host.current?.style.setProperty('--lit-tone', `var(--${litTone})`)
  }, [litTone])

  useImperativeHandle(
    ref,
    () => ({
      undo: () => editor.current?.undo(),
      redo: () => editor.current?.redo(),
      focus: () => editor.current?.focus(),
      goTo: (line, column) => editor.current?.goTo(line, column),
    }),
    [],
  )

  return (
    <div className="code-editor shrinks" data-testid="code-editor">
      <div ref={host} className="shrinks" />
      <ProblemList problems={marked} onGoTo={({ line, column }) => editor.current?.goTo(line, column)} />
    </div>
  )
}
