import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMendTypedStore, type MendTypedParts } from './mend-typed'
import { OPEN_MEND as MEND, SEEN_ON_MODEL as SEEN } from './testing/open-mend'
import { traceTools } from './trace-tools'

const PAUSE_MS = 500

type OnModelOf = Awaited<ReturnType<MendTypedParts['load']>>['onModel']

function setUp(isMeasuring: () => boolean = () => false, answer: OnModelOf = () => Promise.resolve(SEEN)) {
  const onModel = vi.fn(answer)
  const marks = { running: vi.fn(), ended: vi.fn() }
  const typed = createMendTypedStore(
    {
      load: () => Promise.resolve({ onModel }),
      isMeasuring: () => Promise.resolve(isMeasuring()),
      tools: traceTools,
    },
    marks,
  )
  const sources = () => onModel.mock.calls.map(([, source]) => source)
  return { ...typed, onModel, marks, sources }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('what is typed', () => {
  it('is modelled once, when the typing pauses, after the program that it began as and with its sizes', async () => {
    const { typed, store, onModel, sources } = setUp()
    typed(MEND, 'a')
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1)
    typed(MEND, 'ab')
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1)
    expect(onModel).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(sources()).toEqual([MEND.start, 'ab'])
    expect(onModel.mock.calls.map(([, , { plan }]) => plan)).toEqual([null, SEEN.plan])
    expect(store.getState()).toMatchObject({
      key: 'a',
      start: { source: MEND.start },
      yours: { source: 'ab' },
    })
  })

  it('runs the program that it began as once a mend', async () => {
    const { typed, sources } = setUp()
    for (const text of ['a', 'ab', MEND.start]) {
      typed(MEND, text)
      await vi.advanceTimersByTimeAsync(PAUSE_MS)
    }
    typed({ ...MEND, lesson: 'b' }, 'c')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(sources()).toEqual([MEND.start, 'a', 'ab', MEND.start, 'c'])
  })

  it('waits while something is measured, and is modelled then', async () => {
    const state = { isMeasuring: true }
    const { typed, onModel, sources } = setUp(() => state.isMeasuring)
    typed(MEND, 'a')
    await vi.advanceTimersByTimeAsync(10 * PAUSE_MS)
    expect(onModel).not.toHaveBeenCalled()
    state.isMeasuring = false
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(sources()).toEqual([MEND.start, 'a'])
  })

  it('is given up for what is typed next, and for a run', async () => {
    const signals: AbortSignal[] = []
    const { typed, stop, store, marks } = setUp(undefined, (_lesson, source, { signal }) => {
      signals.push(signal)
      return source === MEND.start
        ? Promise.resolve(SEEN)
        : new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              resolve(null)
            })
          })
    })
    typed(MEND, 'a')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    typed(MEND, 'ab')
    expect(signals.at(-1)?.aborted).toBe(true)
    expect(marks.ended).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    stop()
    // At once: a run that begins now has a mark of its own.
    expect(marks.ended).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(10 * PAUSE_MS)
    expect(marks.running).toHaveBeenCalledTimes(2)
    expect(marks.ended).toHaveBeenCalledTimes(2)
    expect(store.getState()).toEqual({ key: null, start: null, yours: null })
  })

  it('keeps what was seen where nothing can be said', async () => {
    let answers = 0
    const { typed, store } = setUp(undefined, () => {
      answers += 1
      return Promise.resolve(answers > 2 ? null : SEEN)
    })
    typed(MEND, 'a')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    typed(MEND, 'ab')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(store.getState().yours).toMatchObject({ source: 'a' })
  })
})
