/** What each colour and pattern means; only what this run can show. */
import { memo } from 'react'
import { kindsDrawn, MARKS } from '../../../timeline'
import type { PlacedTrace } from '../../../trace/place'
import type { SpanKind } from '../../../trace/schema'
import { Swatch, type SwatchName } from './Swatch'

interface Entry {
  readonly hue: string
  readonly mark: SwatchName
  readonly label: string
  /** Shown where the run has such a lane. */
  readonly lane: 'host' | 'queue' | 'staging' | 'device' | 'other'
  /** And, where it is given, such a span. */
  readonly kind?: SpanKind
}

const ofKind = (kind: SpanKind, lane: Entry['lane'], label: string): Entry => ({
  hue: MARKS[kind].hue,
  mark: MARKS[kind].mark,
  label,
  lane,
})

const ENTRIES: readonly Entry[] = [
  ofKind('host-work', 'host', 'host at work'),
  ofKind('host-wait', 'host', 'host waiting'),
  { hue: 'queue', mark: 'step', label: 'queue depth', lane: 'queue' },
  ofKind('queued', 'queue', 'submission, until reported done'),
  ofKind('staging-free', 'staging', 'staging: free'),
  ofKind('staging-mapping', 'staging', 'mapping'),
  ofKind('staging-mapped', 'staging', 'mapped'),
  ofKind('staging-filled', 'staging', 'filled'),
  ofKind('staging-in-flight', 'staging', 'in flight'),
  ofKind('compute', 'device', 'compute on the device'),
  { ...ofKind('transfer', 'device', 'transfer on the device'), kind: 'transfer' },
  { ...ofKind('collective', 'device', 'collective: communication between ranks'), kind: 'collective' },
  {
    ...ofKind('collective-wait', 'device', 'waiting for another rank, within it'),
    mark: 'hatch', // always inferred: from the ranks' clocks
    kind: 'collective-wait',
  },
  {
    hue: 'text',
    mark: 'moment',
    label: 'the last rank to begin a collective',
    lane: 'device',
    kind: 'collective-wait',
  },
  { hue: 'wait', mark: 'bracket', label: 'device idle because of the host', lane: 'device' },
  { hue: 'text-2', mark: 'bracket', label: 'idle for another cause', lane: 'device' },
  { hue: 'device', mark: 'whisker', label: 'bound of an edge', lane: 'device' },
  { ...ofKind('other', 'other', 'other, as the file names it'), kind: 'other' },
]

interface LegendProps {
  readonly placed: PlacedTrace
  /** The critical path is drawn. */
  readonly hasPath?: boolean
}

export const Legend = memo(({ placed, hasPath = false }: LegendProps) => {
  const { lanes, spans } = placed.trace
  const kinds = new Set<string>(lanes.map(({ kind }) => kind))
  const drawn = kindsDrawn(placed)
  const hasInferred = spans.source.subarray(0, spans.length).includes(1)
  return (
    <ul className="tl-legend cluster-4-16 quiet" aria-label="Legend">
      {ENTRIES.filter(({ lane, kind }) => (kind ? drawn.has(kind) : kinds.has(lane))).map(
        ({ hue, mark, label }) => (
          <li key={label} className="row">
            <Swatch hue={hue} mark={mark} />
            {label}
          </li>
        ),
      )}
      {hasInferred && (
        <li className="row">
          <Swatch hue="text-2" mark="hatch" />
          inferred, not measured
        </li>
      )}
      {hasPath && (
        <li className="row">
          <Swatch hue="text" mark="path" />
          critical path; dashed: on its way
        </li>
      )}
      <li className="row">Where bars are too thin to tell apart, height is their share of the time.</li>
    </ul>
  )
})
Legend.displayName = 'Legend'
