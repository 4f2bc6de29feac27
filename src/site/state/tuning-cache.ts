/**
 * Which kernels were fastest here, kept in this browser (IndexedDB): the worker writes and reads, the page counts and forgets. Where
 * site data are blocked nothing is kept, and every question is answered as by an empty store.
 */
import { browserDatabase } from './browser-database'

const STORE = 'tuning'
/** A few hundred bytes each. Beyond this, all are dropped: old browsers' and old kernels' keys are never asked for again. */
const MAX_ENTRIES = 500

export interface TuningCache {
  readonly get: (key: string) => Promise<string | undefined>
  readonly set: (key: string, value: string) => Promise<void>
  readonly count: () => Promise<number>
  readonly clear: () => Promise<void>
}

const database = browserDatabase({ name: 'host-device-lab', version: 1, stores: [STORE] })

/** null where the browser keeps nothing: blocked, full, or without IndexedDB. */
async function access<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<{ readonly value: T } | null> {
  const answer = await database.access(mode, [STORE], (transaction) => ask(transaction.objectStore(STORE)))
  return answer.ok ? { value: answer.value } : null
}

const count = async (): Promise<number> => (await access('readonly', (store) => store.count()))?.value ?? 0
const clear = async (): Promise<void> => {
  await access('readwrite', (store) => store.clear())
}

export const tuningCache: TuningCache = {
  get: async (key) => {
    const found = await access('readonly', (store) => store.get(key) as IDBRequest<unknown>)
    return typeof found?.value === 'string' ? found.value : undefined
  },
  set: async (key, value) => {
    if ((await count()) >= MAX_ENTRIES) await clear()
    await access('readwrite', (store) => store.put(value, key))
  },
  count,
  clear,
}
