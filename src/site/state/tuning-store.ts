/** How many kernel choices this browser keeps: counted when the page opens and after each run, so that they can be forgotten. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { TuningCache } from './tuning-cache'
import { inBackground } from './in-background'
import { isUnderWay, type RunState } from './run-store'

interface TuningState {
  readonly kept: number
}

export interface TuningStore {
  readonly store: StoreApi<TuningState>
  readonly forget: () => Promise<void>
}

export function createTuningStore(
  kept: Pick<TuningCache, 'count' | 'clear'>,
  runs: Pick<StoreApi<RunState>, 'subscribe'>,
): TuningStore {
  const store = createStore<TuningState>(() => ({ kept: 0 }))
  const count = async () => {
    store.setState({ kept: await kept.count() })
  }
  inBackground(count())
  runs.subscribe((now, before) => {
    if (isUnderWay(before.phase) && !isUnderWay(now.phase)) inBackground(count())
  })
  return {
    store,
    forget: async () => {
      await kept.clear()
      await count()
    },
  }
}
