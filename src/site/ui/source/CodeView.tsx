/**
 * Source text with line numbers, the lines that the recorder saw marked by what the host did there,
 * and the one that runs lit.
 */
import { useEffect, useRef, type ReactNode } from 'react'
import type { SpanRole } from '../../../trace/schema'
import { formatNumber } from '../format'
import { Breakable } from '../prose/Inline'
import { CopyButton } from './CopyButton'
import { textOf, type HighlightedLines } from './lines'

interface LineMark {
  readonly role: SpanRole
  /** Of the host's time. */
  readonly share: number
}

export interface CodeViewProps {
  readonly title: string
  readonly lines: HighlightedLines
  /** By line, counted from 1. */
  readonly marks?: ReadonlyMap<number, LineMark>
  readonly lit?: { readonly line: number; readonly role: SpanRole } | null
}

const NO_MARKS: ReadonlyMap<number, LineMark> = new Map()

/** Hue of what the host did where it is not the host's own: the timeline's. */
const TONE: Partial<Readonly<Record<SpanRole, string>>> = {
  fill: 'staging',
  create: 'staging',
  'wait-map': 'wait',
  'wait-done': 'wait',
  'wait-staging': 'wait',
  'wait-batch': 'wait',
  send: 'wait',
  recv: 'wait',
  pass: 'device',
  'render-pass': 'device',
  copy: 'device',
}

const percent = (share: number): string =>
  share < 0.01 ? '< 1 %' : `${formatNumber(Math.round(share * 100))} %`

/**
 * Spaces at the start of a line, as run.css knows them: by twos, 12 at most. An attribute, since a
 * style in prerendered markup is refused by the policy.
 */
function indentOf(line: HighlightedLines[number]): number {
  const spaces = /^ */.exec(textOf([line]))?.[0].length ?? 0
  return Math.min(12, spaces - (spaces % 2))
}

interface CodeTextProps {
  readonly line: HighlightedLines[number]
  readonly children?: ReactNode
}

/** A line's text, with what may stand beside it. */
export const CodeText = ({ line, children }: CodeTextProps) => (
  <span className="code-text" data-indent={indentOf(line)}>
    {children}
    {line.map((token, at) =>
      typeof token === 'string' ? (
        <Breakable key={at} text={token} />
      ) : (
        <span key={at} className={`token-${token[1]}`}>
          <Breakable text={token[0]} />
        </span>
      ),
    )}
    {'\n'}
  </span>
)

export const CodeView = ({ title, lines, marks = NO_MARKS, lit = null }: CodeViewProps) => {
  const code = useRef<HTMLElement>(null)
  const litLine = lit?.line
  useEffect(() => {
    // Within its own scrolling box only: the page stays where it is.
    const line = litLine === undefined ? null : code.current?.children[litLine - 1]
    const box = line?.closest<HTMLElement>('[data-scrolls]')
    if (!(line instanceof HTMLElement) || !box) return
    const [at, shown] = [line.getBoundingClientRect(), box.getBoundingClientRect()]
    if (at.top < shown.top) box.scrollTop -= shown.top - at.top + at.height
    else if (at.bottom > shown.bottom) box.scrollTop += at.bottom - shown.bottom + at.height
  }, [litLine])
  return (
    <figure className="code-view panel shrinks">
      <figcaption className="code-head row split quiet small">
        <span>{title}</span>
        <CopyButton text={textOf(lines)} what={title} />
      </figcaption>
      <pre className="code">
        <code ref={code}>
          {lines.map((line, index) => {
            const number = index + 1
            const isLit = lit?.line === number
            const mark = marks.get(number)
            const role = isLit ? lit.role : mark?.role
            return (
              <span
                key={number}
                className={`code-line ${role === undefined ? '' : `code-tone-${TONE[role] ?? 'host'}`} ${isLit ? 'code-lit' : ''}`}
              >
                <span className="code-number" aria-hidden="true">
                  {number}
                </span>
                <CodeText line={line}>
                  {mark && (
                    <span
                      className="code-share bold tabular"
                      title={`${percent(mark.share)} of the host’s time`}
                    >
                      {percent(mark.share)}
                    </span>
                  )}
                </CodeText>
              </span>
            )
          })}
        </code>
      </pre>
    </figure>
  )
}
