/** What the model saw, on a lane for each place or rank from the program's first call on: one hue and one texture for all, which nothing measured has. */
import { scaleLinear } from 'd3-scale'
import { useId } from 'react'
import type { Seen, Stretch } from '../../../model/play/play'
import { useWidth } from '../figure/use-width'
import { THIN } from '../format'

const LANE = 34
const GAP = 8
const AXIS = 24
/** Left of the lanes, for their names. */
const NAMES = 78
/** Of 12 px type, wide enough for every letter. */
const LETTER = 7
const topOf = (lane: number): number => lane * (LANE + GAP)

interface Part {
  readonly className: string
  readonly stretches: readonly Stretch[]
  readonly labelClass?: string
  readonly wordOf?: (index: number) => string
}
interface Lane {
  readonly name: string
  /** The later ones over the earlier. */
  readonly parts: readonly Part[]
}

const NUMBERED = { className: 'play-work', labelClass: 'play-label play-label-on' }

/** Before a picture is there. */
const NO_LANES: readonly Lane[] = ['host', 'on the way', 'device'].map((name) => ({ name, parts: [] }))

function lanesOf({ host, waits, between, passes, workers, ranks }: Seen): readonly Lane[] {
  // Nothing is idle any more when the program has ended.
  const endNs = Math.max(
    0,
    ...[host, waits, passes, ...workers, ...ranks].flat().map((stretch) => stretch.endNs),
  )
  const idleIn = (stretches: readonly Stretch[]): Part => ({
    className: 'play-idle',
    stretches: gapsOf(stretches, endNs),
    labelClass: 'play-label',
    wordOf: () => 'idle',
  })
  if (ranks.length > 0)
    return ranks.map((stretches, rank) => ({
      name: `rank ${String(rank)}`,
      parts: [idleIn(stretches), { className: 'play-work', stretches }],
    }))
  const lanes: readonly Lane[] = [
    {
      name: 'host',
      parts: [
        { className: 'play-wait', stretches: waits, labelClass: 'play-label', wordOf: () => 'waits' },
        { className: 'play-work', stretches: host },
      ],
    },
    // A loader's workers take the place of what is on the way: its batches are carried in no time.
    ...(workers.length > 0
      ? workers.map((stretches, worker) => ({
          name: `worker ${String(worker)}`,
          parts: [
            idleIn(stretches),
            {
              ...NUMBERED,
              className: 'play-work play-made',
              stretches,
              wordOf: (made: number) => String(made * workers.length + worker + 1),
            },
          ],
        }))
      : [{ name: 'on the way', parts: [{ className: 'play-way', stretches: between }] }]),
    {
      name: 'device',
      parts: [idleIn(passes), { ...NUMBERED, stretches: passes, wordOf: (pass) => String(pass + 1) }],
    },
  ]
  // A program of transfers alone has nothing on its device.
  return passes.length === 0 ? lanes.slice(0, 2) : lanes
}

/** Before and between stretches, and behind them until an end. */
const gapsOf = (stretches: readonly Stretch[], endNs: number): readonly Stretch[] =>
  [...stretches, { startNs: endNs, endNs }]
    .map(({ startNs }, index) => ({ startNs: stretches[index - 1]?.endNs ?? 0, endNs: startNs }))
    .filter((gap) => gap.endNs > gap.startNs)

export const PlayPicture = ({ seen }: { readonly seen: Seen | null }) => {
  const { ref, width } = useWidth()
  const id = useId()
  const lanes = seen ? lanesOf(seen) : NO_LANES
  const height = topOf(lanes.length) - GAP + AXIS
  return (
    <div ref={ref} className="play-picture shrinks forced-keep" data-testid="play-picture">
      <svg viewBox={`0 0 ${String(width)} ${String(height)}`} aria-hidden="true">
        <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse">
          <rect className="play-line" width={4} height={1} />
        </pattern>
        {lanes.map(({ name }, lane) => (
          <text key={name} x={0} y={topOf(lane) + LANE / 2}>
            {name}
          </text>
        ))}
        {seen && (
          <g transform={`translate(${String(NAMES)} 0)`}>
            <Lanes seen={seen} lanes={lanes} width={Math.max(1, width - NAMES)} texture={`url(#${id})`} />
          </g>
        )}
      </svg>
    </div>
  )
}

interface LanesProps {
  readonly seen: Seen
  readonly lanes: readonly Lane[]
  readonly width: number
  readonly texture: string
}

const Lanes = ({ seen, lanes, width, texture }: LanesProps) => {
  const { windowNs, steps } = seen
  const pxPerNs = width / windowNs
  const axis = scaleLinear([0, windowNs / 1e6], [0, width])
  const ticks = axis.ticks(Math.max(2, Math.floor(width / 180)))
  const tickText = axis.tickFormat(ticks.length)
  const barsOf = ({ stretches, className }: Part, lane: number) =>
    stretches.map(({ startNs, endNs }) => (
      <rect
        key={`${className} ${String(startNs)}`}
        className={className}
        x={startNs * pxPerNs}
        y={topOf(lane)}
        width={Math.max(1, (endNs - startNs) * pxPerNs)}
        height={LANE}
      />
    ))
  const labelsOf = ({ stretches, labelClass, wordOf = () => '' }: Part, lane: number) =>
    stretches.map(({ startNs, endNs }, index) => {
      const word = wordOf(index)
      if (word === '' || (endNs - startNs) * pxPerNs < word.length * LETTER + 8) return null
      return (
        <text
          key={startNs}
          className={labelClass}
          x={((startNs + endNs) / 2) * pxPerNs}
          y={topOf(lane) + LANE / 2}
        >
          {word}
        </text>
      )
    })
  return (
    <>
      {lanes.map(({ name }, lane) => (
        <rect key={name} className="play-ground" y={topOf(lane)} width={width} height={LANE} />
      ))}
      {lanes.map(({ parts }, lane) => parts.map((part) => barsOf(part, lane)))}
      {lanes.map(({ name }, lane) => (
        <rect key={name} fill={texture} y={topOf(lane)} width={width} height={LANE} />
      ))}
      {lanes.map(({ parts }, lane) => parts.map((part) => labelsOf(part, lane)))}
      {steps.map((startNs) => (
        <line
          key={startNs}
          className="play-step"
          x1={startNs * pxPerNs}
          x2={startNs * pxPerNs}
          y1={-2}
          y2={LANE + 2}
        />
      ))}
      {ticks.map((ms) => (
        <text
          key={ms}
          className="play-tick"
          x={axis(ms)}
          y={topOf(lanes.length) - GAP + AXIS - 8}
          textAnchor={ms === 0 ? 'start' : axis(ms) > width - 24 ? 'end' : 'middle'}
        >
          {`${tickText(ms)}${THIN}ms`}
        </text>
      ))}
    </>
  )
}
