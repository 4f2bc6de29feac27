/**
 * The last run of each lesson, and of each of its steps, kept by itself: so that a step has its before beside its after, and a reload
 * loses nothing. In memory as the page draws them, and in this browser's IndexedDB as files of the lab's own format. Where storage is
 * blocked or full they last as long as the page.
 */
import { createStore } from 'zustand/vanilla'
import { FaultError } from '../../base/fault'
import { takeTurns } from '../../base/in-turn'
import { inBackground } from './in-background'
import type { RunFiles } from './run-files'
import type { RunRepository } from './run-repository'
import { endedState, type LoadedRun, type RunState } from './run-store'
import type { TraceTools } from './trace-tools'
import type { Report } from '../../trace/report'
import type { RunInfo } from '../../trace/schema'

/** The key of a lesson's own run among those of its steps. */
export const FIRST_RUN = 'first'

export interface LessonRunsState {
  /** By 'lesson/step': runs that ended with a report. */
  readonly runs: Readonly<Record<string, RunState>>
  /** Lessons whose kept runs have been read back. */
  readonly opened: ReadonlySet<string>
}

/** A kept run without its trace. */
export type ReportedRun = Pick<RunState, 'params' | 'report' | 'origin'>

export type LessonRuns = ReturnType<typeof createLessonRuns>

export const runKey = (lesson: string, step: string): string => `${lesson}/${step}`

const isOrigin = (value: unknown): value is RunInfo['origin'] => value === 'live' || value === 'recorded'

export function createLessonRuns(
  repository: RunRepository,
  files: Pick<RunFiles, 'runBytes' | 'readRun'>,
  tools: TraceTools,
) {
  const store = createStore<LessonRunsState>(() => ({ runs: {}, opened: new Set() }))
  const opening = new Map<string, Promise<void>>()
  let forgotten = 0
  /** Of two runs of a step the later one stays, and none comes back once it is forgotten. */
  const inTurn = takeTurns()

  /** What is legible of what is stored under keys that begin so, one after the other. */
  async function* stored(from: string): AsyncGenerator<readonly [key: string, run: LoadedRun]> {
    const asked = forgotten
    const listed = await repository.list()
    const own = listed.ok ? listed.value.filter(({ key }) => key.startsWith(from)) : []
    for (const { key, value } of own) {
      const bytes = await repository.bytes(key)
      if (!bytes.ok || !(bytes.value instanceof Uint8Array) || !isOrigin(value)) continue
      // IndexedDB gives back a copy with a buffer of its own.
      const read = await files.readRun(new Uint8Array(bytes.value), value)
      if (asked !== forgotten) return
      if (read.ok && read.value.report) yield [key, read.value]
    }
  }

  const readBack = async (lesson: string): Promise<void> => {
    for await (const [key, run] of stored(runKey(lesson, ''))) {
      const state = endedState(`lessons/${key}`, run, tools)
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
    /** By key, those of a lesson among others, also where it is not opened: no trace is kept in memory for it. */
    reports: async (lesson: string): Promise<ReadonlyMap<string, ReportedRun>> => {
      const found = new Map<string, ReportedRun>()
      if (!store.getState().opened.has(lesson))
        for await (const [key, { trace, report }] of stored(runKey(lesson, '')))
          found.set(key, { params: trace.info.params, origin: trace.info.origin, report })
      // A run that was made meanwhile is newer.
      return new Map([...found, ...Object.entries(store.getState().runs)])
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
          if (written) await repository.put(key, origin, written)
        }),
      )
    },
    /** All runs of all lessons, here and in storage. */
    forget: (): Promise<void> => {
      forgotten += 1
      store.setState({ runs: {} })
      return inTurn(async () => {
        const listed = await repository.list()
        for (const { key } of listed.ok ? listed.value : []) await repository.remove(key)
      })
    },
  }
}
