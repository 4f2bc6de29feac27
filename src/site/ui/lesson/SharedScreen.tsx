/**
 * A result that someone sent, in the lesson's See screen: the sender's number and verdict, as they came in the address beside the settings.
 * It has a place of its own: the visitor's runs, prediction and progress stay as they are.
 */
import { useMemo } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { readResult, type SharedResult } from '../../state/result-link'
import { addressOf, lessonRoute } from '../../state/url'
import { formatDate } from '../format'
import { useLab } from '../lab-context'
import { settingsRoute } from '../run/links'
import { queryFromValues } from '../run/param-query'
import { Headline } from './Headline'
import { changedFrom, VerdictLine } from './SeeResult'
import type { LessonRun } from './use-lesson-run'

interface SharedProps {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
  readonly result: SharedResult
  /** FIRST_RUN, or the step that it is of. */
  readonly step: string
}

/** Whose it is, and the way to one's own. */
const Note = ({ lesson, state, result, step }: SharedProps) => {
  const { route } = useLab()
  const { meta, recordedOnly, values } = state
  const heading = lesson.steps.find(({ id }) => id === step)?.heading
  const asked = values && step === FIRST_RUN ? queryFromValues(meta, lesson.values, values) : {}
  const start = () => {
    if (!values) return
    const run = { experiment: meta.id, params: values }
    const to = settingsRoute({ page: 'lesson', lesson: lesson.id, step }, run)
    state.start(step, values)
    if (to) route.go(to)
  }
  return (
    <aside className="notice shared-note stack" aria-label="A shared run" data-testid="shared-note">
      <p>
        <strong>Shared with you, measured on {result.adapterName}</strong>, {formatDate(result.startedAt)}.
        {heading !== undefined && ` It is the run of the step ‘${heading}’.`} Nothing was measured on your
        machine.
      </p>
      <div className="button-row no-print">
        {recordedOnly || !values ? (
          <a className="button" href={addressOf(lessonRoute(lesson.id, 'predict'))}>
            To the lesson
          </a>
        ) : (
          <>
            <button id="run-key" type="button" className="button button-main" onClick={start}>
              Run it on your machine
            </button>
            <a className="button button-plain" href={addressOf(lessonRoute(lesson.id, 'predict', '', asked))}>
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
    </aside>
  )
}

/** The question that the sender's device could answer: the figure says which. */
const askedFor = (
  { withoutTimestamps, ...asked }: ExperimentLesson['prediction'],
  metric: string | undefined,
) => (withoutTimestamps && metric === withoutTimestamps.metric.name ? withoutTimestamps : asked)

const Shared = (props: SharedProps) => {
  const { lesson, state, result } = props
  const { outcome, text, metric, adapterName, startedAt } = result
  const report = {
    metrics: metric ? [metric] : [],
    verdict: { outcome, text, reason: '' },
    validity: { valid: outcome !== 'invalid', reasons: [] },
    startedAt,
    environment: { adapterName },
  }
  return (
    <div className="see stack-12" data-testid="shared">
      <Note {...props} />
      <Headline
        asked={askedFor(lesson.prediction, metric?.name)}
        prediction={null}
        origin="imported"
        report={report}
        changed={changedFrom(lesson, state.meta, state.values ?? {})}
      />
      <VerdictLine verdict={report.verdict} origin="imported" />
    </div>
  )
}

export const SharedScreen = ({
  text,
  ...props
}: Omit<SharedProps, 'result'> & {
  /** The result as the address holds it. */
  readonly text: string
}) => {
  const read = useMemo(() => readResult(text), [text])
  if (read.ok) return <Shared {...props} result={read.value} />
  return (
    <section className="see-empty stack-12">
      <p className="notice notice-warn" role="alert">
        {read.error}
      </p>
      <div className="button-row">
        <a className="button button-main" href={addressOf(lessonRoute(props.lesson.id, 'predict'))}>
          To the question
        </a>
      </div>
    </section>
  )
}
