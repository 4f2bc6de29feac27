/**
 * A learner's program in the editor, and the row above it: what was done is undone, the start comes
 * back; and whether the code is kept.
 */
import { Suspense, type RefObject } from 'react'
import type { Problem } from '../../../exercises/syntax'
import type { ExcerptBar } from '../../../strips/excerpt'
import { Button } from '../../ui/Button'
import { lazyPage } from '../../ui/lazy-page'
import type { Code, OpenExercise } from '../store'
import type { Editor } from './code/editor'
import type { CodeEditorProps } from './CodeEditor'
import './editor.css'

interface EditorToolbarProps {
  readonly code: Code
  readonly onUndo: () => void
  /** Asks nothing: undo brings the text back. */
  readonly onReset: () => void
}

/**
 * @internal One that is off keeps the focus: pressing it again and again must not throw the
 * keyboard out.
 */
export const EditorToolbar = ({ code: { text, start, isKept }, onUndo, onReset }: EditorToolbarProps) => (
  <div className="editor-toolbar cluster split no-print">
    <div className="button-row" role="group" aria-label="Editing">
      <Button look="small" label="Undo" onClick={onUndo} />
      <Button look="small" label="Reset to start" isOff={text === start} onClick={onReset} />
    </div>
    <p className={`small ${isKept ? 'quiet' : 'warn'}`} role="status">
      {isKept
        ? 'Kept on this device.'
        : 'Not kept: this browser’s storage is blocked or full. Your code lasts as long as this page.'}
    </p>
  </div>
)

const editor = lazyPage<CodeEditorProps>(async () => (await import('./CodeEditor')).CodeEditor)

/** As high as the editor will be, to a line that breaks elsewhere. */
const Waiting = ({ text, label }: CodeEditorProps) => (
  <div className="code-editor shrinks" aria-busy="true" data-testid="code-editor-waiting">
    <pre className="code-editor-waiting breaks wide" aria-label={label}>
      <code>
        {text.split('\n').map((line, at) => (
          <span key={at} className="code-editor-waiting-line">
            {line}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  </div>
)

/** @internal CodeMirror is loaded when this is first drawn. */
export const LazyCodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<Waiting {...props} />}>
    <editor.Page {...props} />
  </Suspense>
)

interface ProgramProps {
  readonly ref: RefObject<Editor | null>
  readonly exercise: OpenExercise
  readonly code: Code
  readonly label: string
  readonly problems: readonly Problem[]
  /** The bar whose line is lit. */
  readonly lit: ExcerptBar | null
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

export const Program = ({ ref, exercise, code, label, problems, lit, onChange, onRun }: ProgramProps) => {
  const { language, start } = exercise
  return (
    <>
      <EditorToolbar
        code={code}
        onUndo={() => ref.current?.undo()}
        onReset={() => ref.current?.replaceText(start)}
      />
      <LazyCodeEditor
        {...{ ref, language, start, label, problems, onChange, onRun }}
        text={code.text}
        litLine={lit?.line ?? null}
        litTone={lit?.kind === 'host-wait' ? 'wait' : 'host'}
      />
    </>
  )
}
