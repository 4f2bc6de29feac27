/** localStorage for tests: working, blocked (every access throws), or full (writing throws). */
import { createLocalStore, type LocalStore } from '../storage'

export function memoryStorage(kind: 'works' | 'blocked' | 'full' = 'works') {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (kind === 'full') throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key: string) => items.delete(key),
  }
  const open = () => {
    if (kind === 'blocked') throw new DOMException('blocked', 'SecurityError')
    return storage
  }
  return { items, open }
}

/**
 * Tabs of one site over one storage. Each hears of the others' writes when they are delivered, not
 * at once.
 */
export function fakeTabs(kind?: 'works' | 'blocked' | 'full') {
  const { items, open } = memoryStorage(kind)
  const tabs: ((key: string | null) => void)[][] = []
  const undelivered: { readonly from: number; readonly key: string }[] = []
  const newTab = (): LocalStore => {
    const listeners: (typeof tabs)[number] = []
    const from = tabs.push(listeners)
    const setItem = (key: string, value: string): void => {
      open().setItem(key, value)
      undelivered.push({ from, key })
    }
    return createLocalStore(
      () => ({ ...open(), setItem }),
      (changed) => listeners.push(changed),
    )
  }
  const deliver = (): void => {
    for (const { from, key } of undelivered.splice(0))
      for (const [at, listeners] of tabs.entries())
        if (at + 1 !== from) for (const changed of listeners) changed(key)
  }
  return { items, newTab, deliver }
}
