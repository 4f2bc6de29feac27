/** Source text with line numbers, its regions named above their first line, and the lines that run lit. */
import { useState } from 'react'
import type { CodeRegion } from '../../lessons/lesson'
import { formatNumber } from '../format'
import { textOf, type HighlightedLines } from './highlighted'

export interface CodeViewProps {
  readonly title: string
  readonly lines: HighlightedLines
  readonly regions?: Readonly<Record<number, CodeRegion>>
  /** The region that runs now. */
  readonly lit?: CodeRegion | null
  /** Share of the host's time that each region took, for the margin. */
  readonly shares?: Readonly<Partial<Record<CodeRegion, number>>>
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

export const CodeView = ({ title, lines, regions = {}, lit = null, shares = {} }: CodeViewProps) => (
  <figure className="code-view">
    <figcaption className="code-head">
      <span>{title}</span>
      <CopyButton text={textOf(lines)} what={title} />
    </figcaption>
    <pre className="code">
      <code>
        {lines.map((line, index) => {
          const number = index + 1
          const region = regions[number]
          const isFirst = region !== undefined && regions[number - 1] !== region
          const share = region === undefined ? undefined : shares[region]
          const indent = /^ */.exec(textOf([line]))?.[0].length ?? 0
          return (
            <span
              key={number}
              className={`code-line ${region === undefined ? '' : `code-region-${region}`} ${region !== undefined && region === lit ? 'code-lit' : ''}`}
            >
              {isFirst && (
                <span className="code-label" style={{ marginInlineStart: `${String(indent)}ch` }}>
                  <span>{region}</span>
                  {share !== undefined && <span className="code-share">{percent(share)}</span>}
                </span>
              )}
              <span className="code-number" aria-hidden="true">
                {number}
              </span>
              <span
                className="code-text"
                style={{ '--indent': `${String(indent + 2)}ch` } as React.CSSProperties}
              >
                {line.map((token, at) =>
                  typeof token === 'string' ? (
                    token
                  ) : (
                    <span key={at} className={`token-${token[1]}`}>
                      {token[0]}
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
