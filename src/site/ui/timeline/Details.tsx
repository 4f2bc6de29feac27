/** The selected span, gap or counter in figures, each with its bound and where it was read. */
import type { ReactNode } from 'react'
import { type Description, formatDuration, formatTime, type SubmissionTime } from '../../../timeline'
import { TargetSwatch } from './Swatch'
import { Button } from '../Button'
import { HeadRow } from '../ScrollTable'

export const Facts = ({ facts }: Pick<Description, 'facts'>) => (
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
