/**
 * What is wrong with a device's time, in a sentence and a number, and the causes by what they cost.
 */
import type { Diagnosis, Example, Finding, DeviceParts } from '../../../analysis/findings'
import { LAB_RUN_WORK, timeParts } from '../../../analysis/summary/time-parts'
import { formatShare } from '../format'
import { FindingRow, LessonLink } from './FindingRow'
import { Words } from '../prose/Inline'
import './verdict.css'

/**
 * Where a device's time went, to scale: work, waiting for other ranks, collectives alone, copies
 * alone, idle, not recorded.
 */
export interface TimeBarProps {
  readonly parts: DeviceParts
  /** What `workUs` is of: of a run of the lab's it is not separated. */
  readonly workLabel?: string
  readonly spanUs: number
  /** Of bars on one scale the longest; without it the bar is as wide as its place. */
  readonly scaleUs?: number
}

export const TimeBar = ({ parts, workLabel, spanUs, scaleUs = spanUs }: TimeBarProps) => {
  const shown = timeParts(parts, spanUs, workLabel)
  if (!(spanUs > 0)) return null
  return (
    <figure className="time-bar stack-6">
      <div
        className="time-bar-track forced-keep"
        aria-hidden="true"
        style={{ inlineSize: `${String((100 * spanUs) / scaleUs)}%` }}
      >
        {shown.map(({ part, width }) => (
          <span key={part} data-part={part} style={{ flexGrow: width }} />
        ))}
      </div>
      <figcaption className="small">
        {shown.map(({ part, label, share }) => (
          <span key={part} className="time-bar-label" data-part={part}>
            {label} {formatShare(share)}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

export interface VerdictProps {
  readonly diagnosis: Diagnosis
  /** Where there are several devices: which this is. */
  readonly name: string | null
  /** Null where the timeline has no place for it. */
  readonly showing: (example: Example) => (() => void) | null
}

/** The share of the time that the device computed, and that it was busy where that is another. */
export const WorkShare = ({
  diagnosis: { verdict, parts, recordedUs, busyRatio },
}: Pick<VerdictProps, 'diagnosis'>) => {
  const work = recordedUs > 0 ? formatShare(parts.workUs / recordedUs) : '–'
  const busy = busyRatio === null ? work : formatShare(busyRatio)
  // Of a run of the lab the diagnosis does not tell work from copies.
  const what = verdict === 'lab-run' ? 'busy' : 'computing'
  return (
    <p className="verdict-number stack tabular">
      <strong>{work}</strong>
      <span className="small quiet">{what === 'busy' || busy === work ? what : `${what}; busy ${busy}`}</span>
    </p>
  )
}

export const Verdict = ({ diagnosis, name, showing }: VerdictProps) => {
  const { sentence, note, parts, spanUs, findings, minor, verdict } = diagnosis
  return (
    <div className="trace-verdict stack" data-verdict={verdict} data-testid="trace-verdict">
      <div className="verdict-main stack-12">
        {name !== null && <p className="small quiet">{name}</p>}
        <div className="verdict-says row">
          <WorkShare diagnosis={diagnosis} />
          <p className="verdict-sentence" data-testid="verdict-sentence">
            <Words text={sentence} />
          </p>
        </div>
        <TimeBar parts={parts} spanUs={spanUs} {...(verdict === 'lab-run' && { workLabel: LAB_RUN_WORK })} />
        {note !== '' && (
          <p className="small quiet">
            <Words text={note} />
          </p>
        )}
        <LessonLink mends={verdict} />
      </div>
      {(findings.length > 0 || minor.length > 0) && (
        <div className="verdict-causes">
          <Causes label="Causes, by what removing each gains" findings={findings} {...{ showing }} />
          <Causes label="Smaller causes" findings={minor} isMinor {...{ showing }} />
        </div>
      )}
    </div>
  )
}

const Causes = ({
  label,
  findings,
  isMinor = false,
  showing,
}: Pick<VerdictProps, 'showing'> & {
  readonly label: string
  readonly findings: readonly Finding[]
  readonly isMinor?: boolean
}) => {
  const List = isMinor ? 'ul' : 'ol'
  if (findings.length === 0) return null
  return (
    <List className={`findings stack${isMinor ? ' quiet' : ''}`} aria-label={label}>
      {findings.map((finding, index) => (
        <FindingRow
          key={`${finding.cause} ${finding.what}`}
          finding={finding}
          isFirst={!isMinor && index === 0}
          onShow={finding.example && showing(finding.example)}
        />
      ))}
    </List>
  )
}
