/**
 * The learner's progress: what was predicted, what was measured, what was answered. Kept in this browser only, versioned, validated
 * when read back: a saved file from a newer version is left alone and not written over, a broken entry is dropped, the rest kept.
 */
import { isRecord } from '../../base/is-record'
import { createStore } from 'zustand/vanilla'
import type { LocalStore } from './storage'

export type Prediction =
  /** In the slider's unit, which tells the questions of a lesson apart; older entries do not name it. */
  | { readonly kind: 'made'; readonly value: number; readonly unit?: string }
  /** Skipped openly: the result says so instead of comparing. */
  | { readonly kind: 'skipped' }

/** The first run that answered the prediction; later runs vary other things. */
interface Outcome {
  /** In the slider's unit; older entries do not name it. */
  readonly value: number
  readonly unit?: string
  readonly adapter: string
  /** True where the answer came from a recording and not from the visitor's machine. */
  readonly recorded: boolean
}

/** The last program that passed, or that could not be distinguished from one that does; else the last that was graded. */
interface ExerciseOutcome {
  /** Null: a check could not tell on this machine. */
  readonly passed: boolean | null
  /** The mend's number of the unchanged program and of the learner's; null where it was not measured. */
  readonly before: number | null
  readonly after: number | null
  readonly adapter: string
}

/** What was clicked to find the line at fault in one profile: functions of a script, each once, in the order tried. */
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
  /** Of the loop in PyTorch (choices.md): recordings of the choices that were pressed, in the order tried; left out before the first. */
  readonly choices?: readonly string[]
  /** Of whichever rung; left out before a program was graded. */
  readonly mend?: ExerciseOutcome
  /** Rungs of the mend that were passed, or where nothing was wrong that this machine can tell; left out before the first. */
  readonly rungs?: readonly number[]
  /** Of a lesson of profiles: the order in which this visitor meets them; left out before they were met. */
  readonly order?: readonly string[]
  /** By profile; left out before the first click. */
  readonly finds?: Readonly<Record<string, Find>>
  /** By step: what was said before the step's kept run. A step that was run without a guess has none. */
  readonly guesses?: Readonly<Record<string, Guessed>>
}

interface LessonState {
  readonly lessons: Readonly<Record<string, LessonProgress>>
  /** kept: saved in this browser. off: storage is blocked or full. newer: saved by a newer version, left untouched. */
  readonly saving: 'kept' | 'off' | 'newer'
}

export const EMPTY_PROGRESS: LessonProgress = { prediction: null, outcome: null, answers: {} }

const KEY = 'host-device-lab:lessons'
const VERSION = 1

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

/** Of entries by name those that `isOne` takes; none of what is no record. */
const entriesIn = <T>(raw: unknown, isOne: (value: unknown) => value is T): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(isRecord(raw) ? raw : {}).flatMap(([name, value]) =>
      isOne(value) ? [[name, value] as const] : [],
    ),
  )

const listOf =
  <T>(isOne: (each: unknown) => each is T) =>
  (raw: unknown): raw is readonly T[] =>
    Array.isArray(raw) && raw.every(isOne)

const isCount = (raw: unknown): raw is number => Number.isInteger(raw) && Number(raw) >= 0
const isTried = listOf(isCount)

function mendIn(raw: unknown): { readonly mend?: ExerciseOutcome } {
  if (!isRecord(raw)) return {}
  const { passed, before, after, adapter } = raw
  const isShare = (value: unknown): value is number | null => value === null || isFiniteNumber(value)
  if (!(passed === null || typeof passed === 'boolean') || typeof adapter !== 'string') return {}
  return isShare(before) && isShare(after) ? { mend: { passed, before, after, adapter } } : {}
}

const isRungs = listOf((each): each is number => isCount(each) && each > 0)
const isTexts = listOf((each) => typeof each === 'string')

const isFind = (raw: unknown): raw is Find =>
  isRecord(raw) && isTexts(raw['clicks']) && typeof raw['found'] === 'boolean'

const isGuessed = (raw: unknown): raw is Guessed => isFiniteNumber(raw) || SAID.some((said) => said === raw)

function readProgress(
  saved: { readonly version: number; readonly data: unknown } | null,
): LessonState['lessons'] | 'newer' {
  if (saved && saved.version > VERSION) return 'newer'
  const data = saved?.version === VERSION ? saved.data : null
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
                answers: entriesIn(raw['answers'], isTried),
                ...(isTexts(raw['choices']) && { choices: raw['choices'] }),
                ...mendIn(raw['mend']),
                ...(isRungs(raw['rungs']) && { rungs: raw['rungs'] }),
                ...(isTexts(raw['order']) && { order: raw['order'] }),
                ...(isRecord(raw['finds']) && { finds: entriesIn(raw['finds'], isFind) }),
                ...(isRecord(raw['guesses']) && { guesses: entriesIn(raw['guesses'], isGuessed) }),
              },
            ] as const,
          ]
        : [],
    ),
  )
}

export type LessonStore = ReturnType<typeof createLessonStore>

/** Null: without one of this name. */
const withEntry = <T>(
  entries: Readonly<Record<string, T>> = {},
  name: string,
  value: T | null = null,
): Readonly<Record<string, T>> =>
  Object.fromEntries([
    ...Object.entries(entries).filter(([each]) => each !== name),
    ...(value === null ? [] : [[name, value] as const]),
  ])

const rank = ({ passed }: ExerciseOutcome): number => (passed === null ? 1 : passed ? 2 : 0)

/** Another tab can change what is kept: each change is made to what is kept by then, so that none erases another's. */
export function createLessonStore(localStore: LocalStore) {
  const read = readProgress(localStore.read(KEY))
  const store = createStore<LessonState>(() => ({
    lessons: read === 'newer' ? {} : read,
    saving: read === 'newer' ? 'newer' : localStore.works() ? 'kept' : 'off',
  }))
  const save = (lessons: LessonState['lessons']) => {
    const { saving } = store.getState()
    const kept = saving !== 'newer' && localStore.write(KEY, { version: VERSION, data: lessons })
    store.setState({ lessons, saving: saving === 'newer' ? 'newer' : kept ? 'kept' : 'off' })
  }
  /** What is kept now. Where nothing could be kept, or nothing is legible any more, what this page knows. */
  const current = (): LessonState['lessons'] => {
    const { lessons, saving } = store.getState()
    const saved = saving === 'kept' ? localStore.read(KEY) : null
    if (!saved) return lessons
    const kept = readProgress(saved)
    if (kept !== 'newer') return kept
    store.setState({ saving: 'newer' })
    return lessons
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
    /** Kept only if the lesson has none yet. */
    recordOutcome: (lesson: string, outcome: Outcome) =>
      change(lesson, (progress) => (progress.outcome ? progress : { ...progress, outcome })),
    /** In place of what was kept. */
    keep: (lesson: string, part: Pick<LessonProgress, 'order' | 'choices'>) =>
      change(lesson, (progress) => ({ ...progress, ...part })),
    /** A program that fails takes nothing from one that passed before it. */
    recordExercise: (lesson: string, rung: number, mend: ExerciseOutcome) =>
      change(lesson, ({ rungs = [], ...progress }) => {
        const passed = mend.passed === false || rungs.includes(rung) ? rungs : [...rungs, rung]
        const best = progress.mend && rank(progress.mend) > rank(mend) ? progress.mend : mend
        return { ...progress, mend: best, ...(passed.length > 0 ? { rungs: passed } : {}) }
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
      change(lesson, ({ guesses, ...progress }) => ({
        ...progress,
        guesses: withEntry(guesses, step, said),
      })),
    /** Forgets all lessons. */
    reset: () => save({}),
  }
}
