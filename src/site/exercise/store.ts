/**
 * The exercise that is open: its program and words, the code that the learner has written, and what
 * the last run of it came to. Grading runs beside nothing else of the page: a run that is under way
 * ends first.
 */
import { createStore } from 'zustand/vanilla'
import { CancelledError, toFault, type Fault } from '../../base/fault'
import { isRecord } from '../../base/is-record'
import type { Exercise } from '../../exercises/exercise'
import type { Compared, Graded, ExerciseFigure, ProgramReport } from '../../exercises/types'
import type * as exercises from '../../lessons/exercises'
import type { Environment } from '../../trace/report'
import { endedState, type RunState } from '../state/run-store'
import type { LocalStore } from '../state/storage'

/** An exercise as the page knows it: without what grades it. */
export type OpenExercise = Omit<Exercise, 'checks' | 'experiment' | 'figure' | 'worker' | 'modelWorker'> & {
  readonly figure: ExerciseFigure
}

/**
 * A rung by one name, under which its program and its result are kept. The last, which was there
 * before the others, has the lesson's own.
 */
export const exerciseKey = ({
  lesson,
  rung,
  rungs,
}: Pick<OpenExercise, 'lesson' | 'rung' | 'rungs'>): string =>
  rung === rungs ? lesson : `${lesson}/rung-${String(rung)}`

export interface ExerciseResult {
  readonly graded: Graded
  /** The text that was graded. */
  readonly source: string
  /** Their first steps can be drawn; null where a program was not run. */
  readonly runs: Readonly<Record<keyof Compared, RunState | null>>
}

/** A learner's program. */
export interface Code {
  readonly text: string
  /** The program that the exercise begins with. */
  readonly start: string
  /** False where storage is blocked or full: the text lasts as long as the page. */
  readonly isKept: boolean
}

export interface ExerciseState {
  /** The lesson and rung last asked for; null: none. */
  readonly open: string | null
  /**
   * Another rung of the lesson stays until the one asked for is loaded: who chose it keeps the page
   * and its focus.
   */
  readonly exercise: OpenExercise | null
  readonly phase: 'idle' | 'running'
  /** The current work, for a status line. */
  readonly progress: string
  /** The lab's own failure, not the program's. */
  readonly fault: Fault | null
  /** By key, once opened. */
  readonly code: Readonly<Record<string, Code>>
  /** By key. */
  readonly results: Readonly<Record<string, ExerciseResult>>
}

/** The grader, which is loaded when an exercise is opened. */
interface GraderModule extends Pick<typeof exercises, 'rungsOf' | 'grade'> {
  readonly exerciseOf: (lesson: string, rung: number) => Promise<OpenExercise>
}

export interface ExerciseStoreParts {
  readonly load: () => Promise<GraderModule>
  /**
   * Measures this device, or returns what was measured. Null where there is none: programs run on a
   * modelled machine.
   */
  readonly environment: () => Promise<Environment | null>
  readonly localStore: LocalStore
  /** Ends what runs on the page: two measurements at once would disturb each other. */
  readonly quiet: () => void
}

export type ExerciseStore = ReturnType<typeof createExerciseStore>

function runOf(owner: string, report: ProgramReport | null): RunState | null {
  const trace = report?.trace
  if (!trace || trace.spans.length === 0 || report.unknown === 'kernels') return null
  return endedState(owner, { trace, report: null })
}

const RECORD_VERSION = 1
const recordKey = (key: string): string => `host-device-lab:mend:${key}`

export function createExerciseStore(props: ExerciseStoreParts) {
  const { load, environment, localStore, quiet } = props
  const store = createStore<ExerciseState>(() => ({
    open: null,
    exercise: null,
    phase: 'idle',
    progress: '',
    fault: null,
    code: {},
    results: {},
  }))
  let abort: AbortController | null = null
  const put = (key: string, code: Code): void =>
    store.setState((state) => ({ code: { ...state.code, [key]: code } }))
  const kept = (key: string): string | null => {
    const data = localStore.read(recordKey(key))?.data
    return isRecord(data) && typeof data['text'] === 'string' ? data['text'] : null
  }

  return {
    store,
    /** @param rung from 1; the last, where there are not so many */
    open: async (lesson: string, rung: number): Promise<void> => {
      const asked = `${lesson}/${String(rung)}`
      const isOpen = () => store.getState().open === asked
      const { exercise: before } = store.getState()
      const isSameLesson = before?.lesson === lesson
      store.setState({ open: asked, exercise: isSameLesson ? before : null, fault: null })
      if (isSameLesson && before.rung === Math.min(rung, before.rungs)) return
      try {
        const { exerciseOf, rungsOf } = await load()
        const exercise = await exerciseOf(lesson, Math.min(rung, rungsOf(lesson)))
        if (!isOpen()) return
        const key = exerciseKey(exercise)
        const { start } = exercise
        if (store.getState().code[key]?.start !== start) {
          put(key, { text: kept(key) ?? start, start, isKept: localStore.works() })
        }
        store.setState({ exercise })
      } catch (thrown) {
        if (isOpen()) store.setState({ fault: toFault(thrown) })
      }
    },
    /**
     * Keeps the learner's text. Storage is written before the store: a listener that throws cannot
     * cost a keystroke. An unchanged start is not kept: the next build may have another.
     */
    write: (key: string, text: string) => {
      const { start } = store.getState().code[key] ?? { start: '' }
      const data = { text: text === start ? null : text }
      const isKept = localStore.write(recordKey(key), { version: RECORD_VERSION, data })
      put(key, { text, start, isKept })
    },
    /**
     * Resolves with the result, or null where it was cancelled or the lab itself failed. One at a
     * time.
     */
    grade: async (
      exercise: Pick<OpenExercise, 'lesson' | 'rung' | 'rungs'>,
      source: string,
    ): Promise<ExerciseResult | null> => {
      const [key, { lesson, rung }] = [exerciseKey(exercise), exercise]
      if (store.getState().phase === 'running') return null
      const own = new AbortController()
      abort = own
      store.setState({ phase: 'running', progress: 'looking at this device', fault: null })
      try {
        quiet()
        // The measurement of a device goes on by itself; a visitor who cancels does not wait for
        // it.
        const cancelled = new Promise<never>((_, reject) =>
          own.signal.addEventListener('abort', () => reject(new CancelledError())),
        )
        const measured = await Promise.race([environment(), cancelled])
        const { grade } = await load()
        const graded = await grade(lesson, source, {
          rung,
          environment: measured,
          signal: own.signal,
          progress: (progress) => {
            if (abort === own) store.setState({ progress })
          },
        })
        if (own.signal.aborted) return null
        const ran = (name: keyof Compared) => runOf(`mends/${key}/${name}`, graded.evidence[name])
        const runs = { start: ran('start'), yours: ran('yours'), reference: ran('reference') }
        const result: ExerciseResult = { graded, source, runs }
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
    cancel: () => abort?.abort(),
  }
}
