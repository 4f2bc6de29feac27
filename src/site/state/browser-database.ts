/**
 * IndexedDB in one call: opens, asks in one transaction, waits until it is committed, closes. A browser that keeps nothing (blocked,
 * full, missing) is an answer with a reason, never an exception. Nothing is held open, so no tab stands in another's way.
 */
import { fail, succeed, type Result } from '../../base/result'

/**
 * missing: no IndexedDB. blocked: site data are refused. full: the browser's quota is used up. newer: a newer version of the page has
 * made the database. timeout: it does not answer. failed: anything else.
 */
export interface StorageProblem {
  readonly kind: 'missing' | 'blocked' | 'full' | 'newer' | 'timeout' | 'failed'
  /** What the browser said. */
  readonly detail: string
}

/** By the names that the specifications give: DOMExceptions of storage. */
function storageProblem(thrown: unknown): StorageProblem {
  const name =
    typeof thrown === 'object' && thrown !== null && 'name' in thrown ? String(thrown.name) : typeof thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const detail = message === '' ? name : `${name}: ${message}`
  if (name === 'QuotaExceededError') return { kind: 'full', detail }
  if (name === 'SecurityError' || name === 'InvalidStateError' || name === 'NotAllowedError')
    return { kind: 'blocked', detail }
  if (name === 'VersionError') return { kind: 'newer', detail }
  if (name === 'TimeoutError') return { kind: 'timeout', detail }
  return { kind: 'failed', detail }
}

export interface DatabasePlan {
  readonly name: string
  readonly version: number
  /** Object stores with keys of their own; those that are missing are made when the version rises. */
  readonly stores: readonly string[]
}

type Ask<T> = (transaction: IDBTransaction) => IDBRequest<T>

export interface BrowserDatabase {
  /** All of `stores` in one transaction: either everything in it is kept, or nothing. */
  access: <T>(
    mode: IDBTransactionMode,
    stores: readonly string[],
    ask: Ask<T>,
  ) => Promise<Result<T, StorageProblem>>
}

/** No answer of IndexedDB takes this long on a browser that works; ms. The large ones are runs of some 100 MB. */
const OPEN_LIMIT_MS = 5000
const COMMIT_LIMIT_MS = 60_000

const late = (what: string, limitMs: number) =>
  new DOMException(`${what} within ${String(limitMs / 1000)} s`, 'TimeoutError')

/** 'blocked' is no end: `success` follows once another tab has closed an older version. */
const opened = (factory: IDBFactory, { name, version, stores }: DatabasePlan): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = factory.open(name, version)
    let isBlocked = false
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      const why = isBlocked
        ? 'another tab did not close an older version of the database'
        : 'the database did not open'
      reject(late(why, OPEN_LIMIT_MS))
    }, OPEN_LIMIT_MS)
    opening.addEventListener('upgradeneeded', () => {
      for (const store of stores)
        if (!opening.result.objectStoreNames.contains(store)) opening.result.createObjectStore(store)
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
    opening.addEventListener('blocked', () => {
      isBlocked = true
    })
  })

/** A request that succeeded may still be undone: only a transaction that is complete has kept anything. */
const committed = <T>(transaction: IDBTransaction, request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(late('the transaction did not end', COMMIT_LIMIT_MS))
      transaction.abort()
    }, COMMIT_LIMIT_MS)
    const refuse = () => {
      clearTimeout(timer)
      reject(transaction.error ?? request.error ?? new Error('IndexedDB gave no reason'))
    }
    transaction.addEventListener('complete', () => {
      clearTimeout(timer)
      resolve(request.result)
    })
    transaction.addEventListener('abort', refuse)
    transaction.addEventListener('error', refuse)
  })

/** `factory` because the mere mention of indexedDB may throw where site data are blocked; undefined where there is none. */
export function browserDatabase(
  plan: DatabasePlan,
  factory: () => IDBFactory | undefined = () => globalThis.indexedDB,
): BrowserDatabase {
  return {
    access: async (mode, stores, ask) => {
      let database: IDBDatabase | null = null
      try {
        const found = factory()
        if (!found) return fail({ kind: 'missing', detail: 'this browser has no IndexedDB' })
        database = await opened(found, plan)
        const transaction = database.transaction([...stores], mode)
        return succeed(await committed(transaction, ask(transaction)))
      } catch (thrown) {
        return fail(storageProblem(thrown))
      } finally {
        database?.close()
      }
    },
  }
}
