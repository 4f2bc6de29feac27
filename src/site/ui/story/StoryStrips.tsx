/**
 * Variants of a run, one above the other from a common zero on one scale: what host, queue, staging buffers and device did in the first
 * steps. The device's idle time is filled, with its cause inside where there is room. While a replay stands at a moment, what comes
 * later is faint.
 */
import { bytesText } from '../../../base/figures'
import { CAUSES } from '../../../timeline'
import { useId } from 'react'
import { scaleLinear } from 'd3-scale'
import {
  drawnIdle,
  idleOf,
  momentOf,
  type Moment,
  type Story,
  type StoryBar,
  type StoryIdle,
  type StoryMessage,
  type StoryStrip,
} from '../../state/story'
import { useWidth } from '../figure/use-width'
import { formatQuantity } from '../format'
import type { TermKey } from '../prose/parse-prose'
import { useTermFocus } from '../prose/term-focus'
import {
  bandsOf,
  type Band,
  depthPath,
  extentOf,
  fits,
  gutterOf,
  idleHue,
  isWait,
  namedWaits,
  rankOf,
  rankWords,
} from './story-layout'
import './story.css'

export interface StripWords {
  /** Beside the strip, under its name: 'computes 8 %'. */
  readonly figure: string | null
  /** Of the whole run, inside the idle time, the longest that fits: 'idle 92 %: host waited', 'idle 92 %'. Empty where it is next to none. */
  readonly idle: readonly string[]
}

export interface StoryStripsProps {
  readonly story: Story
  readonly words: (variant: string) => StripWords
  readonly withStaging: boolean
  /** Of a replay; null: the whole story. */
  readonly atNs: number | null
  /** The strip in focus, and what puts another in focus; left out where they only are to be seen. */
  readonly focus?: string
  readonly onFocus?: (variant: string) => void
  readonly onPick?: (bar: StoryBar | null) => void
}

/** Which word of the text lights it. */
const termOf = (bar: StoryBar): TermKey => {
  if (isWait(bar)) return 'wait'
  if (bar.kind === 'compute') return 'device'
  if (bar.kind === 'transfer') return 'transfer'
  return bar.kind.startsWith('staging-') ? 'staging' : 'host'
}

const barClass = (bar: StoryBar): string => {
  if (isWait(bar)) return 'story-wait'
  switch (bar.kind) {
    case 'compute':
      return 'story-compute'
    case 'transfer':
      return 'story-transfer'
    case 'collective':
      return 'story-collective'
    case 'staging-filled':
    case 'staging-mapped':
      return 'story-filled'
    case 'staging-in-flight':
      return 'story-flight'
    case 'staging-mapping':
    case 'staging-free':
      return 'story-free'
    default:
      return 'story-host'
  }
}

/** What one bar is, for its tooltip. */
const barWords = (bar: StoryBar): string =>
  `${bar.name}: ${formatQuantity((bar.endNs - bar.startNs) / 1e6, 'ms')}${bar.line > 0 ? `, line ${String(bar.line)}` : ''}`

const messageWords = ({ from, to, bytes }: StoryMessage): string =>
  `rank ${String(from)} to rank ${String(to)}, ${bytesText(bytes)}`

/** Where the story stands, in words: what a screen reader says when a replay pauses. */
export function momentWords({ host, device, idle, queued, messages }: Moment): string {
  const hostWords = host === null ? 'between calls' : isWait(host) ? `waiting, ${host.name}` : host.name
  const deviceWords =
    device !== null ? device.name : idle !== null ? `idle: ${CAUSES[idle.cause].label}` : 'nothing running'
  const underWay = messages.length > 0 ? `; under way: ${messages.map(messageWords).join('; ')}` : ''
  return `host ${hostWords}; ${String(queued)} in the queue; device ${deviceWords}${underWay}`
}

/** Where steps are not numbered, a repeat is the step. */
function endedWords({ stepsEnded, windowNs, rows }: StoryStrip, lengthNs: number): string {
  if (rows.every(({ bars }) => bars.length === 0)) return 'nothing is drawn'
  const length = formatQuantity(lengthNs / 1e6, 'ms')
  if (stepsEnded > 0) return `${String(stepsEnded)} ${stepsEnded === 1 ? 'step' : 'steps'} ended in ${length}`
  return windowNs <= lengthNs
    ? `ended after ${formatQuantity(windowNs / 1e6, 'ms')}`
    : `goes on after ${length}`
}

/** The share of the whole run stands once, in the first idle stretch that has room for it; the others name their cause. */
function labelled(idle: readonly StoryIdle[], words: StripWords, pxPerNs: number) {
  const drawn = drawnIdle(idle, pxPerNs).map((each) => ({
    idle: each,
    extent: extentOf(each, pxPerNs),
  }))
  const roomFor = (text: string) => drawn.find(({ extent }) => fits(text, extent.width))
  const share = words.idle.find((text) => roomFor(text) !== undefined)
  const first = share === undefined ? undefined : roomFor(share)
  return drawn.map((each) => {
    const texts = each === first ? [share] : [CAUSES[each.idle.cause].label, 'idle']
    return {
      ...each,
      label: texts.find((text) => text !== undefined && fits(text, each.extent.width)) ?? null,
    }
  })
}

/** Who sends what to whom: from the call of `send` in one rank's row to the end of `recv` in the other's. */
const Messages = ({
  strip: { messages, rows },
  bands,
  pxPerNs,
}: {
  readonly strip: StoryStrip
  readonly bands: readonly Band[]
  readonly pxPerNs: number
}) => {
  const middleOf = (index: number): number => {
    const band = bands.find(({ row }) => row !== null && row === rows[index])
    return band ? band.top + band.height / 2 : 0
  }
  return messages.map((message) => {
    const [x1, x2] = [message.sentNs * pxPerNs, message.thereNs * pxPerNs]
    const [y1, y2] = [middleOf(message.fromRow), middleOf(message.toRow)]
    return (
      <g key={message.span} className="story-message" data-from={message.from} data-to={message.to}>
        <line {...{ x1, x2, y1, y2 }} />
        <circle cx={x2} cy={y2} r={2.5} />
        <title>{messageWords(message)}</title>
      </g>
    )
  })
}

/** Beside the rows rather than in them: a bar or an arrow may end where the picture does. */
const RankNames = ({
  bands,
  from,
  whole,
}: {
  readonly bands: readonly Band[]
  readonly from: number
  readonly whole: number
}) =>
  bands.map(({ kind, top, height, row }) => {
    const rank = row === null || (kind !== 'host' && kind !== 'device') ? null : rankOf(row)
    return rank === null ? null : (
      <text key={`${kind} ${String(rank)}`} className="story-rank" x={from + 6} y={top + height / 2}>
        {rankWords(rank, whole)}
      </text>
    )
  })

interface StripProps {
  readonly strip: StoryStrip
  readonly words: StripWords
  readonly lengthNs: number
  /** Of the time axis. */
  readonly width: number
  /** Right of it. */
  readonly gutter: number
  readonly deepest: number
  readonly withStaging: boolean
  readonly atNs: number | null
  readonly onPick: (bar: StoryBar | null) => void
}

const Strip = ({ strip, words, lengthNs, width, gutter, deepest, withStaging, atNs, onPick }: StripProps) => {
  const id = useId()
  const pxPerNs = width / lengthNs
  const whole = width + gutter
  const { bands, height } = bandsOf(strip, withStaging, whole)
  const now = atNs === null ? width : atNs * pxPerNs
  const picture = (
    <>
      {bands.map(({ kind, top, height: bandHeight, row }) => (
        <g key={`${kind} ${row?.name ?? ''}`} transform={`translate(0 ${String(top)})`}>
          <rect className="story-ground" width={width} height={bandHeight} />
          {kind === 'queue' && (
            <path
              className="story-queue"
              data-term="queue"
              d={depthPath(strip.depth, deepest, lengthNs, pxPerNs, bandHeight)}
            />
          )}
          {row?.bars.map((bar) => {
            const { x, width: barWidth } = extentOf(bar, pxPerNs)
            return (
              <rect
                key={bar.span}
                className={`story-bar ${barClass(bar)}${bar.isInferred ? ' story-inferred' : ''}`}
                data-term={termOf(bar)}
                x={x}
                width={barWidth}
                height={bandHeight}
                onPointerEnter={() => {
                  onPick(bar)
                }}
                onPointerLeave={() => {
                  onPick(null)
                }}
              >
                <title>{barWords(bar)}</title>
              </rect>
            )
          })}
          {kind === 'host' &&
            namedWaits(row?.bars ?? []).map((bar) => {
              const { x, width: barWidth } = extentOf(bar, pxPerNs)
              // A wait that is cut off, or has calls inside it, is no place for its name.
              return fits(bar.name, barWidth) ? (
                <text
                  key={bar.span}
                  className="story-label story-label-quiet"
                  x={x + barWidth / 2}
                  y={bandHeight / 2}
                >
                  {bar.name}
                </text>
              ) : null
            })}
          {kind === 'device' &&
            row !== null &&
            labelled(idleOf(strip, row), words, pxPerNs).map(
              ({ idle, extent: { x, width: idleWidth }, label }) => {
                return (
                  <g key={idle.gap}>
                    <rect
                      className="story-idle"
                      data-hue={idleHue(idle)}
                      data-term="idle"
                      x={x}
                      width={idleWidth}
                      height={bandHeight}
                    >
                      <title>{`idle ${formatQuantity((idle.endNs - idle.startNs) / 1e6, 'ms')}: ${CAUSES[idle.cause].because}`}</title>
                    </rect>
                    {label !== null && (
                      <text className="story-label" x={x + idleWidth / 2} y={bandHeight / 2}>
                        {label}
                      </text>
                    )}
                  </g>
                )
              },
            )}
          {kind === 'device' &&
            row?.bars.map((bar) => {
              const { x, width: barWidth } = extentOf(bar, pxPerNs)
              const label = [`step ${String(bar.step + 1)}`, String(bar.step + 1)].find((text) =>
                fits(text, barWidth),
              )
              if (bar.kind !== 'compute' || bar.step < 0 || label === undefined) return null
              return (
                <text
                  key={bar.span}
                  className="story-label story-label-on"
                  x={x + barWidth / 2}
                  y={bandHeight / 2}
                >
                  {label}
                </text>
              )
            })}
        </g>
      ))}
      <Messages strip={strip} bands={bands} pxPerNs={pxPerNs} />
    </>
  )
  return (
    <svg
      className="story-svg"
      viewBox={`0 0 ${String(whole)} ${String(height)}`}
      aria-hidden="true"
      onPointerLeave={() => {
        onPick(null)
      }}
    >
      <RankNames bands={bands} from={width} whole={whole} />
      {atNs === null ? (
        picture
      ) : (
        <>
          <clipPath id={id}>
            <rect width={now} height={height} />
          </clipPath>
          <g className="story-later">{picture}</g>
          <g clipPath={`url(#${id})`}>{picture}</g>
          <line className="story-now" x1={now} x2={now} y1={-2} y2={height + 2} />
        </>
      )}
    </svg>
  )
}

const StripName = ({ variant, figure }: Pick<StoryStrip, 'variant'> & Pick<StripWords, 'figure'>) => (
  <>
    <strong>{variant}</strong>
    {figure !== null && <span className="number">{figure}</span>}
  </>
)

export const StoryStrips = ({
  story,
  words,
  withStaging,
  atNs,
  focus,
  onFocus,
  onPick = () => undefined,
}: StoryStripsProps) => {
  const { ref, width } = useWidth()
  const lit = useTermFocus()?.lit
  const { lengthNs, strips } = story
  const gutter = gutterOf(strips, width)
  const timeWidth = Math.max(0, width - gutter)
  const deepest = Math.max(0, ...strips.flatMap(({ depth }) => depth.map(({ value }) => value)))
  const axis = scaleLinear([0, lengthNs / 1e6], [0, 1])
  const wanted = Math.max(2, Math.floor(timeWidth / 110))
  const tickText = axis.tickFormat(wanted)
  return (
    <div className="story stack small" data-testid="story" data-lit={lit ?? undefined}>
      {strips.map((strip, index) => {
        const own = words(strip.variant)
        const { figure } = own
        return (
          <div key={strip.variant} className="story-strip" data-variant={strip.variant}>
            {onFocus ? (
              <button
                type="button"
                className="story-name"
                aria-pressed={strip.variant === focus}
                title={`Show the program of ${strip.variant}`}
                onClick={() => {
                  onFocus(strip.variant)
                }}
              >
                <StripName {...strip} figure={figure} />
              </button>
            ) : (
              <p className="story-name">
                <StripName {...strip} figure={figure} />
              </p>
            )}
            <div className="story-picture shrinks" ref={index === 0 ? ref : undefined}>
              {timeWidth > 0 && (
                <Strip
                  strip={strip}
                  words={own}
                  lengthNs={lengthNs}
                  width={timeWidth}
                  gutter={gutter}
                  deepest={deepest}
                  withStaging={withStaging}
                  atNs={atNs}
                  onPick={onPick}
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
      <div className="story-axis quiet" aria-hidden="true">
        {axis.ticks(wanted).map((ms) => (
          <span
            key={ms}
            className="number"
            data-at-end={axis(ms) > 0.96}
            style={
              {
                '--at': `${String((100 * axis(ms) * timeWidth) / Math.max(1, width))}%`,
              } as React.CSSProperties
            }
          >
            {`${tickText(ms)}\u2009ms`}
          </span>
        ))}
      </div>
    </div>
  )
}
