/**
 * A run that someone sent, in the lesson's See screen: the sender's number, verdict and figures, as they came in the address. It has a
 * place of its own: the visitor's runs, prediction and progress stay as they are.
 */
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ExperimentLesson } from '../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { leftOutOf } from '../../state/idle-time'
import type { RunState } from '../../state/run-store'
import { addressOf, lessonRoute } from '../../state/url'
import type { Report } from '../../trace/report'
import { FaultNotice } from '../FaultNotice'
import { formatDate } from '../format'
import { useLab } from '../lab-context'
import { ReadingContext } from '../prose/Prose'
import { settingsRoute, type SharePlace } from '../run/links'
import { MetricsTable } from '../run/MetricsTable'
import { queryFromValues, valuesFromQuery } from '../run/param-query'
import { TimelineView } from '../run/TimelineView'
import { useSharedRun } from '../run/use-shared-run'
import { askedOf } from './asked'
import { SeeResult } from './SeeResult'
import { ShareMenu } from './ShareMenu'
import type { LessonRun } from './use-lesson-run'

const Figures = lazy(async () => ({ default: (await import('../figure/Figures')).Figures }))

interface SharedProps {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
  readonly run: RunState
  readonly report: Report
  /** FIRST_RUN, or the step that it is of. */
  readonly step: string
}

/** Whose it is, and the way to one's own. */
const Note = ({ lesson, state, run, report, step }: SharedProps) => {
  const { route } = useLab()
  const { meta, recordedOnly } = state
  const values = useMemo(() => valuesFromQuery(meta, run.params, {}), [meta, run])
  const heading = lesson.steps.find(({ id }) => id === step)?.heading
  const predict = addressOf(
    lessonRoute(
      lesson.id,
      'predict',
      '',
      values.ok && step === FIRST_RUN ? queryFromValues(meta, lesson.values, values.value) : {},
    ),
  )
  const start = () => {
    if (!values.ok) return
    const place: SharePlace = { page: 'lesson', lesson: lesson.id, step }
    const to = settingsRoute(place, { experiment: meta.id, params: values.value })
    state.start(step, values.value)
    if (to) route.go(to)
  }
  return (
    <aside className="notice shared-note" aria-label="A shared run" data-testid="shared-note">
      <p>
        <strong>Shared with you, measured on {report.environment.adapterName}</strong>,{' '}
        {formatDate(report.startedAt)}.{heading !== undefined && ` It is the run of the step ‘${heading}’.`}{' '}
        Nothing was measured on your machine.
      </p>
      <div className="button-row no-print">
        {recordedOnly || !values.ok ? (
          <a className="button" href={addressOf(lessonRoute(lesson.id, 'predict'))}>
            To the lesson
          </a>
        ) : (
          <>
            <button id="run-key" type="button" className="button button-main" onClick={start}>
              Run it on yours
            </button>
            <a className="button button-plain" href={predict}>
              Predict first
            </a>
          </>
        )}
        {state.ended(step) && (
          <a
            className="button button-plain"
            href={addressOf(
              step === FIRST_RUN ? lessonRoute(lesson.id, 'see') : lessonRoute(lesson.id, 'change', step),
            )}
          >
            Your own last run
          </a>
        )}
      </div>
      {recordedOnly && (
        <p className="small quiet">
          This browser gives no GPU to the page, so these settings cannot be run here.
        </p>
      )}
      {!values.ok && <FaultNotice fault={values.error} />}
    </aside>
  )
}

const Shared = (props: SharedProps) => {
  const { lesson, state, run, report, step } = props
  const [open, setOpen] = useState(false)
  const leftOut = run.placed ? leftOutOf(run.placed.trace) : null
  const asked = useMemo(() => askedOf(lesson.prediction, report.environment), [lesson, report.environment])
  return (
    <ReadingContext value={state.readingOf(run)}>
      <div className="see" data-testid="shared">
        <Note {...props} />
        {!report.validity.valid && (
          <div className="notice notice-warn" role="alert" data-testid="invalid">
            <h2>This run does not count</h2>
            {report.validity.reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </div>
        )}
        <SeeResult {...{ lesson, asked, run, report }} meta={state.meta} prediction={null} />
        <div className="see-actions button-row no-print">
          <ShareMenu lesson={lesson} step={step} run={run} />
        </div>
        {leftOut !== null && <p className="small quiet">{leftOut}</p>}
        <details
          className="shared-all"
          onToggle={(event) => {
            setOpen(event.currentTarget.open)
          }}
        >
          <summary>All its figures, charts and the timeline</summary>
          {open && (
            <>
              <TimelineView run={run} empty="Nothing was recorded." fixed />
              <Suspense fallback={null}>
                <Figures figures={report.figures} references={state.meta.references} />
              </Suspense>
              <MetricsTable meta={state.meta} metrics={report.metrics} />
            </>
          )}
        </details>
      </div>
    </ReadingContext>
  )
}

export const SharedScreen = ({
  lesson,
  state,
  text,
  step,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
  /** The run as the address holds it. */
  readonly text: string
  readonly step: string
}) => {
  const { run, fault } = useSharedRun(text, state.meta.id)
  const report = run?.report
  if (run && report) return <Shared {...{ lesson, state, run, report, step }} />
  return (
    <section className="see-empty">
      {fault && <FaultNotice fault={fault} />}
      <p role="status">
        {run ? 'The link holds a trace without figures.' : fault ? '' : 'Reading the link.'}
      </p>
      {(run !== null || fault !== null) && (
        <div className="button-row">
          <a className="button button-main" href={addressOf(lessonRoute(lesson.id, 'predict'))}>
            To the question
          </a>
          {run && (
            <a className="button button-plain" href={addressOf({ page: 'trace', query: { d: text } })}>
              Open it as a trace
            </a>
          )}
        </div>
      )}
    </section>
  )
}
