/** Where a device's time went, to scale: work, waiting for other ranks, collectives alone, copies alone, idle, not recorded. */
import { formatShare } from '../format'
import type { DeviceParts } from '../../analysis/faults'

const PARTS = [
  { part: 'workUs', label: 'kernels' },
  { part: 'waitUs', label: 'waiting for another rank' },
  { part: 'collectiveUs', label: 'collectives alone' },
  { part: 'copyUs', label: 'copies alone' },
  { part: 'idleUs', label: 'idle' },
  { part: 'unrecordedUs', label: 'not recorded' },
] as const satisfies readonly { readonly part: keyof DeviceParts; readonly label: string }[]

/** Less than this is not written beside the bar; it is in the tables below. */
const LEAST_SHARE = 0.001

export interface TimeBarProps {
  readonly parts: DeviceParts
  /** What `workUs` is of: of a run of the lab's it is not told apart. */
  readonly workLabel?: string
  readonly spanUs: number
  /** Of bars on one scale the longest; without it the bar is as wide as its place. */
  readonly scaleUs?: number
}

export const TimeBar = ({ parts, workLabel = 'kernels', spanUs, scaleUs = spanUs }: TimeBarProps) => {
  const shown = PARTS.map(({ part, label }) => ({
    part,
    label: part === 'workUs' ? workLabel : label,
    width: parts[part] / spanUs,
    // What is not recorded is in no share but its own.
    share: parts[part] / (part === 'unrecordedUs' ? spanUs : spanUs - parts.unrecordedUs),
  })).filter(({ width }) => width >= LEAST_SHARE)
  if (!(spanUs > 0)) return null
  return (
    <figure className="time-bar">
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
