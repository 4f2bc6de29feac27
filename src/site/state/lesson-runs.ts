/**
 * The last run of each lesson, and of each of its steps, kept by itself: so that a step has its
 * before beside its after, and a reload loses nothing. In memory as the page draws them, and in
 * this browser's IndexedDB as files of the lab's own format. Where storage is blocked or full they
 * last as long as the page.
 */
import * as v from 'valibot'
import { createStore } from 'zustand/vanilla'
import { FaultError } from '../../base/fault'
import { loadOnce } from '../../base/load-once'
import { inBackground } from './in-background'
import type { RunFiles } from './run-files'
import { endedState, type RunState } from './run-store'
import type { StoredValues } from './stored-values'

/** The key of a lesson's own run among those of its steps. */
export const FIRST_RUN = 'first'

export interface LessonRunsState {
  /** By 'lesson/step': runs that ended with a report. */
  readonly runs: Readonly<Record<string, RunState>>
  /** Lessons whose kept runs have been read back. */
  readonly opened: ReadonlySet<string>
}

export type LessonRuns = ReturnType<typeof createLessonRuns>

export const runKey = (lesson: string, step: string): string => `${lesson}/${step}`

/** A file of the lab's own format, and whether it was measured here. */
const storedRun = v.object({ origin: v.picklist(['live', 'recorded']), bytes: v.instance(Uint8Array) })

/** Runs work in the order asked, one piece at a time: two writes to one store never interleave. */
function takeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked is told; the next in turn is not held up
    return mine
  }
}

export function createLessonRuns(values: StoredValues, files: Pick<RunFiles, 'runBytes' | 'readRun'>) {
  const store = createStore<LessonRunsState>(() => ({ runs: {}, opened: new Set() }))
  let forgotten = 0
  /** Of two runs of a step the later one stays, and none comes back once it is forgotten. */
  const inTurn = takeTurns()

  /** What is legible of what is stored of a lesson, one after the other. */
  const readBack = async (lesson: string): Promise<void> => {
    const asked = forgotten
    for (const key of await values.keys()) {
      const stored = key.startsWith(runKey(lesson, '')) ? await values.get(key) : null
      if (!v.is(storedRun, stored)) continue
      const read = await files.readRun(stored.bytes, stored.origin)
      if (asked !== forgotten) return
      if (!read.ok || !read.value.report) continue
      const state = endedState(`lessons/${key}`, read.value)
      // A run that was made meanwhile is newer.
      store.setState(({ runs }) => (key in runs ? {} : { runs: { ...runs, [key]: state } }))
    }
  }
  /** Reads back what was kept of a lesson; once. */
  const { load: open } = loadOnce((lesson: string) =>
    readBack(lesson).finally(() =>
      store.setState(({ opened }) => ({ opened: new Set([...opened, lesson]) })),
    ),
  )

  return {
    store,
    open,
    /** Takes the place of the step's last run. */
    keep: (lesson: string, step: string, run: RunState) => {
      const { placed, report, origin } = run
      if (run.phase !== 'done' || !placed || !report) return
      const key = runKey(lesson, step)
      store.setState(({ runs }) => ({ runs: { ...runs, [key]: run } }))
      const bytes = files.runBytes(placed.trace, report).catch((thrown: unknown) => {
        // What cannot be written (a page that is left ends its writer) is not kept; the run stays
        // on the page.
        if (thrown instanceof FaultError) return null
        throw thrown
      })
      bytes.catch(() => undefined) // whoever awaits it in its turn learns of it
      inBackground(
        inTurn(async () => {
          const written = await bytes
          if (written) await values.put(key, { origin, bytes: written })
        }),
      )
    },
    /** All runs of all lessons, here and in storage. */
    forget: (): Promise<void> => {
      forgotten += 1
      store.setState({ runs: {} })
      return inTurn(async () => {
        await values.clear()
      })
    },
  }
}
