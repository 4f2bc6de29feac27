import { describe, expect, it } from 'vitest'
import { Pace } from './pace'

const MAX_DELAY_NS = 0.2e6

/** A busy time of so many submissions, reported one by one at the device's pace. */
function busy(pace: Pace, count: number, eachNs: number, fromNs = 0): void {
  pace.busyFrom(fromNs)
  for (let done = 1; done <= count; done += 1) pace.completed(1, fromNs + done * eachNs, done === count)
}

describe('the pace of a device', () => {
  it('is not known before it has been idle again', () => {
    const pace = new Pace()
    expect(pace.coversAtOnce(1)).toBe(false)
    pace.busyFrom(0)
    pace.completed(5, 10, false)
    expect(pace.coversAtOnce(1)).toBe(false)
    pace.completed(1, 12, true)
    expect(pace.coversAtOnce(1)).toBe(true)
  })

  it('slows down as soon as a report comes late, and speeds up when the queue is idle', () => {
    const pace = new Pace()
    busy(pace, 10, MAX_DELAY_NS / 10)
    pace.busyFrom(0)
    pace.completed(1, 2 * MAX_DELAY_NS, false)
    expect(pace.coversAtOnce(1)).toBe(false)
    pace.completed(9, 3 * MAX_DELAY_NS, false)
    expect(pace.coversAtOnce(1)).toBe(false)
    pace.completed(10, 4 * MAX_DELAY_NS, true)
    expect(pace.coversAtOnce(5)).toBe(true)
  })

  it('is not mended by submissions that follow those of another variant without a pause', () => {
    const pace = new Pace()
    pace.completed(3, 10, true)
    expect(pace.coversAtOnce(1)).toBe(false)
  })
})
