/**
 * One cause among those of a verdict: what a step would gain without it, what the file shows, where
 * in the program, what to change.
 */
import { Button } from '../Button'
import { formatShare } from '../format'
import { lessonIndex } from 'virtual:lesson-index'
import { durationRangeText, durationText, plain } from '../../../base/figures'
import type { Example, Finding, Gain, SourceLine } from '../../../analysis/findings'
import { addressOf, lessonRoute } from '../../state/url'
import { Words } from '../prose/Inline'

/** Null where there is nothing to show. */
export const showOf = (example: Example | null, show: (example: Example) => void): (() => void) | null =>
  example && (() => show(example))

const Source = ({ source: { file, line, name, method, share } }: { readonly source: SourceLine }) => (
  <p className="small finding-source" data-testid="finding-source">
    <code>
      {file}({line}): {name}
    </code>
    {method !== null && (
      <>
        {' '}
        calls <code>.{method}()</code>
      </>
    )}
    {share < 0.995 && `, ${formatShare(share)} of it`}
    <span className="visually-hidden">. The line is where the function begins.</span>
  </p>
)

/** To the lesson that mends it, where there is one. @param mends a cause, or a verdict */
export const LessonLink = ({ mends }: { readonly mends: string }) => {
  const head = lessonIndex.find((lesson) => lesson.mends.includes(mends))
  if (!head) return null
  return (
    <a className="small" href={addressOf(lessonRoute(head.id))}>
      Lesson {head.number}: {head.question}
    </a>
  )
}

const Without = ({ without: { stepUs, low, high } }: { readonly without: Gain }) => (
  <p className="small" data-testid="finding-without">
    A step without it: <strong>{durationText(stepUs * 1e3)} predicted</strong>,{' '}
    {durationRangeText(low * 1e3, high * 1e3)}.
  </p>
)

/** '1.26×' */
export const factor = (gain: number): string => `${plain(gain, gain < 1.1 ? 3 : 2)}×`

interface DetailsProps {
  readonly finding: Finding
  /** The verdict's own sentence says what it gains. */
  readonly isFirst: boolean
}

const Details = ({ finding: { evidence, line, mend, without, together }, isFirst }: DetailsProps) => (
  <>
    <p className="small">
      <Words text={evidence} />
    </p>
    {without && !together && !isFirst && <Without without={without} />}
    {line && <Source source={line} />}
    <p className="small">{mend}</p>
  </>
)

export interface FindingRowProps {
  readonly finding: Finding
  /** The first is open; the others show their line. */
  readonly isFirst: boolean
  /** Null where its example has no place in the timeline. */
  readonly onShow: (() => void) | null
}

export const FindingRow = ({ finding, isFirst, onShow }: FindingRowProps) => {
  const { cause, title, share, without, together } = finding
  const shown = together
    ? `together ${factor(together.gain.gain)}`
    : without
      ? factor(without.gain)
      : formatShare(share)
  return (
    <li className="finding start stack-6" data-cause={cause} data-testid="finding">
      <div className="finding-head baseline row wide">
        <span className="finding-share tabular nowrap">{shown}</span>
        <h3>{title}</h3>
        {onShow && (
          <Button
            look="small"
            className="no-print"
            label="Show it"
            aria-label={`Show it: ${title}, the longest`}
            onClick={onShow}
          />
        )}
      </div>
      <div className="finding-bar wide forced-keep" aria-hidden="true">
        <span style={{ inlineSize: `${String(100 * Math.min(1, share))}%` }} />
      </div>
      {isFirst ? (
        <Details finding={finding} isFirst />
      ) : (
        <details>
          <summary>
            What the file shows<span className="visually-hidden">: {title}</span>
          </summary>
          <Details finding={finding} isFirst={false} />
        </details>
      )}
      <LessonLink mends={cause} />
    </li>
  )
}
