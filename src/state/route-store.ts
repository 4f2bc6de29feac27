/** Where the visitor is. Follows the address bar; `replace` lays a state into it without a step in the history. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { formatHash, parseHash, type Route } from './url'

/** The part of `window` that routing needs; a parameter for tests. */
export interface Addressed {
  readonly location: { hash: string }
  readonly history: { replaceState: (data: unknown, unused: string, url: string) => void }
  addEventListener: (type: 'hashchange', listener: () => void) => void
}

export interface RouteStore {
  readonly store: StoreApi<{ readonly route: Route }>
  go: (route: Route) => void
  replace: (route: Route) => void
}

export function createRouteStore(page: Addressed): RouteStore {
  const store = createStore<{ route: Route }>(() => ({ route: parseHash(page.location.hash) }))
  page.addEventListener('hashchange', () => {
    store.setState({ route: parseHash(page.location.hash) })
  })
  return {
    store,
    go: (route) => {
      page.location.hash = formatHash(route)
    },
    replace: (route) => {
      page.history.replaceState(null, '', formatHash(route))
      store.setState({ route })
    },
  }
}
