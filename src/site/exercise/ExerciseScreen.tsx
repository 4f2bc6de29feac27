/** Mend it: the loop in PyTorch as recorded choices, then the program that just ran, in an editor, beside what must hold. */
import { type RefObject, useCallback, useRef, useState } from 'react'
import type { ExperimentLesson } from '../../lessons/lesson'
import type { Problem } from '../../exercises/problem'
import { linesIn } from '../../exercises/trace-of-run'
import type { Check, ExerciseFigure, Graded, Stop } from '../../exercises/types'
import { type Code, exerciseKey, type ExerciseResult, type OpenExercise } from './store'
import type { ExcerptBar } from '../../strips/excerpt'
import { addressOf, lessonRoute } from '../state/url'
import { FaultNotice } from '../ui/FaultNotice'
import { formatQuantity } from '../ui/format'
import { ModelledMark } from '../ui/ModelledMark'
import type { LessonRun } from '../ui/lesson/use-lesson-run'
import { SCREEN_START, useShownAtEnd } from '../ui/lesson/use-screen-focus'
import { Inline, Quantities } from '../ui/prose/Inline'
import { Prose } from '../ui/prose/Prose'
import { CheckList } from './CheckList'
import { ChoicesPlace } from './ChoicesPlace'
import type { EditorHandle, EditorHistory } from './editor/code-editor-props'
import { EditorToolbar } from './editor/EditorToolbar'
import { LazyCodeEditor } from './editor/LazyCodeEditor'
import { FixToCopy, Hints, Reference } from './Hints'
import { ExerciseStrips, YOURS } from './ExerciseStrips'
import { OtherWays } from './OtherWays'
import { rungAddress, RungPicker } from './RungPicker'
import { useExercise, useExercises } from './use-exercise'
import type { Names, Scope } from '../../exercises/names'
import { Button } from '../ui/Button'
import './exercise.css'

/** Members that several names share are listed once. */
const Members = ({ names, listed }: { readonly names: Names; readonly listed: Set<Names> }) => {
  listed.add(names)
  return (
    <ul className="stack-4">
      {Object.entries(names).map(([key, { says, takes = '', has }]) => (
        <li key={key}>
          <code>{key + takes}</code> <Inline text={says} />
          {has && !listed.has(has) && <Members {...{ names: has, listed }} />}
        </li>
      ))}
    </ul>
  )
}

const NameList = ({ scope: { given, globals } }: { readonly scope: Scope }) => (
  <details className="mend-names small">
    <summary>What the program can use</summary>
    <Members names={{ ...given, ...globals }} listed={new Set()} />
  </details>
)

const VERDICTS: readonly {
  readonly passed: Graded['passed']
  readonly words: string
  readonly modelled: string
}[] = [
  { passed: true, words: 'Mended.', modelled: 'The model says: mended.' },
  { passed: false, words: 'Not mended yet.', modelled: 'The model says: not mended yet.' },
  {
    passed: null,
    words:
      'Nothing is wrong with it, but one check cannot be determined on this machine. It counts as done, with that note.',
    modelled: 'The model finds nothing wrong with it, and cannot tell all that must hold.',
  },
]

/** 'computed 31 % → 93 %', and how that compares. */
const Gain = ({ figure, result }: { readonly figure: ExerciseFigure; readonly result: ExerciseResult }) => {
  const { figures, ranges, checks } = result.graded
  const { start, yours, reference } = figures
  const { isModelled = false } = result.graded.evidence
  if (yours === null) return null
  const say = (value: number) => formatQuantity(value, figure.unit)
  const between = ([least, most]: readonly [number, number], when: string) =>
    `${say(least)} to ${say(most)} ${when}`
  // The same program twice is no before and after.
  const isChanged = !checks.some(({ id, outcome }) => id === 'changed' && outcome === 'no')
  const spread = [
    ...(ranges.start && isChanged ? [between(ranges.start, 'before')] : []),
    ...(ranges.yours ? [between(ranges.yours, 'now')] : []),
  ]
  return (
    <p className="mend-gain" data-testid="gain">
      {start !== null && isChanged && (
        <>
          <span className="mend-gain-before quiet">
            <Quantities text={say(start)} />
          </span>
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> before, then </span>
        </>
      )}
      <strong>
        <Quantities text={say(yours)} />
      </strong>
      <span className="mend-gain-words small">
        {figure.words}
        {isModelled && (
          <>
            {' '}
            <ModelledMark />
          </>
        )}
        {reference !== null && (
          <span className="quiet">
            . <Quantities text={`The lab’s own: ${say(reference)}.`} />
          </span>
        )}
        {spread.length > 0 && (
          <span className="quiet block">
            <Quantities text={`From run to run: ${spread.join(', ')}.`} />
          </span>
        )}
      </span>
    </p>
  )
}

/** The check that is told first: that nothing was changed says less than any other. */
function firstMissing(checks: Graded['checks']): Check | undefined {
  const all = checks.filter(({ outcome }) => outcome === 'no')
  return all.find(({ id }) => id !== 'changed') ?? all[0]
}

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
const NO_HISTORY: EditorHistory = { canUndo: false, canRedo: false }

/** A mistake of the syntax stands below the editor, where it is typed. */
const toldBy = (checks: Graded['checks'], stop: Stop | null): string =>
  stop?.reason === 'syntax' && stop.line !== null
    ? `Line ${String(stop.line)} does not parse.`
    : (firstMissing(checks)?.text ?? '')

const Verdict = ({
  passed,
  checks,
  evidence: {
    isModelled = false,
    yours: { stop },
  },
}: Graded) => (
  <p
    className="mend-verdict size-3"
    data-testid="grade"
    data-passed={String(passed)}
    data-modelled={isModelled}
  >
    {isModelled && <ModelledMark />}{' '}
    <strong>{VERDICTS.find((each) => each.passed === passed)?.[isModelled ? 'modelled' : 'words']}</strong>{' '}
    <Quantities text={toldBy(checks, stop)} />
  </p>
)

const OnToChange = ({ lesson }: { readonly lesson: Pick<ExperimentLesson, 'id'> }) => (
  <a href={addressOf(lessonRoute(lesson.id, 'change'))}>Change one thing</a>
)

interface ExerciseScreenProps {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}

interface ProgramProps {
  readonly ref: RefObject<EditorHandle | null>
  readonly exercise: OpenExercise
  readonly code: Code
  readonly label: string
  readonly problems: readonly Problem[]
  /** The bar whose line is lit. */
  readonly lit: ExcerptBar | null
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

const Program = ({ ref, exercise, code, label, problems, lit, onChange, onRun }: ProgramProps) => {
  const exercises = useExercises()
  const key = exerciseKey(exercise)
  const [history, setHistory] = useState(NO_HISTORY)
  const { language, start } = exercise
  return (
    <>
      <EditorToolbar
        {...{ code, history }}
        onUndo={() => ref.current?.undo()}
        onRedo={() => ref.current?.redo()}
        onReset={() => exercises.reset(key)}
        onBringBack={() => exercises.bringBack(key)}
      />
      <LazyCodeEditor
        {...{ ref, language, start, label, problems, onChange, onRun }}
        value={code.text}
        litLine={lit?.line ?? null}
        litTone={lit?.kind === 'host-wait' ? 'wait' : 'host'}
        onHistory={setHistory}
      />
    </>
  )
}

interface CameToProps extends Pick<ExerciseScreenProps, 'lesson'> {
  readonly exercise: OpenExercise
  readonly result: ExerciseResult | null
  readonly isRunning: boolean
  readonly isModelled: boolean
  /** The line of the mistake that the grade tells. */
  readonly mistakeAt: number | null
  readonly showsReference: boolean
  readonly onBack: () => void
  readonly onLine: (name: string, bar: ExcerptBar | null) => void
}

/** Result of the program: the verdict, its figure and picture, and what must hold. */
const CameTo = (props: CameToProps) => {
  const { lesson, exercise, isModelled, mistakeAt, showsReference, onBack, onLine } = props
  const { rung, rungs, words, figure } = exercise
  const result = props.isRunning ? null : props.result
  const graded = result?.graded ?? null
  const last = props.result?.graded ?? null
  const isDone = graded !== null && graded.passed !== false
  const next =
    rung < rungs
      ? { href: rungAddress(lesson.id, rung + 1), words: `Go on to exercise ${String(rung + 1)}` }
      : { href: addressOf(lessonRoute(lesson.id, 'change')), words: 'Go on: change one thing' }
  return (
    <>
      {result && <Gain figure={figure} result={result} />}
      {graded?.passed === false && (
        <div className="button-row no-print">
          <Button
            label={mistakeAt === null ? 'Back to the program' : `Back to line ${String(mistakeAt)}`}
            onClick={onBack}
          />
          <OnToChange lesson={lesson} />
        </div>
      )}
      {isDone && (
        <p className="no-print">
          <a className="button button-main" href={next.href}>
            {next.words}
          </a>
        </p>
      )}
      {result && <ExerciseStrips {...{ result, figure, showsReference, onLine }} plan={lesson.excerpt} />}
      <h3 className="small quiet">
        What must hold
        {isModelled && graded && ', and what the model says of it'}
      </h3>
      <CheckList
        must={words.must}
        checks={graded?.checks ?? null}
        told={(graded && firstMissing(graded.checks)?.id) ?? null}
      />
      {exercise.scope && <NameList scope={exercise.scope} />}
      <Printed graded={last} />
      {last?.passed !== true && <Hints hints={words.hints} />}
    </>
  )
}

const Printed = ({ graded }: { readonly graded: Graded | null }) => {
  const { log = [], stop = null } = graded?.evidence.yours ?? {}
  const printed = stop?.browserText === undefined ? log : [...log, stop.browserText]
  return printed.length === 0 ? null : (
    <details className="mend-log">
      <summary>{stop?.browserText === undefined ? 'console.log' : 'The browser’s own words'}</summary>
      <pre>{printed.join('\n')}</pre>
    </details>
  )
}

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

export const ExerciseScreen = ({ lesson, state }: ExerciseScreenProps) => {
  const opened = useExercise(lesson.id)
  const { askedRung, key, exercise, passed, code, state: grading, result, isRunning, run } = opened
  const editor = useRef<EditorHandle>(null)
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
          <Button look="link" label="Show the lab’s own mend" onClick={() => setWantsReference(true)} />
        </p>
      )}
      <div className="button-row no-print">
        <OnToChange lesson={lesson} />
        <a href={addressOf(lessonRoute(lesson.id, 'why'))}>Why it is so</a>
      </div>
    </section>
  )
}
