/** What lies under the pointer, in a line or two beside it. For eyes only: the selection is what is read out. */
import { useEffect, useState } from 'react'
import { describeTarget, type Target, type Timeline, type TimelineData } from '../../timeline'
import { TargetSwatch } from './Swatch'

interface Hover {
  readonly target: Target
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

export interface TooltipProps {
  readonly timeline: Timeline | null
  readonly data: TimelineData
}

export const Tooltip = ({ timeline, data }: TooltipProps) => {
  const [hover, setHover] = useState<Hover | null>(null)
  useEffect(
    () =>
      timeline?.on('hover', (target, at) => {
        setHover(target && at ? { target, ...at } : null)
      }),
    [timeline],
  )
  const description = hover && describeTarget(data, hover.target)
  if (!hover || !description) return null
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
      <dl>
        {description.facts
          .filter(({ label }) => SHORT.has(label))
          .map(({ label, value, note }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {value}
                {label === 'cause' && note !== undefined && <span className="tl-note">{note}</span>}
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}
