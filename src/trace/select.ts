/**
 * Part of a trace as a trace of its own: some spans, some lanes. What points at something that is
 * left out goes with it (arrows); strings that nobody names any more are dropped. Clocks and their
 * snapshots all stay: they tie the device's time to the host's, and come from all of a run. The
 * trace given is not changed.
 */
import { collectivesOf } from './collectives'
import { detailsOf } from './details'
import { COUNTER_TABLE, FLOW_TABLE, GrowingTable, INSTANT_TABLE, SPAN_TABLE } from './columns'
import type { Lane, Trace } from './schema'

export interface Selection {
  /** Spans of lanes that are left out are not asked for. */
  readonly span?: (span: number) => boolean
  readonly lane?: (lane: Lane) => boolean
  readonly instant?: (row: number) => boolean
  /** Host ns: counter samples and the instants of host clocks outside go. */
  readonly range?: readonly [startNs: number, endNs: number]
}

const everything = () => true

export function selectSpans(
  trace: Trace,
  { span = everything, lane = everything, instant = everything, range }: Selection,
): Trace {
  const isNear = (timeNs: number) => !range || (timeNs >= range[0] && timeNs <= range[1])
  const kept = trace.lanes.filter(lane)
  const laneOf = new Map(kept.map(({ id }, index) => [id, index]))
  const strings: string[] = []
  const stringOf = new Map<number, number>()
  const text = (index: number): number => {
    const known = stringOf.get(index)
    if (known !== undefined) return known
    const next = strings.push(trace.strings[index] ?? '') - 1
    stringOf.set(index, next)
    return next
  }

  const spans = new GrowingTable(SPAN_TABLE)
  const spanOf = new Int32Array(trace.spans.length).fill(-1)
  for (let row = 0; row < trace.spans.length; row += 1) {
    const id = laneOf.get(trace.spans.lane[row] ?? -1)
    if (id === undefined || !span(row)) continue
    const at = spans.addRow()
    spanOf[row] = at
    const { columns } = spans
    const variant = trace.spans.variant[row] ?? -1
    columns.lane[at] = id
    columns.kind[at] = trace.spans.kind[row] ?? 0
    columns.role[at] = trace.spans.role[row] ?? 0
    columns.source[at] = trace.spans.source[row] ?? 0
    columns.start[at] = trace.spans.start[row] ?? 0
    columns.end[at] = trace.spans.end[row] ?? 0
    columns.name[at] = text(trace.spans.name[row] ?? 0)
    columns.submission[at] = trace.spans.submission[row] ?? -1
    columns.variant[at] = variant < 0 ? -1 : text(variant)
    columns.repeat[at] = trace.spans.repeat[row] ?? -1
    columns.step[at] = trace.spans.step[row] ?? -1
    columns.line[at] = trace.spans.line[row] ?? -1
    columns.bytes[at] = trace.spans.bytes[row] ?? Number.NaN
    columns.flops[at] = trace.spans.flops[row] ?? Number.NaN
  }

  const instants = new GrowingTable(INSTANT_TABLE)
  for (let row = 0; row < trace.instants.length; row += 1) {
    const from = trace.instants.lane[row] ?? -1
    const id = laneOf.get(from)
    const time = trace.instants.time[row] ?? 0
    const isHost = trace.clocks[trace.lanes[from]?.clock ?? -1]?.kind === 'host'
    if (id === undefined || (isHost && !isNear(time)) || !instant(row)) continue
    const at = instants.addRow()
    instants.columns.lane[at] = id
    instants.columns.time[at] = time
    instants.columns.name[at] = text(trace.instants.name[row] ?? 0)
    instants.columns.submission[at] = trace.instants.submission[row] ?? -1
  }

  const flows = new GrowingTable(FLOW_TABLE)
  for (let row = 0; row < trace.flows.length; row += 1) {
    const [from = -1, to = -1] = [spanOf[trace.flows.from[row] ?? -1], spanOf[trace.flows.to[row] ?? -1]]
    if (from < 0 || to < 0) continue
    const at = flows.addRow()
    flows.columns.from[at] = from
    flows.columns.to[at] = to
    flows.columns.kind[at] = trace.flows.kind[row] ?? 0
  }

  return {
    ...trace,
    lanes: kept.map((each, id) => ({ ...each, id })),
    spans: spans.copy(),
    instants: instants.copy(),
    flows: flows.copy(),
    collectives: collectivesOf(trace.collectives, (row) => spanOf[row] ?? -1, text),
    details: detailsOf(trace.details, (row) => spanOf[row] ?? -1, text),
    counters: trace.counters.flatMap(({ name, unit, lane: on, length, timeNs, value }) => {
      const id = laneOf.get(on)
      if (id === undefined) return []
      const samples = new GrowingTable(COUNTER_TABLE)
      for (let row = 0; row < length; row += 1) {
        if (!isNear(timeNs[row] ?? 0)) continue
        const at = samples.addRow()
        samples.columns.timeNs[at] = timeNs[row] ?? 0
        samples.columns.value[at] = value[row] ?? 0
      }
      return [{ name, unit, lane: id, ...samples.copy() }]
    }),
    strings,
  }
}
