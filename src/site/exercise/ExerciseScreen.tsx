/** Mend it: the loop in PyTorch as recorded choices, then the program that just ran, in an editor, beside what must hold. */
import { useCallback, useRef, useState } from 'react'
import type { ExperimentLesson } from '../../lessons/lesson'
import type { Problem } from '../../exercises/problem'
import { linesIn } from '../../exercises/trace-of-run'
import type { Graded } from '../../exercises/types'
import type { OpenExercise } from './store'
import type { ExcerptBar } from '../../strips/excerpt'
import { addressOf, lessonRoute } from '../state/url'
import { FaultNotice } from '../ui/FaultNotice'
import { ModelledMark } from '../ui/ModelledMark'
import type { ScreenProps } from '../ui/lesson/use-lesson-run'
import { SCREEN_START, useShownAtEnd } from '../ui/lesson/use-screen-focus'
import { Prose } from '../ui/prose/Prose'
import { ChoicesPlace } from './RecordedChoices'
import type { Editor } from './editor/code/editor'
import { Program } from './editor/Program'
import { FixToCopy, OtherWays, Reference } from './Hints'
import { YOURS } from './ExerciseStrips'
import { CameTo, firstMissing, OnToChange, Verdict } from './Grade'
import { RungPicker } from './RungPicker'
import { useExercise } from './use-exercise'
import { Button } from '../ui/Button'
import './exercise.css'

/** The mistake that the grade tells, on its lines. */
function mistakeOf({ checks, evidence }: Graded): readonly Problem[] {
  const { stop } = evidence.yours
  const check = firstMissing(checks)
  const lines = stop ? (stop.line ?? []) : linesIn(check?.text ?? '')
  const [message, severity] = stop ? [stop.text, 'error' as const] : [check?.text ?? '', 'warning' as const]
  return [lines].flat().map((line) => ({ line, column: 0, message, severity }))
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
    {exercise.words.pytorch && <FixToCopy {...exercise.words.pytorch} />}
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
  if (grading.fault && !exercise) return <FaultNotice fault={grading.fault} />
  if (!exercise) return <p className="loading">Loading the program.</p>
  const { rung, rungs, words } = exercise
  const graded = result?.graded ?? null
  const isModelled = graded?.evidence.isModelled ?? state.recordedOnly
  const isOld = result !== null && result.source !== code?.text
  const showsReference = wantsReference || graded?.passed === true
  const lit = line && line.line > 0 && result?.source === code?.text ? line : null
  const mistake = graded && !isOld ? mistakeOf(graded) : []
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
        <>
          <Reference mend={exercise} />
          <OtherWays key={key} mend={exercise} />
        </>
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
