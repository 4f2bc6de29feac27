/** The assignment that was taken on for a lesson. Its store is made with the first page that asks: no other page loads it. */
import { useMemo } from 'react'
import type { Result } from '../../base/result'
import type { ExperimentMeta } from '../../experiments/experiment'
import type { Lesson } from '../../lessons/lesson'
import { createAssignmentStore, type AssignmentStore } from '../../state/assignment-store'
import type { LocalStore } from '../../state/storage'
import type { Query } from '../../state/url'
import { readAssignment, type Assignment } from '../../teaching/assignment'
import { useLab } from '../lab-context'
import { hasMend } from '../lesson/has-mend'
import { useStore } from '../use-store'

/** As long-lived as the page. */
const made = new WeakMap<LocalStore, AssignmentStore>()

export function useAssignments(): AssignmentStore {
  const { localStore } = useLab().mendParts
  const known = made.get(localStore) ?? createAssignmentStore(localStore)
  made.set(localStore, known)
  return known
}

export const readFor = (
  query: Query,
  lesson: Lesson | null,
  meta: ExperimentMeta | null,
): Result<Assignment> => readAssignment(query, lesson, meta, lesson !== null && hasMend(lesson.id))

/** Null where none was taken on. A link of another version of the lab may not be read any more: its fault. */
export function useTaken(
  lesson: Lesson,
  meta: ExperimentMeta | null,
): { readonly query: Query; readonly read: Result<Assignment> } | null {
  const query = useStore(useAssignments().store, ({ taken }) => taken[lesson.id])
  return useMemo(() => (query ? { query, read: readFor(query, lesson, meta) } : null), [query, lesson, meta])
}
