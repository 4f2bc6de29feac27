/**
 * What the page remembers, under one key each, as `{ version, data }`. Works with storage switched
 * off, and says so: `kept` is false and everything lives until the tab is closed. What is read back
 * is checked by its reader, never believed.
 */
import { isRecord } from '../../base/is-record'

interface Saved {
  readonly version: number
  readonly data: unknown
}

export type LocalStore = ReturnType<typeof createLocalStore>

type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * @param open because the mere mention of localStorage throws where site data are blocked
 * @param onElsewhere calls with the key that another tab has written; null: all of them
 */
export function createLocalStore(
  open: () => StorageLike,
  onElsewhere: (changed: (key: string | null) => void) => void = () => undefined,
) {
  const attempt = <T>(access: (storage: StorageLike) => T): { readonly value: T } | null => {
    try {
      return { value: access(open()) }
    } catch {
      return null // blocked or full: `works` says so, callers go on without
    }
  }
  return {
    onElsewhere,
    /** Null: nothing is saved, or nothing legible. */
    read: (key: string): Saved | null => {
      const text = attempt((storage) => storage.getItem(key))?.value ?? null
      if (text === null) return null
      try {
        const saved: unknown = JSON.parse(text)
        return isRecord(saved) && typeof saved['version'] === 'number'
          ? { version: saved['version'], data: saved['data'] }
          : null
      } catch {
        return null // not JSON: someone else's, or cut short
      }
    },
    /** False where it could not be kept. */
    write: (key: string, saved: Saved) =>
      attempt((storage) => storage.setItem(key, JSON.stringify(saved))) !== null,
    works: () => {
      const probe = 'host-device-lab:probe'
      return (
        attempt((storage) => {
          storage.setItem(probe, probe)
          storage.removeItem(probe)
        }) !== null
      )
    },
  }
}
