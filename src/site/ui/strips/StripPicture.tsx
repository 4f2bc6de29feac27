/**
 * One strip of an excerpt on the page, and the time axis below strips. While a replay stands at a
 * moment, what comes later is faint.
 */
import { scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { bytesText } from '../../../base/figures'
import type { Excerpt, ExcerptBar, ExcerptMessage, ExcerptStrip } from '../../../strips/excerpt'
import type { MarkOf } from '../../../strips/marks'
import { Marks } from '../../../strips/Marks'
import { nameMarks, sceneOf, type SceneCut } from '../../../strips/scene'
import { CAUSES } from '../../../timeline'
import { formatQuantity } from '../format'
import './strips.css'

/** Text of a bar's tooltip. */
const barWords = (bar: ExcerptBar): string =>
  `${bar.name}: ${formatQuantity((bar.endNs - bar.startNs) / 1e6, 'ms')}${bar.line > 0 ? `, line ${String(bar.line)}` : ''}`

export const messageWords = ({ from, to, bytes }: ExcerptMessage): string =>
  `rank ${String(from)} to rank ${String(to)}, ${bytesText(bytes)}`

const titleOf = (of: MarkOf): string => {
  if ('bar' in of) return barWords(of.bar)
  if ('message' in of) return messageWords(of.message)
  const { startNs, endNs, cause } = of.idle
  const idle = `idle ${formatQuantity((endNs - startNs) / 1e6, 'ms')}`
  return cause === null ? idle : `${idle}: ${CAUSES[cause].label}`
}

interface StripPictureProps {
  readonly strip: ExcerptStrip
  readonly excerpt: Excerpt
  readonly cut: SceneCut
  /** Left of the time axis, for names of rows. */
  readonly gutter: number
  /** Time of the playback; null: the whole excerpt. */
  readonly atNs: number | null
  readonly onPick: (bar: ExcerptBar | null) => void
}

export const StripPicture = ({ strip, excerpt, cut, gutter, atNs, onPick }: StripPictureProps) => {
  const id = useId()
  const { width } = cut
  const whole = width + gutter
  const { bands, height, marks } = sceneOf(strip, excerpt, cut)
  const now = atNs === null ? width : (atNs * width) / excerpt.lengthNs
  const onPoint = (of: MarkOf | null) => onPick(of && 'bar' in of ? of.bar : null)
  const picture = <Marks {...{ marks, titleOf, onPoint }} />
  return (
    <svg
      className="strips-svg"
      viewBox={`${String(-gutter)} 0 ${String(whole)} ${String(height)}`}
      aria-hidden="true"
      onPointerLeave={() => onPick(null)}
    >
      <Marks marks={nameMarks(bands, gutter, whole)} />
      {atNs === null ? (
        picture
      ) : (
        <>
          <clipPath id={id}>
            <rect width={now} height={height} />
          </clipPath>
          <g className="strips-later">{picture}</g>
          <g clipPath={`url(#${id})`}>{picture}</g>
          <line className="strips-now" x1={now} x2={now} y1={-2} y2={height + 2} />
        </>
      )}
    </svg>
  )
}

interface TimeAxisProps {
  readonly lengthNs: number
  readonly gutter: number
  readonly width: number
}

/** Time axis, as wide as the strips above it, with their gutter. */
export const TimeAxis = ({ lengthNs, gutter, width }: TimeAxisProps) => {
  const timeWidth = Math.max(0, width - gutter)
  const axis = scaleLinear([0, lengthNs / 1e6], [0, 1])
  const wanted = Math.max(2, Math.floor(timeWidth / 110))
  const tickText = axis.tickFormat(wanted)
  const leftOf = (ms: number) => `${String((100 * (gutter + axis(ms) * timeWidth)) / Math.max(1, width))}%`
  return (
    <div className="strips-axis quiet" aria-hidden="true">
      {axis.ticks(wanted).map((ms) => (
        <span
          key={ms}
          className="number"
          data-at-end={axis(ms) > 0.96}
          style={{ '--at': leftOf(ms) } as React.CSSProperties}
        >
          {`${tickText(ms)}\u2009ms`}
        </span>
      ))}
    </div>
  )
}
