/**
 * Which process a device works for. Ids are unique within a process only, and two ranks merged into
 * one file count from the same number: a record begins soon after its own call.
 */
import { madeOnce } from '../../../base/lists'
import type { EventFile } from './event-file'

/** Square of a lag in s: from here on, and without a call, a record is as far away as can be. */
const FAR = 1
/** Of a record: what the processes' having as many devices each may cost. */
const MOST_COST = 0.05
const MOST_PASSES = 100

/**
 * Ranks that run in step call at nearly the same times, so the sum of squared lags decides, of all
 * devices together. Each process has as many, unless the ids say otherwise.
 *
 * @returns by pid of a device, the pid whose calls its records are of
 */
export function processesOfDevices(
  { events, pidOf }: EventFile,
  hosts: readonly number[],
  work: readonly number[],
  callsWith: (record: number) => readonly number[],
): ReadonlyMap<number, number> {
  const costs = new Map<number, Float64Array>()
  for (const record of work) {
    const ofDevice = madeOnce(costs, pidOf(record), () => new Float64Array(hosts.length))
    const calls = callsWith(record)
    if (calls.length === 0) continue
    const ofRecord = hosts.map(() => FAR)
    for (const call of calls) {
      const square = ((events.nsOf(record) - events.nsOf(call)) / 1e9) ** 2
      if (square < FAR) ofRecord[hosts.indexOf(pidOf(call))] = square
    }
    for (const [host, cost] of ofRecord.entries()) ofDevice[host] = (ofDevice[host] ?? 0) + cost
  }
  const nearest = Array.from(costs, ([device, each]) => [device, each.indexOf(Math.min(...each))] as const)
  const shared = sharedOut(costs, hosts.length)
  const total = (pairs: typeof nearest) =>
    pairs.reduce((sum, [device, host]) => sum + (costs.get(device)?.[host] ?? 0), 0)
  const found = total(shared) - total(nearest) < MOST_COST * work.length ? shared : nearest
  return new Map(found.map(([device, host]) => [device, hosts[host] ?? device]))
}

/** As many devices to each host; two change places while that costs less. */
function sharedOut(costs: ReadonlyMap<number, Float64Array>, hosts: number) {
  const most = Math.ceil(costs.size / hosts)
  const hostOf = (place: number) => Math.floor(place / most)
  const cost = (place: number, device = -1) => costs.get(device)?.[hostOf(place)] ?? 0
  const places: (number | undefined)[] = [...costs.keys()]
  places.length = most * hosts
  let isBetter = true
  for (let pass = 0; isBetter && pass < MOST_PASSES; pass += 1) {
    isBetter = false
    for (let a = 0; a < places.length; a += 1)
      for (let b = a + 1; b < places.length; b += 1) {
        const [x, y] = [places[a], places[b]]
        if (!(cost(a, y) + cost(b, x) < cost(a, x) + cost(b, y))) continue
        ;[places[a], places[b]] = [y, x]
        isBetter = true
      }
  }
  return places.flatMap((device, place) => (device === undefined ? [] : [[device, hostOf(place)] as const]))
}
