/**
 * The selected span, gap, counter or stretch of time in figures, each with its bound and where it
 * was read; in short, what lies under the pointer.
 */
import { type ReactNode, useEffect, useState } from 'react'
import {
  type Description,
  formatDuration,
  describeTarget,
  type Fact,
  formatCount,
  type Target,
  type Timeline,
  type TimelineData,
  formatBytes,
  formatShare,
  MARKS,
  type AreaSelection,
} from '../../../timeline'
import { Swatch } from './Swatch'
import { Button } from '../Button'
import { ScrollTable } from '../ScrollTable'
import { sumArea } from '../../../analysis/area'
import type { PlacedTrace } from '../../../trace/place'

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

interface HeadProps {
  readonly onZoom: () => void
  readonly onClear: () => void
  readonly children?: ReactNode
}

const Head = ({ onZoom, onClear, children }: HeadProps) => (
  <header className="cluster split">
    <h3>{children}</h3>
    <div className="tl-details-actions">
      <Button look="timeline" label="Zoom to it" onClick={onZoom} />
      <Button look="timeline" label="Clear" onClick={onClear} />
    </div>
  </header>
)

interface DetailsProps extends Omit<HeadProps, 'children'> {
  readonly description: Description | null
  /** Said where nothing is selected. */
  readonly invitation: ReactNode
}

export const Details = ({ description, invitation, onZoom, onClear }: DetailsProps) => {
  if (!description) return <p className="tl-details-empty quiet">{invitation}</p>
  const { title, kind, swatch, facts } = description
  return (
    <section className="tl-details stack panel" aria-label="Selection">
      <div>
        <Head onZoom={onZoom} onClear={onClear}>
          <Swatch {...swatch} />
          {title}
          {title !== kind && <span className="tl-note">{kind}</span>}
        </Head>
        <Facts facts={facts} />
      </div>
    </section>
  )
}

interface AreaSumsProps extends Omit<HeadProps, 'children'> {
  readonly area: AreaSelection
  readonly placed: PlacedTrace
}

/**
 * What the selected stretch of time was spent on: per lane and kind the union of its spans, so that
 * overlaps count once.
 */
export const AreaSums = ({ area, placed, onZoom, onClear }: AreaSumsProps) => {
  const lengthNs = area.endNs - area.startNs
  const rows = sumArea(placed, area).filter(({ kind }) => kind !== 'window')
  return (
    <section className="tl-details stack panel" aria-label="Selected area">
      <div>
        <Head onZoom={onZoom} onClear={onClear}>
          {formatDuration(lengthNs)} selected
          <span className="tl-note">{area.lanes.length === 1 ? '1 lane' : `${area.lanes.length} lanes`}</span>
        </Head>
        {rows.length === 0 ? (
          <p className="tl-details-empty quiet">Nothing was recorded in this stretch on these lanes.</p>
        ) : (
          <ScrollTable
            label="Sums of the selected area"
            className="tl-table wide"
            boxClass="tl-scroll"
            columns={['lane', 'what', 'time', 'share', 'count', 'bytes']}
            classAt={{ 2: 'tl-number', 3: 'tl-number', 4: 'tl-number', 5: 'tl-number' }}
          >
            <tbody>
              {rows.map(({ lane, kind, unionNs, share, count, bytes }) => (
                <tr key={`${lane} ${kind}`}>
                  <td>{placed.trace.lanes[lane]?.name}</td>
                  <td>
                    <Swatch {...MARKS[kind]} /> {MARKS[kind].label}
                  </td>
                  <td className="tl-number">{formatDuration(unionNs)}</td>
                  <td className="tl-number">{lengthNs > 0 ? formatShare(share) : ''}</td>
                  <td className="tl-number">{formatCount(count)}</td>
                  <td className="tl-number">{bytes === null ? '' : formatBytes(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        )}
      </div>
    </section>
  )
}

interface Hover {
  readonly target: Target
  readonly merged: number
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
        <Swatch {...description.swatch} />
        {description.title}
      </strong>
      <Facts facts={shortFacts(description)} />
      {merged > 1 && (
        <p className="tl-note tl-tooltip-hint">
          One of {formatCount(merged)} spans that begin in this pixel: zoom in to tell them apart.
        </p>
      )}
    </div>
  )
}

const shortFacts = ({ facts }: Description): readonly Fact[] =>
  facts
    .filter(({ label }) => SHORT.has(label))
    .map((fact) => (fact.label === 'cause' ? fact : { label: fact.label, value: fact.value }))
