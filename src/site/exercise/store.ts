/**
 * The mend that is open: its program and words, and the last grading of each lesson's program on this page. Grading goes by itself beside
 * the runs of the page; a run that is under way ends first.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { CancelledError, toFault, type Fault } from '../../base/fault'
import type { Scope } from '../../exercises/names'
import type { Compared, Evidence, Graded, MendFigure, ProgramReport } from '../../exercises/types'
import type { MendWords, Way } from '../../exercises/words'
import type { Environment } from '../../trace/report'
import { endedState, type RunState } from '../state/run-store'
import type { TraceTools } from '../state/trace-tools'

/** What a mend is to the page. */
export interface OpenMend {
  readonly lesson: string
  /** From 1, of so many. */
  readonly rung: number
  readonly rungs: number
  readonly language: 'javascript' | 'wgsl'
  readonly start: string
  readonly reference: string
  readonly words: MendWords
  /** Names of other ways than the lab's own. */
  readonly ways: readonly string[]
  /** What a program can name, a line each; null of a shader. */
  readonly scope: Scope | null
  readonly figure: MendFigure
}

/** A rung by one name, under which its program and its result are kept. The last, which was there before the others, has the lesson's own. */
export const mendKey = ({ lesson, rung, rungs }: Pick<OpenMend, 'lesson' | 'rung' | 'rungs'>): string =>
  rung === rungs ? lesson : `${lesson}/rung-${String(rung)}`

export interface MendResult {
  readonly graded: Graded
  /** What was graded. */
  readonly source: string
  /** Their first steps can be drawn; null where a program was not run. */
  readonly runs: Readonly<Record<keyof Compared, RunState | null>>
}

export interface MendState {
  /** The lesson and rung last asked for; null: none. */
  readonly open: string | null
  /** Another rung of the lesson stays until the one asked for is loaded: who chose it keeps the page and its focus. */
  readonly mend: OpenMend | null
  readonly phase: 'idle' | 'running'
  /** What is done now. */
  readonly progress: string
  /** The lab's own failure, not the program's. */
  readonly fault: Fault | null
  /** By key. */
  readonly results: Readonly<Record<string, MendResult>>
}

/** The grader, which is loaded when a mend is opened. */
interface GraderModule {
  rungsOf: (lesson: string) => number
  mendOf: (lesson: string, rung: number) => Promise<OpenMend>
  /** The programs of `OpenMend.ways`. */
  waysOf: (lesson: string) => Promise<readonly Way[]>
  grade: (
    lesson: string,
    source: string,
    options: {
      readonly rung: number
      readonly environment: Environment | null
      readonly progress: (message: string) => void
      readonly signal: AbortSignal
    },
  ) => Promise<Graded>
}

export interface MendStoreParts {
  readonly load: () => Promise<GraderModule>
  /** What was measured on this device; measured now where it was not. Null where there is none: programs run on a modelled machine. */
  readonly environment: () => Promise<Environment | null>
  readonly tools: TraceTools
  /** Ends what runs on the page: two measurements at once would disturb each other. */
  readonly quiet: () => void
}

export interface MendStore {
  readonly store: StoreApi<MendState>
  /** @param rung from 1; the last, where there are not so many */
  open: (lesson: string, rung: number) => Promise<void>
  /** Resolves with the result, or null where it was cancelled or the lab itself failed. One at a time. */
  grade: (mend: Pick<OpenMend, 'lesson' | 'rung' | 'rungs'>, source: string) => Promise<MendResult | null>
  cancel: () => void
}

function runOf(owner: string, report: ProgramReport | null, tools: TraceTools): RunState | null {
  const trace = report?.trace
  if (!trace || trace.spans.length === 0 || report.unknown === 'kernels') return null
  return endedState(owner, { trace, report: null }, tools)
}

const CANCELLED = Symbol('cancelled')
const cancelled = (signal: AbortSignal): Promise<typeof CANCELLED> =>
  new Promise((resolve) => {
    const settle = () => {
      resolve(CANCELLED)
    }
    if (signal.aborted) settle()
    else signal.addEventListener('abort', settle, { once: true })
  })

const PROGRAMS = ['start', 'yours', 'reference'] as const satisfies readonly (keyof Compared &
  keyof Evidence)[]

export function createMendStore({ load, environment, tools, quiet }: MendStoreParts): MendStore {
  const store = createStore<MendState>(() => ({
    open: null,
    mend: null,
    phase: 'idle',
    progress: '',
    fault: null,
    results: {},
  }))
  let abort: AbortController | null = null

  return {
    store,
    open: async (lesson, rung) => {
      const asked = `${lesson}/${String(rung)}`
      const isOpen = () => store.getState().open === asked
      const { mend: before } = store.getState()
      const isSameLesson = before?.lesson === lesson
      store.setState({ open: asked, mend: isSameLesson ? before : null, fault: null })
      if (isSameLesson && before.rung === Math.min(rung, before.rungs)) return
      try {
        const { mendOf, rungsOf } = await load()
        const mend = await mendOf(lesson, Math.min(rung, rungsOf(lesson)))
        if (isOpen()) store.setState({ mend })
      } catch (thrown) {
        if (isOpen()) store.setState({ fault: toFault(thrown) })
      }
    },
    grade: async (mend, source) => {
      const [key, { lesson, rung }] = [mendKey(mend), mend]
      if (store.getState().phase === 'running') return null
      const own = new AbortController()
      const wasCancelled = () => own.signal.aborted
      abort = own
      store.setState({ phase: 'running', progress: 'looking at this device', fault: null })
      try {
        quiet()
        // The measurement of a device goes on by itself; a visitor who cancels does not wait for it.
        const measured = await Promise.race([environment(), cancelled(own.signal)])
        if (measured === CANCELLED) return null
        const { grade } = await load()
        const graded = await grade(lesson, source, {
          rung,
          environment: measured,
          signal: own.signal,
          progress: (progress) => {
            if (abort === own) store.setState({ progress })
          },
        })
        if (wasCancelled()) return null
        const [start, yours, reference] = PROGRAMS.map((name) =>
          runOf(`mends/${key}/${name}`, graded.evidence[name], tools),
        )
        const result: MendResult = {
          graded,
          source,
          runs: { start: start ?? null, yours: yours ?? null, reference: reference ?? null },
        }
        store.setState(({ results }) => ({ results: { ...results, [key]: result } }))
        return result
      } catch (thrown) {
        if (!(thrown instanceof CancelledError)) store.setState({ fault: toFault(thrown) })
        return null
      } finally {
        if (abort === own) {
          abort = null
          store.setState({ phase: 'idle', progress: '' })
        }
      }
    },
    cancel: () => {
      abort?.abort()
    },
  }
}
