/**
 * Which calls of the runtime and the driver bring work to a device: kernels, graphs, copies and
 * memsets, each correlation once. Their work should be in the file, under the same correlation; a
 * profiler may have lost it. A call within a stream's capture runs nothing: it puts its work into a
 * graph.
 */
import { upperBound } from '../../../base/search'
import { callRowOf, callUseOf } from '../../vendors'
import { addTo } from '../../../base/lists'
import type { Correlations } from './correlations'
import type { EventFile } from './event-file'

/**
 * Libraries clear workspaces of no bytes before each kernel: the call returns at once, and there is
 * no work to record.
 */
const MEMSET_CALL = /^(?:cuda|cu|hip)Memset/

/** Disjoint stretches by start, ns. */
interface Captures {
  readonly starts: Float64Array
  readonly ends: Float64Array
}

/**
 * Asks of a row of class CALL whether it is a launch; `call`: the row that it is a copy of, or
 * itself.
 */
export function launchesOf(file: EventFile, joins: Correlations): (row: number, call: number) => boolean {
  const { events, texts, pidOf } = file
  const isLaunch = texts.asked((name) => callRowOf(name)?.brings !== undefined)
  // By process: the backward pass launches from a thread of its own into the capture of another.
  const captures = capturesOf(file, joins.callRows)
  const isCaptured = (row: number): boolean => {
    const own = captures.get(pidOf(row))
    if (!own) return false
    const timeNs = events.nsOf(row)
    const at = upperBound(own.starts, timeNs) - 1
    return at >= 0 && timeNs < (own.ends[at] ?? -Infinity)
  }
  return (row, call) => {
    const { columns } = events
    const name = columns.name[row] ?? 0
    if (joins.strays.has(call) || !isLaunch(name)) return false
    const correlation = columns.key[row] ?? 0
    if (correlation === 0 || joins.calls[correlation] !== call) return false
    if (joins.causes[correlation] === 1) return true
    return !MEMSET_CALL.test(texts.text(name)) && !isCaptured(row)
  }
}

/** 1 where it begins the capture of a stream, −1 where it ends one, else 0. */
function captureEdgeOf(name: string): 0 | 1 | -1 {
  const use = callUseOf(name)
  return use === 'capture-begin' ? 1 : use === 'capture-end' ? -1 : 0
}

/** From the first begin to the end after which none is open; without an end to the file's. */
function capturesOf({ events, texts, pidOf }: EventFile, calls: Uint32Array): ReadonlyMap<number, Captures> {
  const edges = new Map<number, { readonly timeNs: number; readonly by: 1 | -1 }[]>()
  const edgeOf = texts.asked(captureEdgeOf)
  calls.forEach((row) => {
    const by = edgeOf(events.columns.name[row] ?? 0)
    if (by !== 0) addTo(edges, pidOf(row), { timeNs: events.nsOf(row), by })
  })
  return new Map(
    [...edges].map(([pid, list]) => {
      const [starts, ends]: [number[], number[]] = [[], []]
      let open = 0
      for (const { timeNs, by } of list.sort((a, b) => a.timeNs - b.timeNs)) {
        if (by === 1 && open === 0) starts.push(timeNs)
        if (by === -1 && open === 1) ends.push(timeNs)
        open = Math.max(0, open + by)
      }
      if (ends.length < starts.length) ends.push(Infinity)
      return [pid, { starts: Float64Array.from(starts), ends: Float64Array.from(ends) }]
    }),
  )
}
