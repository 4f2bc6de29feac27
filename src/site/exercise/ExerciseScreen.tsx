/**
 * Mend it: the loop in PyTorch as recorded choices, then the program that just ran, in an editor,
 * beside what must hold.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ExperimentLesson } from '../../lessons/lesson'
import type { Problem } from '../../exercises/syntax'
import { linesIn } from '../../exercises/trace-of-run'
import type { Graded } from '../../exercises/types'
import { createExerciseStore, exerciseKey, type ExerciseStore, type OpenExercise } from './store'
import type { ExcerptBar } from '../../strips/excerpt'
import { addressOf, lessonRoute } from '../state/url'
import { FaultNotice } from '../ui/FaultNotice'
import { YOURS } from './ExerciseStrips'
import { ModelledMark } from '../ui/ModelledMark'
import type { ScreenProps } from '../ui/lesson/use-lesson-run'
import { SCREEN_START, useShownAtEnd } from '../ui/lesson/use-screen-focus'
import { Prose } from '../ui/prose/Prose'
import { ChoicesPlace } from './RecordedChoices'
import type { Editor } from './editor/code/editor'
import { Program } from './editor/Program'
import { FixToCopy, Reference } from './Hints'
import { CameTo, firstMissing, OnToChange, Verdict } from './Grade'
import { RungPicker } from './RungPicker'
import { Button } from '../ui/Button'
import { inBackground } from '../state/in-background'
import { useLab, type AppContext, useProgress } from '../ui/lab-context'
import { useStore } from 'zustand'
import './exercise.css'

const NO_RUNGS: readonly number[] = []

/**
 * The rung that the address names, from 1; else the first that was not passed, which the address
 * then keeps: also when it is passed.
 */
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

/**
 * The store comes with the first exercise that is opened, not with the first page, and lives as
 * long as the page.
 */
const made = new WeakMap<AppContext, ExerciseStore>()
function useExercises(): ExerciseStore {
  const lab = useLab()
  const store = made.get(lab) ?? createExerciseStore(lab.exerciseParts)
  made.set(lab, store)
  return store
}

/** The exercise of the open lesson: its code, its grading, and what a press of Run does. */
function useExercise(lesson: string) {
  const { lessons } = useLab()
  const exercises = useExercises()
  const state = useStore(exercises.store)
  const { rungs: passed = NO_RUNGS } = useProgress(lesson)
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

/** The mistake that the grade tells, on its lines. */
function mistakeOf({ checks, evidence }: Graded): readonly Problem[] {
  const { stop } = evidence.yours
  const check = firstMissing(checks)
  const lines = stop ? (stop.line ?? []) : linesIn(check?.text ?? '')
  const [message, severity] = stop ? [stop.text, 'error' as const] : [check?.text ?? '', 'warning' as const]
  return [lines].flat().map((line) => ({ line, column: 0, endColumn: Infinity, message, severity }))
}

/** Where there is no WebGPU: what runs there instead, and what that is worth. */
const OnModel = () => (
  <p className="notice" role="note">
    <ModelledMark /> This browser gives no GPU to the page, so your program runs on a model of an NVIDIA H200
    under Chromium, on a clock of its own. What the model says is no measurement: it does not count as done on
    your machine. Your code is kept.
  </p>
)

const NONE: readonly Problem[] = []

interface InPyTorchProps {
  readonly lesson: ExperimentLesson
  readonly exercise: OpenExercise
  readonly isFirst: boolean
}

const InPyTorch = ({ lesson, exercise, isFirst }: InPyTorchProps) => (
  <section className="stack-12" aria-label="In PyTorch" {...(isFirst && SCREEN_START)}>
    <ChoicesPlace key={lesson.id} lesson={lesson.id} />
    <FixToCopy {...exercise.words.pytorch} />
    <p className="mend-on baseline cluster-8-16 no-print">
      <a className="button button-main" href={addressOf(lessonRoute(lesson.id, 'change'))}>
        Change one thing
      </a>
      <span className="small quiet">
        Or first do an exercise in{' '}
        {exercise.language === 'wgsl' ? 'WGSL, WebGPU’s shader language' : 'JavaScript'}, below.
      </span>
    </p>
  </section>
)

export const ExerciseScreen = ({ lesson, state }: ScreenProps) => {
  const opened = useExercise(lesson.id)
  const { askedRung, key, exercise, passed, code, state: grading, result, isRunning, run } = opened
  const editor = useRef<Editor>(null)
  const shownAtEnd = useShownAtEnd(isRunning)
  const [line, setLine] = useState<ExcerptBar | null>(null)
  const [wantsReference, setWantsReference] = useState(false)
  const onLine = useCallback(
    (name: string, bar: ExcerptBar | null) => setLine(name === YOURS ? bar : null),
    [],
  )
  const graded = result?.graded ?? null
  const isOld = result !== null && result.source !== code?.text
  const mistake = useMemo(() => (graded && !isOld ? mistakeOf(graded) : NONE), [graded, isOld])
  if (grading.fault && !exercise) return <FaultNotice fault={grading.fault} />
  if (!exercise) return <p className="loading">Loading the program.</p>
  const { rung, rungs, words } = exercise
  const isModelled = graded?.evidence.isModelled ?? state.recordedOnly
  const showsReference = wantsReference || graded?.passed === true
  const lit = line && line.line > 0 && result?.source === code?.text ? line : null
  const mistakeAt = mistake[0]?.line ?? null
  return (
    <section className={isModelled ? 'mend modelled' : 'mend'} aria-labelledby="mend-title">
      <InPyTorch {...{ lesson, exercise }} isFirst={askedRung === 1} />
      <div className="mend-exercise">
        <div className="mend-task stack-8">
          <h2 id="mend-title" {...(askedRung > 1 && SCREEN_START)}>
            {words.title}
          </h2>
          <RungPicker {...{ passed, isRunning, rung, rungs }} lesson={lesson.id} />
          <Prose text={words.task} />
          {isModelled && <OnModel />}
        </div>
        <div className="mend-code top stack-12">
          {code ? (
            <Program
              key={key}
              ref={editor}
              {...{ exercise, code, lit }}
              label={`Program to mend: ${lesson.question}`}
              problems={graded?.evidence.yours.stop?.reason === 'syntax' ? NONE : mistake}
              onChange={opened.write}
              onRun={run}
            />
          ) : (
            <p className="loading">Loading the program.</p>
          )}
        </div>
        <div className="mend-run cluster-8-16 no-print">
          {isRunning ? (
            <Button id="run-key" label="Cancel" onClick={opened.cancel} />
          ) : (
            <Button
              id="run-key"
              look="main"
              label={graded ? 'Run and grade again' : 'Run and grade'}
              onClick={run}
            />
          )}
          <p className="small quiet" role="status">
            {isRunning
              ? `Running ${grading.progress}`
              : isOld
                ? 'You have changed it since it was graded.'
                : ''}
          </p>
        </div>
        <div className="mend-side top stack-12">
          {grading.fault && <FaultNotice fault={grading.fault} />}
          <div ref={shownAtEnd} className="mend-came-to" role="status" aria-live="polite">
            {graded && !isRunning && <Verdict {...graded} />}
          </div>
          <CameTo
            {...{ lesson, exercise, result, isRunning, isModelled, mistakeAt, showsReference, onLine }}
            onBack={() => {
              if (mistakeAt === null) editor.current?.focus()
              else editor.current?.goTo(mistakeAt, 0)
            }}
          />
        </div>
      </div>
      {showsReference ? (
        <Reference mend={exercise} />
      ) : (
        <p className="no-print">
          <Button look="link" label="Show the lab’s own fix" onClick={() => setWantsReference(true)} />
        </p>
      )}
      <div className="button-row no-print">
        <OnToChange lesson={lesson} />
        <a href={addressOf(lessonRoute(lesson.id, 'why'))}>Why it is so</a>
      </div>
    </section>
  )
}
