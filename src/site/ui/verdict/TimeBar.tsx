/** Where a device's time went, to scale: work, waiting for other ranks, collectives alone, copies alone, idle, not recorded. */
import { formatShare } from '../format'
import type { DeviceParts } from '../../../analysis/findings'
import { timeParts } from '../../../analysis/summary/time-parts'

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
