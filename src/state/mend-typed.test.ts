import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OnModel } from '../mend/types'
import type { OpenMend } from './mend-store'
import { createMendTypedStore, type MendTypedParts } from './mend-typed'
import { traceTools } from './trace-tools'

const START = 'export default () => 1'
const MEND: OpenMend = {
  lesson: 'a',
  rung: 1,
  rungs: 1,
  ways: [],
  scope: null,
  isTimedOnModel: true,
  language: 'javascript',
  start: START,
  reference: 'export default () => 2',
  words: { title: '', task: [], must: [], hints: [], pytorch: { before: [], code: '', after: [] }, why: [] },
  figure: { words: '', unit: 'ratio', run: 'clean' },
}
const SEEN: OnModel = {
  stop: null,
  plan: { n: 64 },
  trace: null,
  isUnknown: false,
  tookMs: 2,
  steps: 8,
  busy: 0.5,
}
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
    expect(sources()).toEqual([START, 'ab'])
    expect(onModel.mock.calls.map(([, , { plan }]) => plan)).toEqual([null, SEEN.plan])
    expect(store.getState()).toMatchObject({ key: 'a', start: { source: START }, yours: { source: 'ab' } })
  })

  it('runs the program that it began as once a mend', async () => {
    const { typed, sources } = setUp()
    for (const text of ['a', 'ab', START]) {
      typed(MEND, text)
      await vi.advanceTimersByTimeAsync(PAUSE_MS)
    }
    typed({ ...MEND, lesson: 'b' }, 'c')
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(sources()).toEqual([START, 'a', 'ab', START, 'c'])
  })

  it('waits while something is measured, and is modelled then', async () => {
    const state = { isMeasuring: true }
    const { typed, onModel, sources } = setUp(() => state.isMeasuring)
    typed(MEND, 'a')
    await vi.advanceTimersByTimeAsync(10 * PAUSE_MS)
    expect(onModel).not.toHaveBeenCalled()
    state.isMeasuring = false
    await vi.advanceTimersByTimeAsync(PAUSE_MS)
    expect(sources()).toEqual([START, 'a'])
  })

  it('is given up for what is typed next, and for a run', async () => {
    const signals: AbortSignal[] = []
    const { typed, stop, store, marks } = setUp(undefined, (_lesson, source, { signal }) => {
      signals.push(signal)
      return source === START
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
