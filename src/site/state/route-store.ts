/**
 * Where the visitor is. Follows the address bar and takes over links within the site, which would
 * load the whole page anew; `replace` lays a state into the address without a step in the history.
 */
import { createStore } from 'zustand/vanilla'
import { addressOf, routeOf, type Route } from './url'

/** The part of `window` that routing needs; a parameter for tests. */
export interface Addressed {
  readonly location: { readonly href: string }
  readonly history: {
    pushState: (data: unknown, unused: string, url: string) => void
    replaceState: (data: unknown, unused: string, url: string) => void
  }
  readonly document: {
    /** The site's root: every page says so in `<base>`. */
    readonly baseURI: string
    addEventListener: (type: 'click', listener: (event: MouseEvent) => void) => void
  }
  addEventListener: (type: 'hashchange' | 'popstate', listener: () => void) => void
}

export type RouteStore = ReturnType<typeof createRouteStore>

/** Null where an address is none of this site's pages: another site, or a file. */
function routeAt(address: string, root: string): Route | null {
  const { origin, pathname, hash } = new URL(address)
  const base = new URL('.', root)
  if (origin !== base.origin || !pathname.startsWith(base.pathname)) return null
  return routeOf({ path: pathname.slice(base.pathname.length), hash })
}

/** The link that a press follows in this tab; null for all that the browser has to do itself. */
function followed(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const target = event.target as Pick<Element, 'closest'> | null // what is pressed in a page is an element
  const link = target?.closest<HTMLAnchorElement>('a[href]')
  if (!link || link.hasAttribute('download') || !['', '_self'].includes(link.target)) return null
  return link.href
}

export function createRouteStore(page: Addressed) {
  const { location, history, document } = page
  const here = (): Route => routeAt(location.href, document.baseURI) ?? { page: 'home' }
  const absolute = (route: Route): string => new URL(addressOf(route), document.baseURI).href
  const store = createStore<{ route: Route }>(() => ({ route: here() }))
  /** An address without its slash is written with it. */
  const settle = () => {
    const { route } = store.getState()
    if (route.page !== 'unknown' && absolute(route) !== location.href)
      history.replaceState(null, '', absolute(route))
  }
  const follow = () => {
    store.setState({ route: here() })
    settle()
  }
  const go = (route: Route) => {
    const address = absolute(route)
    // As the browser does it for a link to where one is.
    if (address === location.href) history.replaceState(null, '', address)
    else history.pushState(null, '', address)
    store.setState({ route })
  }
  settle()
  page.addEventListener('popstate', follow)
  page.addEventListener('hashchange', follow)
  document.addEventListener('click', (event) => {
    const address = followed(event)
    const route = address === null ? null : routeAt(address, document.baseURI)
    if (!route || route.page === 'unknown') return // a file, or another site
    event.preventDefault()
    go(route)
  })
  return {
    store,
    go,
    replace: (route: Route) => {
      history.replaceState(null, '', absolute(route))
      store.setState({ route })
    },
  }
}
