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

export class Launches {
  readonly #file: EventFile
  readonly #joins: Correlations
  /**
   * By process: the backward pass launches from a thread of its own into the capture of another.
   */
  readonly #captures: ReadonlyMap<number, Captures>
  readonly #isLaunch: (name: number) => boolean

  constructor(file: EventFile, joins: Correlations) {
    this.#file = file
    this.#joins = joins
    this.#isLaunch = file.texts.asked((name) => callRowOf(name)?.brings !== undefined)
    this.#captures = capturesOf(file, joins.callRows)
  }

  /** `row`: a row of class CALL. @param call the row that it is a copy of, or itself */
  has(row: number, call: number): boolean {
    if (this.#joins.strays.has(call)) return false
    const { columns } = this.#file.events
    const name = columns.name[row] ?? 0
    if (!this.#isLaunch(name)) return false
    const correlation = columns.key[row] ?? 0
    if (correlation === 0 || this.#joins.calls[correlation] !== call) return false
    if (this.#joins.causes[correlation] === 1) return true
    return !MEMSET_CALL.test(this.#file.texts.text(name)) && !this.#isCaptured(row)
  }

  #isCaptured(row: number): boolean {
    const captures = this.#captures.get(this.#file.pidOf(row))
    if (!captures) return false
    const timeNs = this.#file.events.nsOf(row)
    const at = upperBound(captures.starts, timeNs) - 1
    return at >= 0 && timeNs < (captures.ends[at] ?? -Infinity)
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
  for (const row of calls) {
    const by = edgeOf(events.columns.name[row] ?? 0)
    if (by !== 0) addTo(edges, pidOf(row), { timeNs: events.nsOf(row), by })
  }
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
