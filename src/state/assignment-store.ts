/**
 * The assignments that were taken on in this browser, by lesson: as the query of their link, which is checked again where it is used
 * (teaching/assignment.ts). Kept as progress is; a newer version's is left alone.
 */
import { isRecord } from '../base/is-record'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LocalStore } from './storage'
import type { Query } from './url'

interface AssignmentState {
  readonly taken: Readonly<Record<string, Query>>
}

export interface AssignmentStore {
  readonly store: StoreApi<AssignmentState>
  /** Takes the place of another of the same lesson. */
  take: (lesson: string, query: Query) => void
  leave: (lesson: string) => void
}

const KEY = 'host-device-lab:assignments'
const VERSION = 1

const isQuery = (value: unknown): value is Query =>
  isRecord(value) && Object.values(value).every((each) => typeof each === 'string')

/** What is not a query is dropped, the rest kept. */
function readTaken(data: unknown): AssignmentState['taken'] {
  if (!isRecord(data)) return {}
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, Query] => isQuery(entry[1])),
  )
}

export function createAssignmentStore(localStore: LocalStore): AssignmentStore {
  const saved = localStore.read(KEY)
  const isNewer = saved !== null && saved.version > VERSION
  const store = createStore<AssignmentState>(() => ({ taken: isNewer ? {} : readTaken(saved?.data) }))
  const set = (taken: AssignmentState['taken']) => {
    store.setState({ taken })
    if (!isNewer) localStore.write(KEY, { version: VERSION, data: taken })
  }
  return {
    store,
    take: (lesson, query) => {
      set({ ...store.getState().taken, [lesson]: query })
    },
    leave: (lesson) => {
      set(Object.fromEntries(Object.entries(store.getState().taken).filter(([id]) => id !== lesson)))
    },
  }
}
