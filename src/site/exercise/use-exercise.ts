/** The exercise of the open lesson: its code, its grading, and what a press of Run does. */
import { useCallback, useEffect } from 'react'
import { inBackground } from '../state/in-background'
import { createExerciseStore, exerciseKey, type ExerciseStore, type OpenExercise } from './store'
import { useLab, type AppContext, useProgress } from '../ui/lab-context'
import { useStore } from 'zustand'

const NONE: readonly number[] = []

/** The rung that the address names, from 1; else the first that was not passed, which the address then keeps: also when it is passed. */
function useRung(passed: readonly number[], open: OpenExercise | null): number {
  const { route } = useLab()
  const { route: place } = useStore(route.store)
  const named = place.page === 'lesson' && place.screen === 'mend' ? Number(place.step) : 0
  const isNamed = Number.isInteger(named) && named >= 1
  useEffect(() => {
    if (!isNamed && open && open.rungs > 1 && place.page === 'lesson' && place.screen === 'mend')
      route.replace({ ...place, step: String(open.rung) })
  }, [route, place, isNamed, open])
  if (isNamed) return named
  let next = 1
  while (passed.includes(next)) next += 1
  return next
}

/** The store comes with the first exercise that is opened, not with the first page, and lives as long as the page. */
const made = new WeakMap<AppContext, ExerciseStore>()
function useExercises(): ExerciseStore {
  const lab = useLab()
  const store = made.get(lab) ?? createExerciseStore(lab.exerciseParts)
  made.set(lab, store)
  return store
}

export function useExercise(lesson: string) {
  const { lessons } = useLab()
  const exercises = useExercises()
  const state = useStore(exercises.store)
  const { rungs: passed = NONE } = useProgress(lesson)
  const exercise = state.exercise?.lesson === lesson ? state.exercise : null
  const rung = useRung(passed, exercise)
  const key = exercise ? exerciseKey(exercise) : ''
  const code = state.code[key] ?? null
  const result = state.results[key] ?? null

  useEffect(() => {
    inBackground(exercises.open(lesson, rung))
  }, [exercises, lesson, rung])
  // Nobody watches it any more, and the next page may want the device.
  useEffect(() => exercises.cancel, [exercises])

  const text = code?.text
  const write = useCallback((next: string) => exercises.write(key, next), [exercises, key])
  const run = useCallback(() => {
    if (!exercise || text === undefined) return
    const grade = async () => {
      const ended = await exercises.grade(exercise, text)
      // Only results on this visitor's device are kept, also when it gets one later.
      if (!ended || ended.graded.evidence.isModelled === true) return
      // A lesson’s exercise is done by its first rung; the others are for whoever wants more.
      lessons.recordExercise(lesson, exercise.rung, ended.graded.passed)
    }
    inBackground(grade())
  }, [exercises, lessons, lesson, exercise, text])

  return {
    /** The rung that is open, or comes when it is loaded. */
    askedRung: rung,
    /** Under which the program is kept. */
    key,
    /** Null while it is loaded. */
    exercise,
    /** Rungs that were passed. */
    passed,
    code,
    state,
    result,
    isRunning: state.phase === 'running',
    /** The visitor has changed the program. */
    write,
    run,
    cancel: exercises.cancel,
  }
}
