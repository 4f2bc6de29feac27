/** The selected span, gap or counter in figures, each with its bound and where it was read; in short, what lies under the pointer. */
import { type ReactNode, useEffect, useState } from 'react'
import {
  type Description,
  formatDuration,
  formatTime,
  type SubmissionTime,
  describeTarget,
  type Fact,
  formatCount,
  type Merged,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'
import { TargetSwatch } from './Swatch'
import { Button } from '../Button'
import { HeadRow } from '../ScrollTable'

const Facts = ({ facts }: Pick<Description, 'facts'>) => (
  <dl className="tl-facts">
    {facts.map(({ label, value, note }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          {value}
          {note !== undefined && <span className="tl-note">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

const SubmissionTimes = ({ times }: { readonly times: readonly SubmissionTime[] }) => (
  <table className="tl-table wide">
    <caption>Its submission</caption>
    <HeadRow columns={['event', 'host time', 'after']} classAt={{ 1: 'tl-number', 2: 'tl-number' }} />
    <tbody>
      {times.map(({ label, timeNs, afterNs, means }) => (
        <tr key={label}>
          <th scope="row">
            {label} <span className="tl-note">{means}</span>
          </th>
          <td className="tl-number">{Number.isFinite(timeNs) ? formatTime(timeNs) : 'not known'}</td>
          <td className="tl-number">
            {Number.isFinite(afterNs) ? `${afterNs < 0 ? '' : '+'}${formatDuration(afterNs)}` : ''}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

export interface DetailsProps {
  readonly description: Description | null
  /** Said where nothing is selected. */
  readonly invitation: ReactNode
  readonly onZoom: () => void
  readonly onClear: () => void
  /** Under the facts. */
  readonly children?: ReactNode
}

export const Details = ({ description, invitation, onZoom, onClear, children }: DetailsProps) => {
  if (!description) return <p className="tl-details-empty quiet">{invitation}</p>
  const { title, kind, mark, hostCaused, facts, submission } = description
  return (
    <section className="tl-details stack panel" aria-label="Selection">
      <div>
        <header className="cluster split">
          <h3>
            <TargetSwatch mark={mark} hostCaused={hostCaused} />
            {title}
            {title !== kind && <span className="tl-note">{kind}</span>}
          </h3>
          <div className="tl-details-actions">
            <Button look="timeline" label="Zoom to it" onClick={onZoom} />
            <Button look="timeline" label="Clear" onClick={onClear} />
          </div>
        </header>
        <Facts facts={facts} />
        {children}
      </div>
      {submission.length > 0 && <SubmissionTimes times={submission} />}
    </section>
  )
}

interface Hover {
  readonly target: Target
  readonly merged: Merged | null
  readonly cssX: number
  readonly cssY: number
}

/** Facts that fit beside a pointer. */
const SHORT: ReadonlySet<string> = new Set([
  'duration',
  'belongs to',
  'cause',
  'value',
  'bytes',
  'submission',
])

interface TooltipProps {
  readonly timeline: Timeline | null
  readonly data: TimelineData
}

/** In a line or two beside the pointer. For eyes only: the selection is what is read out. */
export const Tooltip = ({ timeline, data }: TooltipProps) => {
  const [hover, setHover] = useState<Hover | null>(null)
  useEffect(
    () =>
      timeline?.on('hover', (target, at, merged) =>
        setHover(target && at ? { target, merged, ...at } : null),
      ),
    [timeline],
  )
  const description = hover && describeTarget(data, hover.target)
  if (!hover || !description) return null
  const { merged } = hover
  return (
    <div
      className="tl-tooltip"
      aria-hidden="true"
      style={{ '--tl-x': `${hover.cssX}px`, '--tl-y': `${hover.cssY}px` } as React.CSSProperties}
    >
      <strong>
        <TargetSwatch mark={description.mark} hostCaused={description.hostCaused} />
        {description.title}
      </strong>
      <Facts facts={shortFacts(description)} />
      {merged && (
        <p className="tl-note tl-tooltip-hint">
          One of {formatCount(merged.count)} spans that begin in this pixel: double click or zoom in to tell
          them apart.
        </p>
      )}
    </div>
  )
}

const shortFacts = ({ facts }: Description): readonly Fact[] =>
  facts
    .filter(({ label }) => SHORT.has(label))
    .map((fact) => (fact.label === 'cause' ? fact : { label: fact.label, value: fact.value }))
