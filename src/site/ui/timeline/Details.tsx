/** The selected span, gap or counter in figures, each with its bound and where it was read. */
import type { ReactNode } from 'react'
import {
  type Description,
  formatDuration,
  formatTime,
  laneOfTarget,
  type LanesState,
  type RulerReading,
  type SubmissionTime,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'
import { TargetSwatch } from './Swatch'
import { SaidAtRest } from '../SaidAtRest'
import { Button } from '../Button'
import { HeadRow } from '../ScrollTable'

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
            <Button look="timeline" label="Zoom to it" onClick={onZoom} />
            <Button look="timeline" label="Clear" onClick={onClear} />
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

/** A reading that follows a pointer is said when it rests. */
const REST_MS = 400

/** A region of its own: a selection that is stepped to is said in the other. */
export const RulerVoice = ({
  reading,
  lanes,
}: Pick<RulerReadoutProps, 'reading'> & { readonly lanes: LanesState }) => (
  <SaidAtRest text={reading?.spoken ?? lanes.said} restMs={REST_MS} data-testid="ruler-announcer" />
)

interface RulerReadoutProps {
  readonly timeline: Timeline | null
  readonly reading: RulerReading | null
}

export const RulerReadout = ({ timeline, reading }: RulerReadoutProps) => {
  if (!reading) return null
  return (
    <section className="tl-ruler baseline cluster-4-16 split" aria-label="Ruler">
      <p>
        {reading.value === '' ? (
          <>
            From the <bdi>{reading.fromWords}</bdi>.
          </>
        ) : (
          <>
            <strong>{reading.value}</strong> from the <bdi>{reading.fromWords}</bdi> to the{' '}
            <bdi>{reading.toWords}</bdi>
          </>
        )}{' '}
        <span className="tl-note">{reading.note}</span>
      </p>
      <div className="tl-details-actions">
        {reading.fromNs !== reading.toNs && (
          <Button
            look="timeline"
            label="Sum it up"
            title="Sum it up (Enter)"
            onClick={() => timeline?.sumRuler()}
          />
        )}
        <Button
          look="timeline"
          label="Put away"
          title="Put the ruler away (Esc)"
          onClick={() => timeline?.clearRuler()}
        />
      </div>
    </section>
  )
}

/** What the keys M, P and H do to the selection and its lane, for hands without a keyboard. */
interface LaneActionsProps {
  readonly data: TimelineData
  readonly timeline: Timeline | null
  readonly selected: Target | null
  readonly lanes: LanesState
}

export const LaneActions = ({ data, timeline, selected, lanes }: LaneActionsProps) => {
  const lane = selected && laneOfTarget(data, selected)
  if (lane === null || lane === undefined || !timeline) return null
  const isPinned = lanes.pinned.includes(lane)
  const isFolded = lanes.folded.includes(lane)
  return (
    <>
      <Button
        look="timeline"
        label="Measure"
        title="Measure from its begin; pressed again, from its end (m)"
        onClick={() => timeline.run('mark')}
      />
      <Button
        look="timeline"
        label={isPinned ? 'Unpin lane' : 'Pin lane'}
        title={`${isPinned ? 'Its lane no longer stays on top' : 'Its lane stays on top'} (P)`}
        onClick={() => timeline.pinLane(lane, !isPinned)}
      />
      {lanes.foldable.includes(lane) && (
        <Button
          look="timeline"
          label={isFolded ? 'Unfold lane' : 'Fold lane'}
          title={`${isFolded ? 'All rows of its lane' : 'One row for its lane'} (H)`}
          onClick={() => timeline.foldLane(lane, !isFolded)}
        />
      )}
    </>
  )
}
