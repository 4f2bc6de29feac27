/**
 * The code editor of a mend, in a shadow root: CodeMirror's own styles then need no style element in the document, and the site's none in
 * the editor. Loaded by LazyCodeEditor.tsx, never at once. Tab leaves it, as it leaves every other field.
 */
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Problem } from '../../../exercises/problem'
import { createEditor, type Editor, type EditorHistory } from './code/editor'
import { Button } from '../../ui/Button'
import { SaidAtRest } from '../../ui/SaidAtRest'

/**
 * An editor and what keeps its text: each change goes out, and comes back as the value a moment later. Such an echo must never be taken
 * for a change from outside, or it would undo what was typed meanwhile.
 */
export function createValueEcho() {
  let underWay: string[] = []
  return {
    /** The editor has passed this text out. */
    passedOut: (text: string) => underWay.push(text),
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

/** What is wrong with the program, for all who cannot hover over a mark: each sentence leads to its line. */
/** Announced once typing has paused: half a word is nearly always a syntax error. */
const ANNOUNCED_AFTER_MS = 1500

interface ProblemListProps {
  readonly problems: readonly Problem[]
  readonly onGoTo: (problem: Problem) => void
}

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
  /** A change that the editor did not make itself becomes a step of its history: undo brings back what was there. */
  readonly value: string
  /** The program that the exercise begins with: the editor is as high. */
  readonly start: string
  /** The editor's accessible name, as long as it is shown. */
  readonly label: string
  /** Of the text that was last run. They move with it as it changes, until others are passed. */
  readonly problems: readonly Problem[]
  /** From 1; null: none. */
  readonly litLine: number | null
  /** The hue of what the host does in that line. */
  readonly litTone: 'host' | 'wait'
  readonly onChange: (text: string) => void
  /** Ctrl or Cmd with Enter. */
  readonly onRun: () => void
  readonly onHistory: (history: EditorHistory) => void
  readonly ref: Ref<Editor | null>
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
  const historyChanged = useEffectEvent(onHistory)
  const make = useEffectEvent((parent: HTMLElement, name: CodeEditorProps['language']) =>
    createEditor(
      parent,
      name,
      { text: value, label },
      {
        onChange: (text) => changed(text),
        onRun: () => run(),
        onHistory: (history) => historyChanged(history),
        onProblems: setMarked,
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

  useImperativeHandle<Editor | null, Editor | null>(ref, () => editor.current)

  return (
    <div className="code-editor shrinks" data-testid="code-editor">
      <div ref={host} className="shrinks" />
      <ProblemList problems={marked} onGoTo={({ line, column }) => editor.current?.goTo(line, column)} />
    </div>
  )
}
