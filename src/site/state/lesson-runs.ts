/**
 * The last run of each lesson, and of each of its steps, kept by itself: so that a step has its before beside its after, and a reload
 * loses nothing. In memory as the page draws them, and in this browser's IndexedDB as files of the lab's own format. Where storage is
 * blocked or full they last as long as the page.
 */
import * as v from 'valibot'
import { createStore } from 'zustand/vanilla'
import { FaultError } from '../../base/fault'
import { inBackground } from './in-background'
import type { RunFiles } from './run-files'
import { endedState, type LoadedRun, type RunState } from './run-store'
import type { StoredValues } from './stored-values'
import type { Report } from '../../trace/report'

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
  const opening = new Map<string, Promise<void>>()
  let forgotten = 0
  /** Of two runs of a step the later one stays, and none comes back once it is forgotten. */
  const inTurn = takeTurns()

  /** What is legible of what is stored under keys that begin so, one after the other. */
  async function* stored(from: string): AsyncGenerator<readonly [key: string, run: LoadedRun]> {
    const asked = forgotten
    for (const key of await values.keys()) {
      const run = key.startsWith(from) ? await values.get(key) : null
      if (!v.is(storedRun, run)) continue
      const read = await files.readRun(run.bytes, run.origin)
      if (asked !== forgotten) return
      if (read.ok && read.value.report) yield [key, read.value]
    }
  }

  const readBack = async (lesson: string): Promise<void> => {
    for await (const [key, run] of stored(runKey(lesson, ''))) {
      const state = endedState(`lessons/${key}`, run)
      // A run that was made meanwhile is newer.
      store.setState(({ runs }) => (key in runs ? {} : { runs: { ...runs, [key]: state } }))
    }
  }

  return {
    store,
    /** Reads back what was kept of a lesson; once. */
    open: (lesson: string): Promise<void> => {
      const known = opening.get(lesson)
      if (known) return known
      const work = readBack(lesson).finally(() =>
        store.setState(({ opened }) => ({ opened: new Set([...opened, lesson]) })),
      )
      opening.set(lesson, work)
      return work
    },
    /** Of a lesson's own last run, where it was measured in this browser; no trace of it is kept in memory. */
    measured: async (lesson: string): Promise<Report | null> => {
      const own = runKey(lesson, FIRST_RUN)
      const here = store.getState().runs[own]
      if (here) return here.origin === 'live' ? here.report : null
      for await (const [key, { trace, report }] of stored(own))
        if (key === own) return trace.info.origin === 'live' ? report : null
      return null
    },
    /** Takes the place of the step's last run. */
    keep: (lesson: string, step: string, run: RunState) => {
      const { placed, report, origin } = run
      if (run.phase !== 'done' || !placed || !report) return
      const key = runKey(lesson, step)
      store.setState(({ runs }) => ({ runs: { ...runs, [key]: run } }))
      const bytes = files.runBytes(placed.trace, report).catch((thrown: unknown) => {
        // What cannot be written (a page that is left ends its writer) is not kept; the run stays on the page.
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
