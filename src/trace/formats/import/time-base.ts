/**
 * The file's time zero. Absolute times of 1.7e15 µs leave a double no nanoseconds: the first time
 * is subtracted before any maths. A nanosecond axis reaches 104 days (2^53 ns); an event that far
 * from most others (a stray 0 among absolute times, a span of a billion years) has no place on it
 * and is left out.
 */
import { LIMITS } from '../../budget'
import { LOST } from './classes'
import type { EventFile } from './event-file'
import { METADATA } from './phases'

export const AXIS_NS = LIMITS.timeNs.most
export const OFF_AXIS = 'its time is over 104 days from the rest: too far for an axis in nanoseconds'

interface TimeBase {
  /** Whole µs that stand for 0. */
  readonly baseUs: number
  /** The same of other times. */
  readonly nsOf: (wholeUs: number, restNs: number) => number
}

/**
 * Puts the events' times onto the axis: ns from the base, NaN where an event has no time or no
 * place on it.
 */
export function findTimeBase(
  { events, firstUs: low, lastUs: high }: EventFile,
  fixedBaseUs: number | null,
): TimeBase {
  const { columns, length } = events
  const { time: wholeUs, phase, group, restNs, step } = columns
  let baseUs = fixedBaseUs ?? (low === Infinity ? 0 : low)
  const reachUs = AXIS_NS / 1e3 / 2
  let firstUs = low
  let lastUs = high
  if (fixedBaseUs !== null) {
    firstUs = fixedBaseUs - reachUs / 2
    lastUs = fixedBaseUs + reachUs / 2
  } else if (high - low > reachUs) {
    const times = wholeUs
      .subarray(0, length)
      .filter((us, row) => !Number.isNaN(us) && phase[row] !== METADATA && group[row] !== LOST)
      .sort()
    const middleUs = times[times.length >> 1] ?? 0
    firstUs = middleUs - reachUs / 2
    lastUs = middleUs + reachUs / 2
    baseUs = times.find((time) => time >= firstUs) ?? 0
  }
  const nsOf = (us: number, rest: number) =>
    us >= firstUs && us <= lastUs ? (us - baseUs) * 1e3 + rest : Number.NaN
  wholeUs.subarray(0, length).forEach((us, row) => {
    const isOn = us >= firstUs && us <= lastUs
    step[row] = isOn || Number.isNaN(us) ? 0 : 1
    wholeUs[row] = isOn ? (us - baseUs) * 1e3 + (restNs[row] ?? 0) : Number.NaN
  })
  restNs.fill(Number.NaN, 0, length)
  return { baseUs, nsOf }
}
