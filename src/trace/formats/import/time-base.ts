/**
 * The file's time zero. Absolute times of 1.7e15 µs leave a double no nanoseconds: the first time
 * is subtracted before any maths. A nanosecond axis reaches 104 days (2^53 ns); an event that far
 * from most others (a stray 0 among absolute times, a span of a billion years) has no place on it
 * and is left out.
 */
import { LIMITS } from '../../budget'
import { LOST } from './classes'
import type { EventFile } from './event-reader'

export const AXIS_NS = LIMITS.timeNs.most
export const OFF_AXIS = 'its time is over 104 days from the rest: no place on an axis of nanoseconds'

export interface TimeBase {
  /** Whole µs that stand for 0. */
  readonly baseUs: number
  /** ns from the base; NaN where the event has no time, or none on the axis. */
  readonly nsOf: (row: number) => number
}

export function findTimeBase(
  { events }: EventFile,
  classes: Uint8Array,
  fixedBaseUs: number | null,
): TimeBase {
  const { columns, length } = events
  const wholeUs = columns.wholeUs.subarray(0, length)
  const phaseOf = columns.phase
  const isTimed = (row: number) =>
    !Number.isNaN(wholeUs[row]) && phaseOf[row] !== METADATA && classes[row] !== LOST
  let [low, high] = [Infinity, -Infinity]
  for (let row = 0; row < length; row += 1) {
    if (!isTimed(row)) continue
    low = Math.min(low, wholeUs[row] ?? 0)
    high = Math.max(high, wholeUs[row] ?? 0)
  }
  let baseUs = fixedBaseUs ?? (low === Infinity ? 0 : low)
  const reachUs = AXIS_NS / 1e3 / 2
  let [firstUs, lastUs] = [low, high]
  if (fixedBaseUs !== null) [firstUs, lastUs] = [fixedBaseUs - reachUs / 2, fixedBaseUs + reachUs / 2]
  else if (high - low > reachUs) {
    const times = wholeUs.filter((_, row) => isTimed(row)).sort()
    const middleUs = times[times.length >> 1] ?? 0
    firstUs = middleUs - reachUs / 2
    lastUs = middleUs + reachUs / 2
    baseUs = times.find((time) => time >= firstUs) ?? 0
  }
  const { restNs } = columns
  return {
    baseUs,
    nsOf: (row) => {
      const us = wholeUs[row] ?? Number.NaN
      return us >= firstUs && us <= lastUs ? (us - baseUs) * 1e3 + (restNs[row] ?? 0) : Number.NaN
    },
  }
}
const METADATA = 0x4d // 'M'
