/**
 * Where kept runs lie: in this browser's IndexedDB, what is said of a run and its bytes in two stores, so that the list reads no run.
 * Knows keys, values and bytes, not what they mean; whoever reads checks. An interface, so that tests have a repository of their own.
 */
import { browserDatabase } from './browser-database'
import type { StorageProblem } from './browser-database'
import { succeed, type Result } from '../../base/result'

export interface StoredRun {
  readonly key: string
  /** As found: unchecked. */
  readonly value: unknown
}

export interface RunRepository {
  list: () => Promise<Result<readonly StoredRun[], StorageProblem>>
  /** undefined where there is nothing under that key; else unchecked. */
  bytes: (key: string) => Promise<Result<unknown, StorageProblem>>
  /** Both or neither. */
  put: (
    key: string,
    value: unknown,
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<Result<unknown, StorageProblem>>
  /** What is said of a run; its bytes stay as they are. */
  label: (key: string, value: unknown) => Promise<Result<unknown, StorageProblem>>
  remove: (key: string) => Promise<Result<unknown, StorageProblem>>
}

const LABELS = 'labels'
const BYTES = 'bytes'

/** Databases of their own: a later change of one's layout cannot stand in the way of another. */
function repositoryIn(name: string): RunRepository {
  const database = browserDatabase({ name, version: 1, stores: [LABELS, BYTES] })
  type At = (store: string) => IDBObjectStore
  const get = (store: string, key: IDBValidKey) =>
    database.access<unknown>('readonly', [store], (transaction) => transaction.objectStore(store).get(key))
  const change = <T>(stores: readonly string[], ask: (at: At) => IDBRequest<T>) =>
    database.access('readwrite', stores, (transaction) => ask((store) => transaction.objectStore(store)))
  return {
    list: async () => {
      const keys = await database.access('readonly', [LABELS], (transaction) =>
        transaction.objectStore(LABELS).getAllKeys(),
      )
      if (!keys.ok) return keys
      const entries: StoredRun[] = []
      for (const key of keys.value) {
        // One by one: an entry that the browser cannot read back takes no other with it.
        const read = await get(LABELS, key)
        if (typeof key === 'string') entries.push({ key, value: read.ok ? read.value : null })
      }
      return succeed(entries)
    },
    bytes: (key) => get(BYTES, key),
    put: (key, value, bytes) =>
      change([LABELS, BYTES], (at) => {
        at(LABELS).put(value, key)
        return at(BYTES).put(bytes, key)
      }),
    label: (key, value) => change([LABELS], (at) => at(LABELS).put(value, key)),
    remove: (key) =>
      change([LABELS, BYTES], (at) => {
        at(LABELS).delete(key)
        return at(BYTES).delete(key)
      }),
  }
}

/** Runs that the visitor keeps under a name. */
export const keptRepository = repositoryIn('host-device-lab-runs')
/** The last run of each lesson and of its steps. */
export const lessonRepository = repositoryIn('host-device-lab-lessons')
