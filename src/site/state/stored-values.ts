/**
 * Values by key in this browser's IndexedDB. Each call opens the database, asks in one transaction,
 * waits until it is committed, and closes, so no tab stands in another's way. A browser that keeps
 * nothing (blocked, full, missing, without an answer) is no exception: nothing is read, or kept.
 */
export interface StoredValues {
  keys: () => Promise<readonly string[]>
  /** Unchecked; undefined where there is none. */
  get: (key: string) => Promise<unknown>
  /** Resolves with whether it is kept. */
  put: (key: string, value: unknown) => Promise<boolean>
  clear: () => Promise<boolean>
}

const VALUES = 'values'
/** Databases of version 1 had other stores. */
const VERSION = 2
/** No answer of a browser that works takes this long, ms. Large values are runs of some 100 MB. */
const OPEN_LIMIT_MS = 5000
const COMMIT_LIMIT_MS = 60_000

const opened = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = factory.open(name, VERSION)
    let isLate = false
    // Also while another tab holds an older version open: `success` follows once it is closed.
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error('the database did not open'))
    }, OPEN_LIMIT_MS)
    opening.addEventListener('upgradeneeded', () => {
      const { result } = opening
      for (const old of result.objectStoreNames) result.deleteObjectStore(old)
      result.createObjectStore(VALUES)
    })
    opening.addEventListener('success', () => {
      clearTimeout(timer)
      // Nobody waits for it any more: held open, it would block the next version of the page.
      if (isLate) opening.result.close()
      else resolve(opening.result)
    })
    opening.addEventListener('error', () => {
      clearTimeout(timer)
      reject(opening.error ?? new Error('IndexedDB gave no reason'))
    })
  })

/** A request that succeeded may still be undone: only a complete transaction has kept anything. */
const committed = <T>(transaction: IDBTransaction, request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('the transaction did not end'))
      transaction.abort()
    }, COMMIT_LIMIT_MS)
    const refuse = () => {
      clearTimeout(timer)
      reject(transaction.error ?? new Error('IndexedDB gave no reason'))
    }
    transaction.addEventListener('complete', () => {
      clearTimeout(timer)
      resolve(request.result)
    })
    transaction.addEventListener('abort', refuse)
    transaction.addEventListener('error', refuse)
  })

/** `factory`: the mere mention of indexedDB may throw where site data are blocked. */
export function storedValues(
  name: string,
  factory: () => IDBFactory | undefined = () => globalThis.indexedDB,
): StoredValues {
  const ask = async <T>(
    mode: IDBTransactionMode,
    request: (values: IDBObjectStore) => IDBRequest<T>,
  ): Promise<{ readonly answer: T } | null> => {
    let database: IDBDatabase | null = null
    try {
      const found = factory()
      if (!found) return null
      database = await opened(found, name)
      const transaction = database.transaction([VALUES], mode)
      return { answer: await committed(transaction, request(transaction.objectStore(VALUES))) }
    } catch {
      return null
    } finally {
      database?.close()
    }
  }
  return {
    keys: async () => {
      const found = await ask('readonly', (values) => values.getAllKeys())
      return (found?.answer ?? []).filter((key) => typeof key === 'string')
    },
    get: async (key) => (await ask<unknown>('readonly', (values) => values.get(key)))?.answer,
    put: async (key, value) => (await ask('readwrite', (values) => values.put(value, key))) !== null,
    clear: async () => (await ask('readwrite', (values) => values.clear())) !== null,
  }
}
