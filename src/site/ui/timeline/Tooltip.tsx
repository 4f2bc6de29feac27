/** What lies under the pointer, in a line or two beside it. For eyes only: the selection is what is read out. */
import { useEffect, useState } from 'react'
import {
  describeTarget,
  type Description,
  type Fact,
  formatCount,
  type Merged,
  type Target,
  type Timeline,
  type TimelineData,
} from '../../../timeline'
import { Facts } from './Details'
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
