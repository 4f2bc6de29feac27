/**
 * Which process a device works for. Ids are unique within a process only, and two ranks merged into
 * one file count from the same number: of the calls that bear a record's id, its own comes before
 * it.
 */
import { madeOnce } from '../../../base/lists'
import type { EventFile } from './event-file'

/** Clocks of host and device are placed so far apart at most. */
const AHEAD_NS = 1_000_000

interface Votes {
  /** Records that began after the call, not before it. */
  after: number
  lagNs: number
}

/** @returns by pid of a device, the pid whose calls its records are of */
export function processesOfDevices(
  { events, pidOf }: EventFile,
  work: readonly number[],
  callsWith: (record: number) => readonly number[],
): ReadonlyMap<number, number> {
  const votes = new Map<number, Map<number, Votes>>()
  for (const record of work) {
    const device = pidOf(record)
    const ofDevice = madeOnce(votes, device, () => new Map<number, Votes>())
    for (const call of callsWith(record)) {
      const process = pidOf(call)
      const ofProcess = madeOnce(ofDevice, process, () => ({ after: 0, lagNs: 0 }))
      const lagNs = events.nsOf(record) - events.nsOf(call)
      if (!(lagNs > -AHEAD_NS)) continue
      ofProcess.after += 1
      ofProcess.lagNs += lagNs
    }
  }
  const found = new Map<number, number>()
  for (const [device, ofDevice] of votes) {
    let [best, most]: [number | undefined, Votes] = [undefined, { after: -1, lagNs: 0 }]
    for (const [process, each] of ofDevice)
      if (each.after > most.after || (each.after === most.after && each.lagNs < most.lagNs))
        [best, most] = [process, each]
    if (best !== undefined) found.set(device, best)
  }
  return found
}
