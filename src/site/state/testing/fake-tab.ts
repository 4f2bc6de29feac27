/** Pages of one site for tests: each has a tab of its own over shared storage and shared locks, can be left, and can be killed. */
import { createLocalStore, type LocalStore } from '../storage'
import type { Tab } from '../browser-tab'
import { memoryStorage } from './memory-storage'

export interface FakePage {
  readonly tab: Tab
  readonly localStore: LocalStore
  /** As the visitor leaves: `pagehide`, then the locks are released. */
  readonly leave: () => void
  /** As the browser kills a tab: no event, the locks are released. */
  readonly kill: () => void
}

/** `saysLocks: false`: a browser without Web Locks. */
export function fakeSite(kind: 'works' | 'blocked' | 'full' = 'works', { saysLocks = true } = {}) {
  const { items, open } = memoryStorage(kind)
  const held = new Set<string>()
  const listeners = new Map<string, (key: string | null) => void>()
  /** Events of storage arrive when they are delivered, not at once. */
  const undelivered: { readonly from: string; readonly key: string }[] = []
  let pages = 0

  const newPage = (): FakePage => {
    pages += 1
    const id = `page-${String(pages)}`
    const mine = new Set<string>()
    let leaving: () => void = () => undefined
    const kill = () => {
      for (const name of mine) held.delete(name)
      listeners.delete(id)
    }
    return {
      localStore: createLocalStore(() => {
        const storage = open()
        return {
          ...storage,
          setItem: (key: string, value: string) => {
            storage.setItem(key, value)
            undelivered.push({ from: id, key })
          },
        }
      }),
      tab: {
        id,
        hold: (name) => {
          held.add(name)
          mine.add(name)
          return () => {
            held.delete(name)
            mine.delete(name)
          }
        },
        heldNames: () => Promise.resolve(saysLocks ? new Set(held) : null),
        onStorage: (changed) => listeners.set(id, changed),
        onLeave: (leave) => {
          leaving = leave
        },
      },
      leave: () => {
        leaving()
        kill()
      },
      kill,
    }
  }
  return {
    items,
    newPage,
    deliver: () => {
      for (const { from, key } of undelivered.splice(0))
        for (const [id, changed] of listeners) if (id !== from) changed(key)
    },
  }
}
