/** Source text with line numbers, the lines that the recorder saw marked by what the host did there, and the one that runs lit. */
import { Fragment, useState } from 'react'
import type { SpanRole } from '../../trace/schema'
import { formatNumber } from '../format'
import { textOf, type HighlightedLines } from './highlighted'

export interface LineMark {
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

/** Hue of what the host did: the timeline's own. */
const TONE: Readonly<Record<SpanRole, string>> = {
  none: 'host',
  encode: 'host',
  submit: 'host',
  read: 'host',
  write: 'host',
  compute: 'host',
  fill: 'staging',
  'wait-map': 'wait',
  'wait-done': 'wait',
  'wait-staging': 'wait',
  pass: 'device',
  'render-pass': 'device',
  copy: 'device',
}

const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [said, setSaid] = useState('')
  return (
    <span className="copy no-print">
      <span role="status" className="small quiet">
        {said}
      </span>
      <button
        type="button"
        className="button button-small button-plain"
        aria-label={`Copy ${what}`}
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => {
              setSaid('Copied')
            },
            () => {
              setSaid('The browser did not allow it')
            },
          )
        }}
      >
        Copy
      </button>
    </span>
  )
}

const percent = (share: number): string =>
  share < 0.01 ? '< 1 %' : `${formatNumber(Math.round(share * 100))} %`

/** Where a line that is too long may be broken: before a member's dot, and after what opens a bracket; not within a name or a number. */
const BREAKS = /(?<![\d.])(?=\.)|(?<=[([])(?![)\]])/

/** `<wbr>` is not copied with the text. */
const Breakable = ({ text }: { readonly text: string }) =>
  text.split(BREAKS).map((piece, at) => (
    <Fragment key={at}>
      {/^\.(?!\.)/.test(piece) && <wbr />}
      {piece}
      {/[([]$/.test(piece) && <wbr />}
    </Fragment>
  ))

export const CodeView = ({ title, lines, marks = NO_MARKS, lit = null }: CodeViewProps) => (
  <figure className="code-view">
    <figcaption className="code-head">
      <span>{title}</span>
      <CopyButton text={textOf(lines)} what={title} />
    </figcaption>
    <pre className="code">
      <code>
        {lines.map((line, index) => {
          const number = index + 1
          const isLit = lit?.line === number
          const mark = marks.get(number)
          const role = isLit ? lit.role : mark?.role
          const indent = /^ */.exec(textOf([line]))?.[0].length ?? 0
          return (
            <span
              key={number}
              className={`code-line ${role === undefined ? '' : `code-tone-${TONE[role]}`} ${isLit ? 'code-lit' : ''}`}
            >
              <span className="code-number" aria-hidden="true">
                {number}
              </span>
              <span
                className="code-text"
                style={{ '--indent': `${String(indent + 2)}ch` } as React.CSSProperties}
              >
                {mark && (
                  <span className="code-share" title={`${percent(mark.share)} of the host’s time`}>
                    {percent(mark.share)}
                  </span>
                )}
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
            </span>
          )
        })}
      </code>
    </pre>
  </figure>
)

export { CopyButton }
