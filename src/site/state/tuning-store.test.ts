import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { NO_RUN, type RunPhase } from './run-store'
import { createTuningStore } from './tuning-store'
import { eventually } from '../../testing/eventually'

function setup(entries: number) {
  const keys = { count: entries }
  const kept = {
    count: () => Promise.resolve(keys.count),
    clear: () => {
      keys.count = 0
      return Promise.resolve()
    },
  }
  const runs = createStore(() => NO_RUN)
  const tuning = createTuningStore(kept, runs)
  const enter = (phase: RunPhase) => {
    runs.setState({ phase })
  }
  return { keys, tuning, enter, shown: () => tuning.store.getState().kept }
}

describe('what is kept of trials', () => {
  it('is counted when the page opens, and again when a run has ended, in whichever way', async () => {
    const { keys, enter, shown } = setup(2)
    await eventually(() => {
      expect(shown()).toBe(2)
    })
    for (const phase of ['done', 'cancelled'] as const) {
      enter('running')
      keys.count += 1
      enter(phase)
      await eventually(() => {
        expect(shown()).toBe(keys.count)
      })
    }
  })

  it('is gone when it was forgotten', async () => {
    const { tuning, keys, shown } = setup(3)
    await tuning.forget()
    expect([keys.count, shown()]).toEqual([0, 0])
  })
})
