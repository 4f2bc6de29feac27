import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Way } from '../mend/words'
import { createMendWaysStore, type MendWaysParts } from './mend-ways'
import { OPEN_MEND, SEEN_ON_MODEL as SEEN } from './testing/open-mend'
import { traceTools } from './trace-tools'

const wayOf = (name: string): Way => ({
  name,
  why: `${name}.`,
  source: `// ${name}`,
  lines: [],
  added: 1,
  gone: 0,
})
const WAYS = [wayOf('One'), wayOf('Other')]
const MEND = { ...OPEN_MEND, rung: 2, rungs: 2, ways: WAYS, start: 'start', reference: 'own' }

type OnModelOf = Awaited<ReturnType<MendWaysParts['load']>>['onModel']

function setUp(isMeasuring: () => boolean = () => false, answer: OnModelOf = () => Promise.resolve(SEEN)) {
  const onModel = vi.fn(answer)
  const load = vi.fn(() => Promise.resolve({ onModel, waysOf: () => Promise.resolve(WAYS) }))
  const ways = createMendWaysStore({
    load,
    isMeasuring: () => Promise.resolve(isMeasuring()),
    tools: traceTools,
  })
  const sources = () => onModel.mock.calls.map(([, source]) => source)
  return { ...ways, load, onModel, sources }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('other ways', () => {
  it('are loaded and run when they are opened: once, behind the lab’s own and with its sizes', async () => {
    const { open, store, load, onModel, sources } = setUp()
    expect(load).not.toHaveBeenCalled()
    await open(MEND)
    expect(sources()).toEqual(['own', '// One', '// Other'])
    expect(onModel.mock.calls.map(([, , { plan }]) => plan)).toEqual([null, SEEN.plan, SEEN.plan])
    expect(store.getState()).toMatchObject({ key: 'a', ways: WAYS, isRunning: false })
    expect(store.getState().modelled.map(({ source }) => source)).toEqual(sources())
    await open(MEND)
    expect(onModel).toHaveBeenCalledTimes(3)
    await open({ ...MEND, lesson: 'b' })
    expect(onModel).toHaveBeenCalledTimes(6)
  })

  it('are shown, and not run, where the model has no times', async () => {
    const { open, store, onModel } = setUp()
    await open({ ...MEND, isTimedOnModel: false })
    expect(store.getState()).toMatchObject({ ways: WAYS, modelled: [] })
    expect(onModel).not.toHaveBeenCalled()
  })

  it('wait while something is measured', async () => {
    const state = { isMeasuring: true }
    const { open, store, sources } = setUp(() => state.isMeasuring)
    const opened = open(MEND)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sources()).toEqual([])
    expect(store.getState().ways).toEqual(WAYS)
    state.isMeasuring = false
    await vi.advanceTimersByTimeAsync(500)
    await opened
    expect(sources()).toHaveLength(3)
  })

  it('are given up when they are stopped, and go on with what is missing', async () => {
    const signals: AbortSignal[] = []
    const { open, stop, store, sources } = setUp(undefined, (_lesson, source, { signal }) => {
      signals.push(signal)
      if (source === 'own' || signals.length > 2) return Promise.resolve(SEEN)
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(null)
        })
      })
    })
    const opened = open(MEND)
    await vi.advanceTimersByTimeAsync(0)
    stop()
    await opened
    expect(signals.at(-1)?.aborted).toBe(true)
    expect(store.getState()).toMatchObject({ modelled: [{ source: 'own' }], isRunning: false })
    await open(MEND)
    expect(sources()).toEqual(['own', '// One', '// One', '// Other'])
  })

  it('say what failed', async () => {
    const { open, store, load } = setUp()
    load.mockRejectedValueOnce(new Error('no network'))
    await open(MEND)
    expect(store.getState()).toMatchObject({
      ways: null,
      isRunning: false,
      fault: { message: 'Error: no network' },
    })
  })
})
