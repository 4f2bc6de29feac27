/**
 * Which runs can be compared, and the one that an address names: 'page' (the run on the page), 'before' (the one before it),
 * 'kept:KEY', 'recording:LESSON'. What is no longer there is a fault in plain words, never an empty page.
 */
import { useMemo } from 'react'
import { FaultError, type Fault } from '../../../base/fault'
import { isLesson, recordingOf } from '../../../lessons/load'
import { lessonIndex } from 'virtual:lesson-index'
import { recordings } from 'virtual:recordings'
import { endedRun } from '../../state/run-history'
import type { PlacedRun } from '../../state/run-store'
import { useLab } from '../lab-context'
import { loadRecording } from '../run/load-recording'
import { useLoaded } from '../use-loaded'
import { useStore } from '../use-store'

export interface Choice {
  readonly ref: string
  readonly label: string
  readonly group: 'This page' | 'Kept here' | 'Recordings of the lessons'
}

export function useChoices(): readonly Choice[] {
  const { run, history, kept } = useLab()
  const hasRun = useStore(run.store, (state) => endedRun(state) !== null)
  const hasBefore = useStore(history.store, ({ before }) => before !== null)
  const entries = useStore(kept.store, (state) => state.entries)
  return useMemo(
    () => [
      ...(hasRun ? [{ ref: 'page', label: 'the run on the page', group: 'This page' as const }] : []),
      ...(hasBefore ? [{ ref: 'before', label: 'the run before it', group: 'This page' as const }] : []),
      ...entries.flatMap(({ key, run: own }) =>
        own ? [{ ref: `kept:${key}`, label: own.name, group: 'Kept here' as const }] : [],
      ),
      ...lessonIndex
        .filter(({ id }) => recordings.includes(recordingOf(id)))
        .map(({ id, question }) => ({
          ref: `recording:${id}`,
          label: question,
          group: 'Recordings of the lessons' as const,
        })),
    ],
    [hasRun, hasBefore, entries],
  )
}

export interface ComparedRun {
  /** Placed and with its gaps where its own page has them. */
  readonly run: PlacedRun | null
  readonly fault: Fault | null
}

const NOTHING: ComparedRun = { run: null, fault: null }

const gone = (message: string): Fault => ({
  code: 'file',
  message,
  hint: 'Choose another run. Runs that are kept by name are still there after a reload.',
})

/** `ref` '' while none is chosen. */
export function useComparedRun(ref: string): ComparedRun {
  const { run, history, kept, files } = useLab()
  // The selector's result is compared by identity, and a trace stays itself.
  const placed = useStore(run.store, (state) => (endedRun(state) ? state.placed : null))
  const report = useStore(run.store, (state) => state.report)
  const gaps = useStore(run.store, (state) => state.gaps)
  const before = useStore(history.store, (state) => state.before)
  const load = useMemo(() => {
    const [kind, id = ''] = ref.split(/:(.*)/s)
    if (kind === 'kept')
      return async (): Promise<PlacedRun> => {
        const read = await kept.open(id)
        if (!read.ok) throw new FaultError(read.error)
        return read.value
      }
    if (kind !== 'recording') return null
    return async (): Promise<PlacedRun> => {
      if (!isLesson(id)) throw new FaultError(gone(`There is no recording of a lesson ‘${id}’.`))
      return await loadRecording(files, recordingOf(id))
    }
  }, [ref, kept, files])
  const loaded = useLoaded(load)

  return useMemo(() => {
    if (ref === '') return NOTHING
    if (ref === 'page')
      return placed
        ? { run: { trace: placed.trace, report, placed, gaps }, fault: null }
        : { run: null, fault: gone('There is no finished run on the page any more.') }
    if (ref === 'before')
      return before
        ? { run: before, fault: null }
        : { run: null, fault: gone('There is no run before it any more.') }
    if (!/^(kept|recording):/.test(ref))
      return { run: null, fault: gone(`The address asks for a run that can’t exist: ‘${ref}’.`) }
    // Of the network there is one fault: the file.
    const { value: run, fault } = loaded
    return { run, fault: fault && ref.startsWith('recording:') ? { ...fault, code: 'file' } : fault }
  }, [ref, placed, report, gaps, before, loaded])
}
