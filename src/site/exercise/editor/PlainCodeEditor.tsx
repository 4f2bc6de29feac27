/** Where CodeMirror could not be loaded: the same program in a plain field, so that a lost connection does not stop a learner. */
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type KeyboardEvent } from 'react'
import type { CodeEditorProps } from './code-editor-props'
import { ProblemList } from './ProblemList'

/** The start of a line (from 1) and a column (from 0), as an offset into `text`. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  return Math.min(before + Math.min(column, lines[line - 1]?.length ?? 0), text.length)
}

export const PlainCodeEditor = ({
  value,
  label,
  problems,
  isReadOnly = false,
  onChange,
  onRun,
  onHistory,
  ref,
}: CodeEditorProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const goTo = (line: number, column: number) => {
    const at = offsetOf(value, line, column)
    field.current?.focus()
    field.current?.setSelectionRange(at, at)
  }
  // The field has a history of its own, which no page can see.
  const tellHistory = useEffectEvent(() => onHistory?.({ canUndo: false, canRedo: false }))
  useEffect(() => {
    tellHistory()
  }, [])
  useImperativeHandle(ref, () => ({
    undo: () => undefined,
    redo: () => undefined,
    focus: () => field.current?.focus(),
    goTo,
  }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onRun()
  }
  return (
    <div className="code-editor shrinks" data-testid="plain-code-editor">
      <p className="small quiet">
        The editor could not be loaded. This plain field works too; loading the page again may bring the
        editor.
      </p>
      <textarea
        ref={field}
        className="code-editor-plain breaks wide"
        aria-label={label}
        rows={Math.max(6, value.split('\n').length)}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        readOnly={isReadOnly}
        value={value}
        onChange={({ target }) => {
          onChange(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <ProblemList
        problems={problems}
        onGoTo={({ line, column }) => {
          goTo(line, column)
        }}
      />
    </div>
  )
}
