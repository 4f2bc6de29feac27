/** The page among other pages of the site: locks, changes of what is kept, and when it is left. */
import { inBackground } from './in-background'

/** What a page needs to know of itself and of other pages of the site. */
export interface Tab {
  /** Of this page: new on every load. */
  readonly id: string
  /** Held from now until the answer is called, or until the page is gone. */
  readonly hold: (name: string) => () => void
  /** Names that some page holds or waits for; null where the browser does not say. */
  readonly heldNames: () => Promise<ReadonlySet<string> | null>
  /** Called with the key that another page has changed; null: with all of them. */
  readonly onStorage: (changed: (key: string | null) => void) => void
  /** Called when the visitor leaves or reloads the page: not when the tab is killed. */
  readonly onLeave: (leave: () => void) => void
}

/** The page that this code runs in. Web Locks are absent from pages that are not secure contexts. */
export function browserTab(page: Window): Tab {
  const locks: LockManager | undefined = 'locks' in page.navigator ? page.navigator.locks : undefined
  return {
    id: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
    hold: (name) => {
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      if (locks) inBackground(locks.request(name, () => released))
      return release
    },
    heldNames: async () => {
      if (!locks) return null
      const { held = [], pending = [] } = await locks.query()
      return new Set([...held, ...pending].flatMap(({ name }) => (name === undefined ? [] : [name])))
    },
    onStorage: (changed) => {
      page.addEventListener('storage', (event) => {
        changed(event.key)
      })
    },
    onLeave: (leave) => {
      page.addEventListener('pagehide', leave)
    },
  }
}
