/**
 * The code editor of a mend, in a shadow root: CodeMirror's own styles then need no style element
 * in the document, and the site's none in the editor. Loaded by Program.tsx, never at once. Tab
 * leaves it, as it leaves every other field.
 */
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type Ref,
} from 'react'
import type { Problem } from '../../../exercises/syntax'
import { createEditor, type Editor } from './code/editor'
import { Button } from '../../ui/Button'
import { SaidAtRest } from '../../ui/SaidAtRest'

/** Announced once typing has paused: half a word is nearly always a syntax error. */
const ANNOUNCED_AFTER_MS = 1500

interface ProblemListProps {
  readonly problems: readonly Problem[]
  readonly onGoTo: (problem: Problem) => void
}

/**
 * What is wrong with the program, for all who cannot hover over a mark: each sentence leads to its
 * line.
 */
export const ProblemList = ({ problems, onGoTo }: ProblemListProps) => {
  const sentences = problems.map(({ line, message }) => `Line ${String(line)}: ${message}`)
  return (
    <>
      <SaidAtRest text={sentences.join(' ')} restMs={ANNOUNCED_AFTER_MS} />
      {problems.length > 0 && (
        <ul className="editor-problems small stack-4" aria-label="Problems in the program">
          {problems.map((problem, at) => (
            <li key={at} className={`editor-problem editor-problem-${problem.severity}`}>
              <Button look="link" onClick={() => onGoTo(problem)}>
                Line {problem.line}
              </Button>
              {': '}
              {problem.message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export interface CodeEditorProps {
  readonly language: 'javascript' | 'wgsl'
  /** What it begins with. */
  readonly text: string
  /** The program that the exercise begins with: the editor is as high. */
  readonly start: string
  /** The editor's accessible name, as long as it is shown. */
  readonly label: string
  /** Of the text that was last run, and to be told elsewhere. */
  readonly problems: readonly Problem[]
  /** From 1; null: none. */
  readonly litLine: number | null
  /** The hue of what the host does in that line. */
  readonly litTone: 'host' | 'wait'
  readonly onChange: (text: string) => void
  /** Ctrl or Cmd with Enter. */
  readonly onRun: () => void
  readonly ref: Ref<Editor | null>
}

const FEWEST_LINES = 6

export const CodeEditor = ({
  language,
  text,
  start,
  label,
  problems,
  litLine,
  litTone,
  onChange,
  onRun,
  ref,
}: CodeEditorProps) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const [syntax, setSyntax] = useState<readonly Problem[]>([])

  const changed = useEffectEvent(onChange)
  const run = useEffectEvent(onRun)
  const make = useEffectEvent((parent: HTMLElement, name: CodeEditorProps['language']) =>
    createEditor(
      parent,
      name,
      { text, label },
      {
        onChange: (next) => changed(next),
        onRun: () => run(),
        onSyntax: setSyntax,
      },
    ),
  )

  useLayoutEffect(() => {
    if (!host.current) return
    const made = make(host.current, language)
    editor.current = made
    return () => {
      editor.current = null
      made.destroy()
    }
  }, [language])

  useEffect(() => {
    editor.current?.setProblems([...problems, ...syntax])
  }, [problems, syntax, language])
  useEffect(() => {
    editor.current?.setLitLine(litLine)
  }, [litLine, language])

  const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
  const lines = Math.max(FEWEST_LINES, start.split('\n').length)

  useImperativeHandle<Editor | null, Editor | null>(ref, () => editor.current)

  return (
    <div className="code-editor shrinks" data-testid="code-editor">
      <div
        ref={host}
        className="shrinks"
        style={{ '--editor-lines': lines, '--lit-tone': `var(--${litTone})` } as CSSProperties}
      />
      <p className="editor-keys small quiet no-print">
        {mod} Enter runs the program. Tab leaves the editor; {mod} ] indents. F8: next problem.
      </p>
      <ProblemList problems={syntax} onGoTo={({ line, column }) => editor.current?.goTo(line, column)} />
    </div>
  )
}
