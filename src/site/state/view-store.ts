/** How the visitor wants to see the page: theme, and which details are open. Most of it is remembered. */
import { createStore } from 'zustand/vanilla'
import type { LocalStore } from './storage'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
type Dialect = 'pytorch' | 'webgpu'

interface ViewState {
  readonly theme: Theme
  /** Asked to run on this machine, though its adapter is software: recorded runs no longer come first. */
  readonly runsOnSoftware: boolean
  /** See shows the replay, the program and the charts too. */
  readonly looksCloser: boolean
  /** The code pane that is seen where there is room for one only. */
  readonly dialect: Dialect
}

const KEY = 'host-device-lab:view'
const VERSION = 1

function readSaved(localStore: LocalStore): Pick<ViewState, 'theme' | 'runsOnSoftware' | 'looksCloser'> {
  const saved = localStore.read(KEY)
  const data: {
    readonly theme?: unknown
    readonly runsOnSoftware?: unknown
    readonly looksCloser?: unknown
  } = saved?.version === VERSION && typeof saved.data === 'object' ? (saved.data ?? {}) : {}
  return {
    theme: THEMES.find((known) => known === data.theme) ?? 'system',
    runsOnSoftware: data.runsOnSoftware === true,
    looksCloser: data.looksCloser === true,
  }
}

export type ViewStore = ReturnType<typeof createViewStore>

export function createViewStore(localStore: LocalStore) {
  const store = createStore<ViewState>(() => ({
    ...readSaved(localStore),
    dialect: 'webgpu',
  }))
  const save = () => {
    const { theme, runsOnSoftware, looksCloser } = store.getState()
    localStore.write(KEY, { version: VERSION, data: { theme, runsOnSoftware, looksCloser } })
  }
  return {
    store,
    setTheme: (theme: Theme) => {
      store.setState({ theme })
      save()
    },
    setLooksCloser: (looksCloser: boolean) => {
      store.setState({ looksCloser })
      save()
    },
    setRunsOnSoftware: () => {
      store.setState({ runsOnSoftware: true })
      save()
    },
    setDialect: (dialect: Dialect) => store.setState({ dialect }),
  }
}
