/** What lies under the pointer, in a line or two beside it. For eyes only: the selection is what is read out. */
import { useEffect, useState } from 'react'
import {
  describeTarget,
  formatCount,
  formatDuration,
  formatShare,
  type Merged,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'
import { TargetSwatch } from './Swatch'

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

export interface TooltipProps {
  readonly timeline: Timeline | null
  readonly data: TimelineData
}

export const Tooltip = ({ timeline, data }: TooltipProps) => {
  const [hover, setHover] = useState<Hover | null>(null)
  useEffect(
    () =>
      timeline?.on('hover', (target, at, merged) =>
        setHover(target && at ? { target, merged, ...at } : null),
      ),
    [timeline],
  )
  const merged = hover?.merged ?? null
  const description =
    hover && describeTarget(data, merged ? { type: 'span', span: merged.longestSpan } : hover.target)
  if (!hover || !description) return null
  return (
    <div
      className="tl-tooltip"
      aria-hidden="true"
      style={{ '--tl-x': `${hover.cssX}px`, '--tl-y': `${hover.cssY}px` } as React.CSSProperties}
    >
      <strong>
        <TargetSwatch mark={description.mark} hostCaused={description.hostCaused} />
        {merged ? `${formatCount(merged.count)} spans share this pixel` : description.title}
      </strong>
      {merged ? (
        <MergedFacts merged={merged} longest={description.title} />
      ) : (
        <dl className="tl-facts">
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
      )}
    </div>
  )
}

const MergedFacts = ({ merged, longest }: { readonly merged: Merged; readonly longest: string }) => (
  <>
    <dl className="tl-facts">
      <div>
        <dt>longest</dt>
        <dd>
          {longest}, {formatDuration(merged.longestNs)}
        </dd>
      </div>
      <div>
        <dt>all of them</dt>
        <dd>
          {formatShare(merged.share)} of the pixel’s {formatDuration(merged.pixelNs)}
        </dd>
      </div>
    </dl>
    <p className="tl-note tl-tooltip-hint">Double click or zoom in to tell them apart.</p>
  </>
)
