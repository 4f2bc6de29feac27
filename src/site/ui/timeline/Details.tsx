/** The selected span, gap or counter in figures, each with its bound and where it was read. */
import type { ReactNode } from 'react'
import { formatDuration, formatTime, type Description, type SubmissionTime } from '../../../timeline'
import { TargetSwatch } from './Swatch'

const SubmissionTimes = ({ times }: { readonly times: readonly SubmissionTime[] }) => (
  <table className="tl-table wide">
    <caption>Its submission</caption>
    <thead>
      <tr>
        <th scope="col">event</th>
        <th scope="col" className="tl-number">
          host time
        </th>
        <th scope="col" className="tl-number">
          after
        </th>
      </tr>
    </thead>
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
  readonly invitation: string
  readonly onZoom: () => void
  readonly onClear: () => void
  /** More buttons, before those of zoom and clear. */
  readonly actions?: ReactNode
  /** Under the facts. */
  readonly children?: ReactNode
}

export const Details = ({ description, invitation, onZoom, onClear, actions, children }: DetailsProps) => {
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
            {actions}
            <button type="button" className="tl-button" onClick={onZoom}>
              Zoom to it
            </button>
            <button type="button" className="tl-button" onClick={onClear}>
              Clear
            </button>
          </div>
        </header>
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
        {children}
      </div>
      {submission.length > 0 && <SubmissionTimes times={submission} />}
    </section>
  )
}
