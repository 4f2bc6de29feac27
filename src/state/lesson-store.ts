/**
 * The learner's progress: what was predicted, what was measured, what was answered. Kept in this browser only, versioned, validated
 * when read back: a saved file from a newer version is left alone and not written over, a broken entry is dropped, the rest kept.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Memory } from './storage'

export type Prediction =
  /** In the slider's unit, which tells the questions of a lesson apart; older entries do not name it. */
  | { readonly kind: 'made'; readonly value: number; readonly unit?: string }
  /** Skipped openly: the result says so instead of comparing. */
  | { readonly kind: 'skipped' }

/** The first run that answered the prediction; later runs vary other things. */
export interface Outcome {
  /** In the slider's unit; older entries do not name it. */
  readonly value: number
  readonly unit?: string
  readonly adapter: string
  /** True where the answer came from a recording and not from the visitor's machine. */
  readonly recorded: boolean
}

export interface LessonProgress {
  readonly prediction: Prediction | null
  readonly outcome: Outcome | null
  /** Options chosen, in the order tried, by quiz item. */
  readonly answers: Readonly<Record<string, readonly number[]>>
}

export interface LessonState {
  readonly lessons: Readonly<Record<string, LessonProgress>>
  /** kept: saved in this browser. off: storage is blocked or full. newer: saved by a newer version, left untouched. */
  readonly saving: 'kept' | 'off' | 'newer'
}

export const EMPTY_PROGRESS: LessonProgress = { prediction: null, outcome: null, answers: {} }

const KEY = 'host-device-lab:lessons'
const VERSION = 1

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value)

const readUnit = (raw: unknown): { readonly unit?: string } => (typeof raw === 'string' ? { unit: raw } : {})

function readPrediction(raw: unknown): Prediction | null {
  if (!isRecord(raw)) return null
  if (raw['kind'] === 'skipped') return { kind: 'skipped' }
  if (raw['kind'] !== 'made' || !isFiniteNumber(raw['value'])) return null
  return { kind: 'made', value: raw['value'], ...readUnit(raw['unit']) }
}

function readOutcome(raw: unknown): Outcome | null {
  if (!isRecord(raw)) return null
  const { value, adapter, recorded } = raw
  if (!isFiniteNumber(value) || typeof adapter !== 'string' || typeof recorded !== 'boolean') return null
  return { value, ...readUnit(raw['unit']), adapter, recorded }
}

function readAnswers(raw: unknown): LessonProgress['answers'] {
  if (!isRecord(raw)) return {}
  const isChoice = (value: unknown): value is number =>
    isFiniteNumber(value) && Number.isInteger(value) && value >= 0
  return Object.fromEntries(
    Object.entries(raw).flatMap(([item, tried]) =>
      Array.isArray(tried) && tried.every(isChoice) ? [[item, tried] as const] : [],
    ),
  )
}

/** What version `n` saved, as version `n + 1` would have. The first version has nothing before it. */
export type Upgraders = Readonly<Record<number, (data: unknown) => unknown>>

/** Exported for tests: `upgraders` is how a later version reads what this one saved. */
export function readProgress(
  saved: { readonly version: number; readonly data: unknown } | null,
  upgraders: Upgraders = {},
  version: number = VERSION,
): LessonState['lessons'] | 'newer' {
  if (!saved) return {}
  if (saved.version > version) return 'newer'
  let data = saved.data
  for (let from = saved.version; from < version; from += 1) data = upgraders[from]?.(data)
  if (!isRecord(data)) return {}
  return Object.fromEntries(
    Object.entries(data).flatMap(([id, raw]) =>
      isRecord(raw)
        ? [
            [
              id,
              {
                prediction: readPrediction(raw['prediction']),
                outcome: readOutcome(raw['outcome']),
                answers: readAnswers(raw['answers']),
              },
            ] as const,
          ]
        : [],
    ),
  )
}

export interface LessonStore {
  readonly store: StoreApi<LessonState>
  predict: (lesson: string, prediction: Prediction | null) => void
  /** Kept only if the lesson has none yet. */
  recordOutcome: (lesson: string, outcome: Outcome) => void
  answer: (lesson: string, item: string, option: number) => void
  /** Forgets one lesson, or all. */
  reset: (lesson?: string) => void
}

export function createLessonStore(memory: Memory): LessonStore {
  const read = readProgress(memory.read(KEY))
  const store = createStore<LessonState>(() => ({
    lessons: read === 'newer' ? {} : read,
    saving: read === 'newer' ? 'newer' : memory.works() ? 'kept' : 'off',
  }))
  const save = (lessons: LessonState['lessons']) => {
    const { saving } = store.getState()
    const kept = saving !== 'newer' && memory.write(KEY, { version: VERSION, data: lessons })
    store.setState({ lessons, saving: saving === 'newer' ? 'newer' : kept ? 'kept' : 'off' })
  }
  const change = (lesson: string, make: (progress: LessonProgress) => LessonProgress) => {
    const { lessons } = store.getState()
    save({ ...lessons, [lesson]: make(lessons[lesson] ?? EMPTY_PROGRESS) })
  }
  return {
    store,
    predict: (lesson, prediction) => {
      // A new prediction wants a new answer.
      change(lesson, (progress) => ({ ...progress, prediction, outcome: null }))
    },
    recordOutcome: (lesson, outcome) => {
      change(lesson, (progress) => (progress.outcome ? progress : { ...progress, outcome }))
    },
    answer: (lesson, item, option) => {
      change(lesson, (progress) => {
        const tried = progress.answers[item] ?? []
        if (tried.includes(option)) return progress
        return { ...progress, answers: { ...progress.answers, [item]: [...tried, option] } }
      })
    },
    reset: (lesson) => {
      const { lessons } = store.getState()
      save(
        lesson === undefined
          ? {}
          : Object.fromEntries(Object.entries(lessons).filter(([id]) => id !== lesson)),
      )
    },
  }
}
