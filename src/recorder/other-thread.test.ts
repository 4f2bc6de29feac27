import { afterEach, describe, expect, it } from 'vitest'
import { SPAN_ROLES } from '../trace/schema'
import { macrotask, record, stopRecording } from './testing/record'

afterEach(stopRecording)

const TAG = { variant: 'worker-2', repeat: 1, step: 3 }

/** A thread whose origin lies so many ms after this one's. */
function work(originsApartMs: number, { early = 0, late = 0 } = {}) {
  const { session } = record()
  const thread = session.otherThread('host (loader)')
  const askedNs = session.now()
  const timeOriginMs = performance.timeOrigin + originsApartMs
  const startMs = performance.now() - originsApartMs - early
  const endMs = performance.now() - originsApartMs + late
  const times = { timeOriginMs, startMs, endMs, askedNs, heardNs: session.now() }
  const span = thread.worked({ ...times, name: 'make batch 3', bytes: 64, tag: TAG })
  return { session, span, times }
}

describe('work of another thread', () => {
  it.each([0, 1234.5, -60_000])(
    'stands on a lane of its own at this thread’s time, with origins %d ms apart',
    (apart) => {
      const { session, span, times } = work(apart)
      const { spans, lanes, strings, rejected } = session.freeze()
      expect(rejected).toEqual({})
      expect(lanes[spans.lane[span] ?? -1]).toMatchObject({ kind: 'host', name: 'host (loader)', clock: 0 })
      expect(spans.lane[span]).not.toBe(0)
      // A clock that steps by a microsecond.
      expect(spans.start[span]).toBeGreaterThanOrEqual(times.askedNs - 1000)
      expect(spans.start[span]).toBeLessThanOrEqual(times.heardNs + 1000)
      expect(strings[spans.variant[span] ?? -1]).toBe('worker-2')
      expect([spans.repeat[span], spans.step[span], spans.line[span]]).toEqual([1, 3, -1])
    },
  )

  it.each([
    ['began before it was asked for', { early: 60_000 }],
    ['ended after it was reported', { late: 60_000 }],
  ])('is rejected where its clock says that it %s', (_, off) => {
    const { session, span } = work(0, off)
    const trace = session.freeze()
    expect(span).toBe(-1)
    expect(trace.rejected).toEqual({ 'work of another thread outside its bracket': 1 })
    expect(trace.lanes.filter(({ kind }) => kind === 'host')).toHaveLength(1)
  })

  it('is not written while recording is off', () => {
    const { session } = record()
    session.recording = false
    const now = performance.now()
    const times = {
      timeOriginMs: performance.timeOrigin,
      startMs: now,
      endMs: now,
      askedNs: 0,
      heardNs: 1e15,
    }
    expect(session.otherThread('x').worked({ ...times, name: 'x', bytes: 0, tag: TAG })).toBe(-1)
  })
})

describe('an await of the program', () => {
  it('is a wait on the host’s lane, in the step in which it began', async () => {
    const { session } = record()
    session.tag = TAG
    const start = session.now()
    const waited = session.awaited('wait-batch', 'the next batch', macrotask())
    session.tag = { ...TAG, step: 4 }
    await waited
    const { spans } = session.freeze()
    expect(spans.length).toBe(1)
    expect(SPAN_ROLES[spans.role[0] ?? 0]).toBe('wait-batch')
    expect([spans.lane[0], spans.step[0]]).toEqual([0, 3])
    expect(spans.start[0]).toBeGreaterThanOrEqual(start)
    expect(spans.end[0]).toBeGreaterThan(spans.start[0] ?? Infinity)
  })

  it('ends where the promise is refused, too', async () => {
    const { session } = record()
    const refused = session.awaited('wait-batch', 'the next batch', Promise.reject(new Error('gone')))
    await expect(refused).rejects.toThrow('gone')
    expect(session.freeze().spans.length).toBe(1)
  })
})
