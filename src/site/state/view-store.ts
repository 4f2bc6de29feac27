/** How the visitor wants to see the page: theme, and which details are open. The theme is remembered. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LocalStore } from './storage'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
type Dialect = 'pytorch' | 'webgpu'

interface ViewState {
  readonly theme: Theme
  /** The code pane that is seen where there is room for one only. */
  readonly dialect: Dialect
  /** The rest of the parameters, behind 'more'. */
  readonly moreOpen: boolean
}

const KEY = 'host-device-lab:view'
const VERSION = 1

function readTheme(localStore: LocalStore): Theme {
  const saved = localStore.read(KEY)
  const data = saved?.version === VERSION ? saved.data : null
  const theme = typeof data === 'object' && data !== null && 'theme' in data ? data.theme : null
  return THEMES.find((known) => known === theme) ?? 'system'
}

export interface ViewStore {
  readonly store: StoreApi<ViewState>
  setTheme: (theme: Theme) => void
  setDialect: (dialect: Dialect) => void
  setMoreOpen: (open: boolean) => void
}

export function createViewStore(localStore: LocalStore): ViewStore {
  const store = createStore<ViewState>(() => ({
    theme: readTheme(localStore),
    dialect: 'webgpu',
    moreOpen: false,
  }))
  return {
    store,
    setTheme: (theme) => {
      store.setState({ theme })
      localStore.write(KEY, { version: VERSION, data: { theme } })
    },
    setDialect: (dialect) => {
      store.setState({ dialect })
    },
    setMoreOpen: (moreOpen) => {
      store.setState({ moreOpen })
    },
  }
}
