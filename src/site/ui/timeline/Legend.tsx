/** What each colour and pattern means; only what is drawn. */
import { memo } from 'react'
import { kindsDrawn, MARKS } from '../../../timeline'
import type { PlacedTrace } from '../../../trace/place'
import type { LaneKind, SpanKind } from '../../../trace/schema'
import { Swatch, type SwatchName } from './Swatch'

interface Entry {
  readonly hue: string
  readonly mark: SwatchName
  readonly label: string
}

/** Of kinds that look alike the first. */
function entriesOf(drawn: ReadonlySet<SpanKind>): readonly Entry[] {
  const kinds = (Object.keys(MARKS) as SpanKind[]).filter((kind) => drawn.has(kind))
  // Waiting for another rank is always inferred, from the ranks' clocks.
  const all = kinds.map((kind): Entry =>
    kind === 'collective-wait' ? { ...MARKS[kind], mark: 'hatch' } : MARKS[kind],
  )
  const isLike = (one: Entry) => (other: Entry) => one.hue === other.hue && one.mark === other.mark
  return all.filter((entry, at) => all.findIndex(isLike(entry)) === at)
}

/** By lane: what no kind of span stands for. */
const OF_LANES: readonly (Entry & { readonly lane: LaneKind })[] = [
  { hue: 'queue', mark: 'step', label: 'queue depth', lane: 'queue' },
  { hue: 'wait', mark: 'bracket', label: 'device idle because of the host', lane: 'device' },
  { hue: 'text-2', mark: 'bracket', label: 'idle for another cause', lane: 'device' },
  { hue: 'device', mark: 'whisker', label: 'bound of an edge', lane: 'device' },
]
const LAST_RANK: Entry = { hue: 'text', mark: 'moment', label: 'the last rank to begin a collective' }
const INFERRED: Entry = { hue: 'text-2', mark: 'hatch', label: 'inferred, not measured' }
const PATH: Entry = { hue: 'text', mark: 'path', label: 'critical path; dashed: on its way' }

interface LegendProps {
  readonly placed: PlacedTrace
  /** The critical path is drawn. */
  readonly hasPath?: boolean
}

export const Legend = memo(({ placed, hasPath = false }: LegendProps) => {
  const { lanes, spans } = placed.trace
  const drawn = kindsDrawn(placed)
  const entries = [
    ...entriesOf(drawn),
    ...OF_LANES.filter(({ lane }) => lanes.some(({ kind }) => kind === lane)),
    ...(drawn.has('collective-wait') ? [LAST_RANK] : []),
    ...(spans.source.subarray(0, spans.length).includes(1) ? [INFERRED] : []),
    ...(hasPath ? [PATH] : []),
  ]
  return (
    <ul className="tl-legend cluster-4-16 quiet" aria-label="Legend">
      {entries.map(({ hue, mark, label }) => (
        <li key={label} className="row">
          <Swatch hue={hue} mark={mark} />
          {label}
        </li>
      ))}
      <li className="row">Where bars are too thin to tell apart, height is their share of the time.</li>
    </ul>
  )
})
Legend.displayName = 'Legend'
