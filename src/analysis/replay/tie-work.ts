/** When work can begin: latencies, pauses on its stream, work of other streams, callbacks. */
import { addTo } from '../../base/lists'
import type { Draft, DraftWork } from './draft'
import { orderStatistic } from '../../base/stats'

const CALLBACK = /^HostNode\b|host_?func/i
/** Work that begins or ends within this of another's end may have waited for it. */
export const LATE_NS = 20_000

export function tieWork({ work }: Pick<Draft, 'work'>): void {
  const before = workBefore(work)
  const freeNs = (index: number) => work[before[index] ?? -1]?.endNs ?? -Infinity
  const { least, latency, pause } = usualTimes(work, freeNs)
  const last = new Map<number, number>()
  for (const [index, each] of work.entries()) {
    const free = freeNs(index)
    const { startNs, callNs } = each
    const sinceCall = startNs - callNs
    const sinceFree = startNs - free
    const inGraph = work[before[index] ?? -1]?.call === each.call
    const isQueued = free > callNs + least || inGraph
    const readyNs = Math.max(callNs + latency, free)
    const other = dependency(work, each, last, readyNs)
    const endedNs = work[other]?.endNs ?? -Infinity
    // It waited for that work, if nothing else kept it longer.
    const isExplained = other >= 0 && endedNs > readyNs
    if (other >= 0) {
      each.after = other
      each.afterNs = isExplained ? startNs - endedNs : Math.min(pause, startNs - endedNs)
    }
    each.latencyNs = isQueued || isExplained ? Math.min(latency, sinceCall) : sinceCall
    if (Number.isFinite(sinceFree))
      each.pauseNs = isQueued && !isExplained ? sinceFree : Math.min(pause, sinceFree)
    last.set(each.stream, index)
  }
}

/** By work: what was launched before it on its stream; -1: nothing. */
function workBefore(work: readonly DraftWork[]): Int32Array {
  const lastOn: number[] = []
  return Int32Array.from(work, ({ stream }, index) => {
    const before = lastOn[stream] ?? -1
    lastOn[stream] = index
    return before
  })
}

/** Latency of a launch, its least, and the pause between two in a queue. */
function usualTimes(work: readonly DraftWork[], freeNs: (index: number) => number) {
  const launchNs = work.map(({ startNs, callNs }) => startNs - callNs)
  // Where the host is always ahead, none shows it.
  const least = Math.max(0, Math.min(LATE_NS, orderStatistic(launchNs, 0.1, 0)))
  const idle: number[] = []
  const queued: number[] = []
  for (const [index, { startNs, callNs }] of work.entries()) {
    const free = freeNs(index)
    if (free <= callNs) idle.push(startNs - callNs)
    else if (free > callNs + least) queued.push(startNs - free)
  }
  const latency = Math.max(least, orderStatistic(idle, 0.5, least))
  return { least, latency, pause: Math.max(0, orderStatistic(queued, 0.5, 1_000)) }
}

/**
 * The work of another stream whose end let this one begin: declared by a wait for an event, or seen
 * by its start.
 */
function dependency(
  all: readonly DraftWork[],
  { stream, startNs, mayWait }: DraftWork,
  last: ReadonlyMap<number, number>,
  readyNs: number,
): number {
  let [found, foundNs] = [-1, -Infinity]
  for (const [of, other] of last) {
    if (of === stream) continue
    const endNs = all[other]?.endNs ?? Infinity
    if (endNs > startNs) continue
    const isSeen = startNs - readyNs > LATE_NS && startNs - endNs < LATE_NS
    if ((mayWait || isSeen) && endNs > foundNs) [found, foundNs] = [other, endNs]
  }
  return found
}

/** A graph's callbacks of the host are recorded on the device's lane, between its kernels. */
export function findCallbacks({ placed, names, streams, work }: Draft): void {
  const { trace, startNs, endNs } = placed
  const isCallback = names.matching(CALLBACK)
  const callbacks = new Map<number, number[]>()
  for (let span = 0; span < trace.spans.length; span += 1) {
    const stream = streams.get(trace.spans.lane[span] ?? -1)
    if (stream === undefined || !isCallback(span)) continue
    addTo(callbacks, stream, span)
  }
  if (callbacks.size === 0) return
  for (const each of work)
    for (const span of callbacks.get(each.stream) ?? []) {
      const from = Math.max(startNs[span] ?? 0, each.startNs - each.pauseNs)
      const to = Math.min(endNs[span] ?? 0, each.startNs)
      if (to > from) each.callbackNs += to - from
    }
}
