/**
 * Variants of a run, one above the other from a common zero on one scale: what host, queue, staging
 * buffers and device did in the first steps, with their names and figures beside them.
 */
import {
  momentOf,
  type Excerpt,
  type ExcerptBar,
  type ExcerptStrip,
  type Moment,
  type ExcerptMessage,
} from '../../../strips/excerpt'
import { isWait } from '../../../strips/looks'
import { gutterOf, heightsFor, nameMarks, sceneOf, type SceneCut } from '../../../strips/scene'
import { CAUSES } from '../../../timeline'
import { useWidth } from '../figure/use-width'
import { formatQuantity } from '../format'
import { useTermFocus } from '../prose/Inline'
import { scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { bytesText } from '../../../base/figures'
import type { MarkOf } from '../../../strips/marks'
import { Marks } from '../../../strips/Marks'
import './strips.css'

/** Text of a bar's tooltip. */
const barWords = (bar: ExcerptBar): string =>
  `${bar.name}: ${formatQuantity((bar.endNs - bar.startNs) / 1e6, 'ms')}${bar.line > 0 ? `, line ${String(bar.line)}` : ''}`

const messageWords = ({ from, to, bytes }: ExcerptMessage): string =>
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

/** One strip of an excerpt. While a replay stands at a moment, what comes later is faint. */
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

export interface StripWords {
  /** Beside the strip, under its name: 'computes 8 %'. */
  readonly figure: string | null
  /**
   * Labels of the whole run's idle time, longest first: 'idle 92 %: host waited', 'idle 92 %'.
   * Empty where there is next to none.
   */
  readonly idle: readonly string[]
}

export interface ExcerptStripsProps {
  readonly excerpt: Excerpt
  readonly words: (variant: string) => StripWords
  readonly withStaging: boolean
  /** Time of the playback; null: the whole excerpt. */
  readonly atNs: number | null
  /**
   * The strip in focus, and what puts another in focus; left out where they only are to be seen.
   */
  readonly focus?: string
  readonly onFocus?: (variant: string) => void
  readonly onPick?: (bar: ExcerptBar | null) => void
}

/** Describes a moment of the excerpt: a screen reader says it when playback pauses. */
export function momentWords({ host, devices, queued, messages }: Moment): string {
  const hostWords = host === null ? 'between calls' : isWait(host) ? `waiting, ${host.name}` : host.name
  const deviceWords = devices.map(({ name, bar, idle }) => {
    const why = idle && (idle.cause === null ? 'idle' : `idle: ${CAUSES[idle.cause].label}`)
    return `${devices.length > 1 ? name : 'device'} ${bar?.name ?? why ?? 'nothing running'}`
  })
  const underWay = messages.length > 0 ? [`under way: ${messages.map(messageWords).join('; ')}`] : []
  return [`host ${hostWords}`, `${String(queued)} in the queue`, ...deviceWords, ...underWay].join('; ')
}

/** A repeat counts as the step where steps are not numbered. */
function endedWords({ stepsEnded, windowNs, rows }: ExcerptStrip, lengthNs: number): string {
  if (rows.every(({ bars }) => bars.length === 0)) return 'nothing is drawn'
  const length = formatQuantity(lengthNs / 1e6, 'ms')
  if (stepsEnded > 0) return `${String(stepsEnded)} ${stepsEnded === 1 ? 'step' : 'steps'} ended in ${length}`
  return windowNs <= lengthNs
    ? `ended after ${formatQuantity(windowNs / 1e6, 'ms')}`
    : `goes on after ${length}`
}

const StripName = ({ variant, figure }: Pick<ExcerptStrip, 'variant'> & Pick<StripWords, 'figure'>) => (
  <>
    <strong>{variant}</strong>
    {figure !== null && <span className="number">{figure}</span>}
  </>
)

export const ExcerptStrips = (props: ExcerptStripsProps) => {
  const { excerpt, words, withStaging, atNs, focus, onFocus, onPick = () => undefined } = props
  const { ref, width } = useWidth()
  const lit = useTermFocus()?.lit
  const { lengthNs, strips } = excerpt
  const gutter = gutterOf(excerpt, width)
  const timeWidth = Math.max(0, width - gutter)
  return (
    <div className="strips stack small" data-testid="strips" data-lit={lit ?? undefined}>
      {strips.map((strip, index) => {
        const own = words(strip.variant)
        const { figure } = own
        return (
          <div key={strip.variant} className="strips-strip" data-variant={strip.variant}>
            {onFocus ? (
              <button
                type="button"
                className="strips-name"
                aria-pressed={strip.variant === focus}
                title={`Show the program of ${strip.variant}`}
                onClick={() => onFocus(strip.variant)}
              >
                <StripName {...strip} figure={figure} />
              </button>
            ) : (
              <p className="strips-name">
                <StripName {...strip} figure={figure} />
              </p>
            )}
            <div className="strips-picture shrinks" ref={index === 0 ? ref : undefined}>
              {timeWidth > 0 && (
                <StripPicture
                  cut={{
                    width: timeWidth,
                    lanes: withStaging ? 'all' : 'no-staging',
                    heights: heightsFor(width),
                    labels: own.idle,
                  }}
                  {...{ strip, excerpt, gutter, atNs, onPick }}
                />
              )}
              <p className="visually-hidden">
                {`${strip.variant}: ${endedWords(strip, lengthNs)}.`}
                {atNs === null ? '' : ` Now: ${momentWords(momentOf(strip, atNs))}.`}
              </p>
            </div>
          </div>
        )
      })}
      <TimeAxis {...{ lengthNs, gutter, width }} />
    </div>
  )
}
