/**
 * The editor with what was found in it: on the lines, and in a list beside them. All of it runs in
 * the page.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Checked, checkPython, type Finding } from '../../../check/check'
import { apply } from '../../../check/edits'
import { type Measured, type MeasuredCause, measuredIn } from '../../../check/measured'
import type { Problem } from '../../../exercises/syntax'
import { costWords, ProfileBeside } from './ProfileBeside'
import { pythonLanguage } from '@codemirror/lang-python'
import { EditorView } from '@codemirror/view'
import { editing, openView } from '../../exercise/editor/code/editing'
import { Button } from '../Button'
import { WAIT_IS_FREE } from '../../../check/rule'
import { Inline } from '../prose/Inline'
import { CopyButton } from '../source/CopyButton'
import { LessonLink } from '../verdict/FindingRow'

/** The list of findings, each with its reason and its fix, and the open questions. */

interface FindingsProps {
  readonly checked: Checked
  /** Those that a profile measured. */
  readonly measured: Measured['findings']
  readonly onGoTo: (line: number, column: number) => void
  /** Null: no line any more. */
  readonly onPoint: (line: number | null) => void
  readonly onFix: (finding: Finding) => void
}

const summary = ({ findings, loop }: Checked): string => {
  if (findings.length > 0)
    return findings.length === 1 ? '1 line to look at' : `${String(findings.length)} lines to look at`
  if (loop === null) return 'No training loop found yet'
  return 'Nothing found'
}

const hint = ({ findings, loop }: Checked): string => {
  if (findings.length > 0)
    return `Open a line for the reason and the fix. ${WAIT_IS_FREE} A profile shows how much.`
  if (loop === null)
    return 'Paste the loop with the lines that create the model, the optimizer and the loader. A training loop calls backward().'
  return 'No line of the loop stops the host, as far as the code shows. Record a profile to see what does.'
}

const Findings = ({ checked, measured, ...actions }: FindingsProps) => (
  <section className="loop-findings stack-16 top shrinks" aria-labelledby="loop-findings-title">
    <div className="stack-4" role="status">
      <h2 id="loop-findings-title">{summary(checked)}</h2>
      <p className="small quiet">{hint(checked)}</p>
      {checked.unread.length > 0 && (
        <p className="small warn">Line {checked.unread.slice(0, 5).join(', ')} can’t be read as Python 3.</p>
      )}
    </div>
    <ol className="stack-8">
      {checked.findings.map((finding, index) => (
        <Row
          key={`${finding.rule}:${String(finding.line)}:${String(finding.column)}`}
          finding={finding}
          isFirst={index === 0}
          cost={measured.get(finding) ?? null}
          {...actions}
        />
      ))}
    </ol>
    {checked.questions.length > 0 && (
      <div className="stack-8">
        <h3>What the code doesn’t show</h3>
        <ul className="stack-6 small">
          {checked.questions.map(({ line, column, text }) => (
            <li key={`${String(line)}:${text}`}>
              <Button look="link" onClick={() => actions.onGoTo(line, column)}>
                Line {line}
              </Button>
              : <Inline text={text} />
            </li>
          ))}
        </ul>
      </div>
    )}
  </section>
)

const Row = ({
  finding,
  isFirst,
  cost,
  onGoTo,
  onPoint,
  onFix,
}: Omit<FindingsProps, 'checked' | 'measured'> & {
  readonly finding: Finding
  /** The first is open: it shows what a finding says. */
  readonly isFirst: boolean
  readonly cost: MeasuredCause | null
}) => {
  const { rule, kind, line, column, title, text, unless, next, via, fix, cause } = finding
  return (
    <li
      className="loop-finding panel"
      data-kind={kind}
      data-rule={rule}
      onPointerEnter={() => onPoint(line)}
      onPointerLeave={() => onPoint(null)}
    >
      <details open={isFirst}>
        <summary>
          <span className="bold tabular nowrap">Line {line}</span> <Inline text={title} />
        </summary>
        <div className="stack-8 small">
          <p>
            <Inline text={text} />
          </p>
          {via.length > 0 && (
            <p className="quiet">The loop gets here through {via.map((name) => `${name}()`).join(', ')}.</p>
          )}
          {next !== null && (
            <p>
              <Inline text={next} />
            </p>
          )}
          {cost && (
            <p>
              <strong>In your profile:</strong> {costWords(cost)}.
            </p>
          )}
          {unless !== WAIT_IS_FREE && (
            <p className="quiet">
              <Inline text={unless} />
            </p>
          )}
          <p>
            <strong>Instead:</strong> <Inline text={fix.instead} />
          </p>
          {fix.diff !== null && (
            <div className="loop-diff">
              <pre className="code code-plain breaks">
                {fix.diff.split('\n').map((each, at) =>
                  each.startsWith('@@') ? null : (
                    <span key={at} data-sign={each[0]}>
                      {each}
                      {'\n'}
                    </span>
                  ),
                )}
              </pre>
              <div className="button-row">
                <Button look="small" label="Fix it here" onClick={() => onFix(finding)} />
                <CopyButton text={fix.diff} what={`the fix of line ${String(line)}`} />
              </div>
            </div>
          )}
          <p className="cluster-4-16">
            <Button look="link" label="Go to the line" onClick={() => onGoTo(line, column)} />
            <LessonLink mends={cause} />
            {finding.sources[0] !== undefined && (
              <a href={finding.sources[0]} rel="noreferrer">
                Source
              </a>
            )}
          </p>
        </div>
      </details>
    </li>
  )
}

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
