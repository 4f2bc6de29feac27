/** A lesson: prose on the left, step by step; the instrument on the right. Words and instrument meet in the steps' keys. */
import { lazy, Suspense, useMemo, useState } from 'react'
import { findExperiment } from '../../experiments/catalog'
import { explain } from '../../experiments/declare'
import { formatParam, type ParamValues } from '../../experiments/experiment'
import { findLesson, lessons as allLessons } from '../../lessons/catalog'
import { wordsFor } from '../../lessons/condition'
import type { CudaSide as CudaWords, Lesson, LessonStep } from '../../lessons/lesson'
import { isUnderWay } from '../../state/run-store'
import { formatHash, type Query } from '../../state/url'
import { NotFoundPage } from '../NotFoundPage'
import { FactsContext, Inline, Prose } from '../prose/Prose'
import { createQuote } from '../quote'
import { ParamControls } from '../run/ParamControls'
import { differences } from '../run/param-query'
import { useLab } from '../lab-context'
import { useTitle } from '../use-title'
import { Instrument } from './Instrument'
import { Quiz } from './Quiz'
import { useLessonRun, type LessonRun } from './use-lesson-run'
import './lesson.css'

const CudaSide = lazy(async () => ({ default: (await import('./CudaSide')).CudaSide }))

/** On a narrow page the instrument is above or below: bring it into sight when something runs in it. */
function showInstrument(): void {
  const instrument = document.getElementById('instrument')
  if (!instrument || instrument.getBoundingClientRect().top >= 0) return
  const isBeside = window.matchMedia('(min-width: 1100px)').matches
  if (!isBeside) instrument.scrollIntoView({ behavior: 'smooth', block: 'start' })
  else instrument.scrollTo({ top: 0, behavior: 'smooth' })
}

const Step = ({
  step,
  number,
  state,
  lessonValues,
}: {
  readonly step: LessonStep
  readonly lessonValues: ParamValues
  readonly number: number
  readonly state: LessonRun
}) => {
  const { action } = step
  const { run, blocked, recordedOnly, meta } = state
  const busy = run !== null && isUnderWay(run.phase)
  const dial = meta.params.find(({ name }) => name === action?.dial)
  const laid = action ? state.layOver(action.values) : null
  // Without a device only the run with the lesson's own values can be seen: that is the one that was recorded.
  const isRecorded = laid !== null && differences(meta, laid, lessonValues).length === 0
  const why =
    recordedOnly && !isRecorded
      ? 'This needs a device of your own; the recording holds the lesson’s first run only.'
      : blocked
  // Of a run with this step's own values: the run of another step shows something else.
  const facts = state.factsFor(laid)
  const lookFor = wordsFor(step.lookFor ?? [], facts)
  return (
    <li className="step" id={`step-${step.id}`}>
      <h3>
        <span className="step-number">{number}</span>
        {step.heading}
      </h3>
      <Prose text={step.text} />
      {action && (
        <div className="step-action no-print">
          {dial && state.values && !recordedOnly && (
            <ParamControls params={[dial]} values={state.values} onChange={state.setValue} />
          )}
          <div className="button-row">
            <button
              type="button"
              className="button"
              aria-disabled={why !== null || busy}
              {...(why === null ? {} : { title: why })}
              onClick={() => {
                if (why !== null || busy || !laid) return
                if (recordedOnly) {
                  state.playRecording()
                } else {
                  state.show(laid)
                  if (action.run) state.start(laid)
                }
                showInstrument()
              }}
            >
              {recordedOnly && isRecorded ? 'Play the recording' : action.label}
            </button>
            {why !== null && <span className="small quiet">{why}</span>}
          </div>
        </div>
      )}
      {lookFor.length > 0 && (
        <div className="look-for">
          <h4>Look for</h4>
          <Prose text={lookFor} />
        </div>
      )}
    </li>
  )
}

const Explanation = ({ state }: { readonly state: LessonRun }) => {
  const { run, meta } = state
  const report = run?.phase === 'done' ? run.report : null
  const origin = run?.origin ?? 'live'
  const text = useMemo(
    () => (report ? explain(meta, createQuote(report, origin)) : null),
    [report, origin, meta],
  )
  return (
    <section aria-labelledby="explanation" className="lesson-section" data-testid="explanation">
      <h2 id="explanation">What happened</h2>
      {text ? (
        <Prose text={text} />
      ) : (
        <p className="quiet">
          This part quotes your own run. It is written once there is one
          {state.recordedOnly ? '; the recording will do' : ''}.
        </p>
      )}
    </section>
  )
}

const Cuda = ({ words, state }: { readonly words: CudaWords; readonly state: LessonRun }) => {
  const [open, setOpen] = useState(false)
  const { run } = state
  const report = run?.phase === 'done' ? run.report : null
  const origin = run?.origin ?? 'live'
  const own = useMemo(() => (report ? createQuote(report, origin) : null), [report, origin])
  return (
    <section aria-labelledby="cuda" className="lesson-section">
      <h2 id="cuda">The same in PyTorch on CUDA</h2>
      <Prose text={words.intro} />
      {open ? (
        <Suspense fallback={<p className="quiet">Loading the recordings.</p>}>
          <CudaSide words={words} own={own} />
        </Suspense>
      ) : (
        <div className="button-row no-print">
          <button
            type="button"
            className="button"
            onClick={() => {
              setOpen(true)
            }}
          >
            Open the recorded profiles
          </button>
        </div>
      )}
    </section>
  )
}

const TryNext = ({ lesson, state }: { readonly lesson: Lesson; readonly state: LessonRun }) => (
  <section aria-labelledby="try-next" className="lesson-section">
    <h2 id="try-next">What to try next</h2>
    <ul className="try-next">
      {lesson.tryNext.map(({ label, values, why }) => (
        <li key={label}>
          <a
            href={formatHash({
              page: 'lesson',
              id: lesson.id,
              query: Object.fromEntries(
                Object.entries(values).map(([name, value]) => [name, formatParam(value)]),
              ),
            })}
            onClick={(event) => {
              const laid = state.layOver(values)
              if (!laid || state.blocked !== null || state.recordedOnly || event.metaKey || event.ctrlKey)
                return
              // Pressed here it runs at once; opened elsewhere the link waits for Run.
              event.preventDefault()
              state.show(laid)
              state.start(laid)
              showInstrument()
            }}
          >
            {label}
          </a>
          <p>
            <Inline text={why} />
          </p>
        </li>
      ))}
    </ul>
  </section>
)

const NextLesson = ({ lesson }: { readonly lesson: Lesson }) => {
  const next = allLessons[allLessons.indexOf(lesson) + 1]
  return (
    <nav className="next-lesson" aria-label="Next">
      {next ? (
        <a href={formatHash({ page: 'lesson', id: next.id, query: {} })}>
          <span className="small quiet">Next: lesson {next.number}</span>
          <strong>{next.title}</strong>
          <span>{next.question}</span>
        </a>
      ) : (
        <a href={formatHash({ page: 'run', id: null, query: {} })}>
          <span className="small quiet">That was the last lesson</span>
          <strong>The bench</strong>
          <span>Every experiment with all its controls.</span>
        </a>
      )}
    </nav>
  )
}

const LessonBody = ({ lesson, query }: { readonly lesson: Lesson; readonly query: Query }) => {
  const { lessons } = useLab()
  const state = useLessonRun(lesson, query)
  useTitle(lesson.title)
  const facts = state.factsFor()
  return (
    <FactsContext value={facts}>
      <article className="page lesson">
        <header className="lesson-head">
          <p className="small quiet">
            Lesson {lesson.number} · about {lesson.minutes} minutes
          </p>
          <h1>{lesson.question}</h1>
          {/* Where the instrument is under the words, what to press is a screen away. */}
          <div className="lesson-jump no-print">
            <button
              type="button"
              className="button"
              onClick={() => {
                document.getElementById('instrument')?.scrollIntoView({ block: 'start' })
              }}
            >
              Predict and run
            </button>
          </div>
          <Prose text={lesson.intro} />
        </header>
        <Instrument lesson={lesson} state={state} />
        <div className="lesson-rest">
          <section aria-labelledby="steps" className="lesson-section">
            <h2 id="steps">Step by step</h2>
            <ol className="steps">
              {lesson.steps.map((step, index) => (
                <Step
                  key={step.id}
                  step={step}
                  number={index + 1}
                  state={state}
                  lessonValues={lesson.values}
                />
              ))}
            </ol>
          </section>
          <Explanation state={state} />
          <section aria-labelledby="carries-over" className="lesson-section">
            <h2 id="carries-over">What carries over to CUDA and PyTorch</h2>
            <Prose text={lesson.carriesOver} />
          </section>
          {lesson.cuda && <Cuda words={lesson.cuda} state={state} />}
          <section aria-labelledby="cannot" className="lesson-section lesson-cannot">
            <h2 id="cannot">What WebGPU cannot do here</h2>
            <Prose text={lesson.cannot} />
          </section>
          <section aria-labelledby="why" className="lesson-section">
            <h2 id="why">Why?</h2>
            <Quiz
              items={lesson.quiz}
              answers={state.progress.answers}
              onAnswer={(item, option) => {
                lessons.answer(lesson.id, item, option)
              }}
            />
          </section>
          <TryNext lesson={lesson} state={state} />
          <section aria-labelledby="sources" className="lesson-section">
            <h2 id="sources">Sources</h2>
            <ul className="sources small">
              {lesson.sources.map(({ label, url }) => (
                <li key={url}>
                  <a href={url} rel="noreferrer" target="_blank">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </section>
          <NextLesson lesson={lesson} />
        </div>
      </article>
    </FactsContext>
  )
}

export const LessonPage = ({ id, query }: { readonly id: string; readonly query: Query }) => {
  const lesson = findLesson(id)
  if (!lesson || !findExperiment(lesson.experiment))
    return <NotFoundPage what={`There is no lesson ‘${id}’.`} />
  return <LessonBody lesson={lesson} query={query} />
}
