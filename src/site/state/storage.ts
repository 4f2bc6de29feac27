/**
 * What the page remembers, under one key each, as `{ version, data }`. Works with storage switched off, and says so: `kept` is false
 * and everything lives until the tab is closed. What is read back is checked by its reader, never believed.
 */
import { isRecord } from '../../base/is-record'

interface Saved {
  readonly version: number
  readonly data: unknown
}

export interface LocalStore {
  /** null: nothing saved, or nothing legible. */
  read: (key: string) => Saved | null
  /** False where it could not be kept. */
  write: (key: string, saved: Saved) => boolean
  readonly works: () => boolean
  /** Calls with the key that another tab has written; null: all of them. */
  readonly onElsewhere: (changed: (key: string | null) => void) => void
}

type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * @param open because the mere mention of localStorage throws where site data are blocked
 * @param onElsewhere hears of what other tabs write
 */
export function createLocalStore(
  open: () => StorageLike,
  onElsewhere: LocalStore['onElsewhere'] = () => undefined,
): LocalStore {
  const attempt = <T>(access: (storage: StorageLike) => T): { readonly value: T } | null => {
    try {
      return { value: access(open()) }
    } catch {
      return null // blocked or full: `works` says so, callers go on without
    }
  }
  return {
    onElsewhere,
    read: (key) => {
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
    write: (key, saved) => attempt((storage) => storage.setItem(key, JSON.stringify(saved))) !== null,
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
