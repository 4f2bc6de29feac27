/**
 * The learner's progress: what was predicted, what was measured, what was answered. Kept in this
 * browser only, and validated when read back: a broken part is dropped, the rest kept.
 */
import { isRecord } from '../../base/is-record'
import { createStore } from 'zustand/vanilla'
import type { LocalStore } from './storage'

export type Prediction =
  /** In the slider's unit, which tells the questions of a lesson apart. */
  | { readonly kind: 'made'; readonly value: number; readonly unit: string }
  /** Skipped openly: the result says so instead of comparing. */
  | { readonly kind: 'skipped' }

/** A run has answered the prediction, in this unit of the slider. */
interface Outcome {
  readonly unit: string
}

/** The grade of the last program that passed or may have; else that of the last one graded. */
interface ExerciseOutcome {
  /** Null: a check could not tell on this machine. */
  readonly passed: boolean | null
}

/**
 * What was clicked to find the line at fault in one profile: functions of a script, each once, in
 * the order tried.
 */
export interface Find {
  readonly clicks: readonly string[]
  /** The last of them is it. */
  readonly found: boolean
}

/** A step's figure against the lesson's own run. */
export const SAID = ['more', 'same', 'less'] as const
export type Said = (typeof SAID)[number]
/** Or how much, in the unit of the step's slider. */
export type Guessed = Said | number

export interface LessonProgress {
  readonly prediction: Prediction | null
  readonly outcome: Outcome | null
  /** Options chosen, in the order tried, by quiz item. */
  readonly answers: Readonly<Record<string, readonly number[]>>
  /**
   * Of the loop in PyTorch (choices.md): recordings of the choices that were pressed, in the order
   * tried; left out before the first.
   */
  readonly choices?: readonly string[]
  /** Of whichever rung; left out before a program was graded. */
  readonly mend?: ExerciseOutcome
  /**
   * Rungs of the mend that were passed, or where nothing was wrong that this machine can tell; left
   * out before the first.
   */
  readonly rungs?: readonly number[]
  /** By profile; left out before the first click. */
  readonly finds?: Readonly<Record<string, Find>>
  /**
   * By step: what was said before the step's kept run. A step that was run without a guess has
   * none.
   */
  readonly guesses?: Readonly<Record<string, Guessed>>
}

interface LessonState {
  readonly lessons: Readonly<Record<string, LessonProgress>>
  /** False: storage is blocked or full. */
  readonly isKept: boolean
}

export const EMPTY_PROGRESS: LessonProgress = { prediction: null, outcome: null, answers: {} }

const KEY = 'host-device-lab:lessons'
const VERSION = 1

type Check = (raw: unknown) => boolean

const isText: Check = (raw) => typeof raw === 'string'
const isFlag: Check = (raw) => typeof raw === 'boolean'
const isCount: Check = (raw) => Number.isInteger(raw) && Number(raw) >= 0
const listOf = (isOne: Check) => (raw: unknown) => Array.isArray(raw) && raw.every(isOne)
const recordOf = (isOne: Check) => (raw: unknown) => isRecord(raw) && Object.values(raw).every(isOne)
const isTexts = listOf(isText)

const isPrediction: Check = (raw) =>
  isRecord(raw) &&
  (raw['kind'] === 'skipped' ||
    (raw['kind'] === 'made' && Number.isFinite(raw['value']) && isText(raw['unit'])))

/** Each part of what is kept, as LessonProgress has it. */
const PARTS: Readonly<Record<string, Check>> = {
  prediction: isPrediction,
  outcome: (raw) => isRecord(raw) && isText(raw['unit']),
  answers: recordOf(listOf(isCount)),
  choices: isTexts,
  mend: (raw) => isRecord(raw) && (raw['passed'] === null || isFlag(raw['passed'])),
  rungs: listOf((each) => isCount(each) && each !== 0),
  finds: recordOf((raw) => isRecord(raw) && isTexts(raw['clicks']) && isFlag(raw['found'])),
  guesses: recordOf((raw) => Number.isFinite(raw) || SAID.some((said) => said === raw)),
}

const progressIn = (raw: unknown): LessonProgress => ({
  ...EMPTY_PROGRESS,
  ...(isRecord(raw) &&
    Object.fromEntries(Object.entries(raw).filter(([name, value]) => PARTS[name]?.(value)))),
})

/** Null: nothing legible is kept. */
function readProgress(localStore: LocalStore): LessonState['lessons'] | null {
  const saved = localStore.read(KEY)
  return saved?.version === VERSION && isRecord(saved.data)
    ? Object.fromEntries(Object.entries(saved.data).map(([id, raw]) => [id, progressIn(raw)]))
    : null
}

export type LessonStore = ReturnType<typeof createLessonStore>

const rank = ({ passed }: ExerciseOutcome): number => (passed === null ? 1 : passed ? 2 : 0)

/**
 * Another tab can change what is kept: each change is made to what is kept by then, so that none
 * erases another's.
 */
export function createLessonStore(localStore: LocalStore) {
  const store = createStore<LessonState>(() => ({
    lessons: readProgress(localStore) ?? {},
    isKept: localStore.works(),
  }))
  const save = (lessons: LessonState['lessons']) =>
    store.setState({ lessons, isKept: localStore.write(KEY, { version: VERSION, data: lessons }) })
  /**
   * What is kept now. Where nothing could be kept, or nothing is legible any more, what this page
   * knows.
   */
  const current = (): LessonState['lessons'] => {
    const { lessons, isKept } = store.getState()
    return (isKept ? readProgress(localStore) : null) ?? lessons
  }
  localStore.onElsewhere((key) => {
    if (key === KEY || key === null) store.setState({ lessons: current() })
  })
  const change = (lesson: string, make: (progress: LessonProgress) => LessonProgress) => {
    const lessons = current()
    save({ ...lessons, [lesson]: make(lessons[lesson] ?? EMPTY_PROGRESS) })
  }
  return {
    store,
    predict: (lesson: string, prediction: Prediction | null) => {
      // A new prediction wants a new answer.
      change(lesson, (progress) => ({ ...progress, prediction, outcome: null }))
    },
    recordOutcome: (lesson: string, unit: string) =>
      change(lesson, (progress) => ({ ...progress, outcome: { unit } })),
    /** In place of what was kept. */
    keep: (lesson: string, part: Pick<LessonProgress, 'choices'>) =>
      change(lesson, (progress) => ({ ...progress, ...part })),
    /** A program that fails takes nothing from one that passed before it. */
    recordExercise: (lesson: string, rung: number, passed: boolean | null) =>
      change(lesson, ({ rungs = [], ...progress }) => {
        const held = passed === false || rungs.includes(rung) ? rungs : [...rungs, rung]
        const mend = progress.mend && rank(progress.mend) > rank({ passed }) ? progress.mend : { passed }
        return { ...progress, mend, ...(held.length > 0 ? { rungs: held } : {}) }
      }),
    answer: (lesson: string, item: string, option: number) =>
      change(lesson, (progress) => {
        const tried = progress.answers[item] ?? []
        if (tried.includes(option)) return progress
        return { ...progress, answers: { ...progress.answers, [item]: [...tried, option] } }
      }),
    /** Counts once for each place, and not any more once it was found. */
    click: (lesson: string, profile: string, place: string, isIt: boolean) =>
      change(lesson, (progress) => {
        const before = progress.finds?.[profile] ?? { clicks: [], found: false }
        if (before.found || before.clicks.includes(place)) return progress
        const find = { clicks: [...before.clicks, place], found: isIt }
        return { ...progress, finds: { ...progress.finds, [profile]: find } }
      }),
    /** Of the step's last run; null where it was run without one. */
    recordGuess: (lesson: string, step: string, said: Guessed | null) =>
      change(lesson, ({ guesses = {}, ...progress }) => {
        const others = Object.entries(guesses).filter(([each]) => each !== step)
        return {
          ...progress,
          guesses: Object.fromEntries(said === null ? others : [...others, [step, said]]),
        }
      }),
    /** Forgets all lessons. */
    reset: () => save({}),
  }
}
