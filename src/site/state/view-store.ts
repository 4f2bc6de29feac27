/** How the visitor wants to see the page: theme, and which details are open. It is remembered. */
import { createStore } from 'zustand/vanilla'
import { isRecord } from '../../base/is-record'
import type { LocalStore } from './storage'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

interface ViewState {
  readonly theme: Theme
  /**
   * Asked to run on this machine, though its adapter is software: recorded runs no longer come
   * first.
   */
  readonly runsOnSoftware: boolean
  /** See shows the replay, the program and the charts too. */
  readonly looksCloser: boolean
}

const KEY = 'host-device-lab:view'
const VERSION = 1

export type ViewStore = ReturnType<typeof createViewStore>

export function createViewStore(localStore: LocalStore) {
  const saved = localStore.read(KEY)
  const data = saved?.version === VERSION && isRecord(saved.data) ? saved.data : {}
  const store = createStore<ViewState>(() => ({
    theme: THEMES.find((known) => known === data['theme']) ?? 'system',
    runsOnSoftware: data['runsOnSoftware'] === true,
    looksCloser: data['looksCloser'] === true,
  }))
  return {
    store,
    set: (change: Partial<ViewState>) => {
      store.setState(change)
      const { theme, runsOnSoftware, looksCloser } = store.getState()
      localStore.write(KEY, { version: VERSION, data: { theme, runsOnSoftware, looksCloser } })
    },
  }
}
