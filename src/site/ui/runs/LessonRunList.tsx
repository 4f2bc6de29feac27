/** The last run of each lesson, which is kept by itself: what it came to, and the way back to it. */
import { useCallback } from 'react'
import { lessonIndex } from 'virtual:lesson-index'
import { loadLesson } from '../../../lessons/load'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN, runKey, type LessonRuns, type ReportedRun } from '../../state/lesson-runs'
import { addressOf, lessonRoute } from '../../state/url'
import { findMetric } from '../../../trace/report'
import { formatCount, formatMetric } from '../format'
import { useLab } from '../lab-context'
import { useLoaded } from '../use-loaded'
import { askedOf } from '../lesson/asked'
import { whereMeasured } from '../run-words'

interface OfLesson {
  readonly lesson: ExperimentLesson
  /** Null where only steps were run. */
  readonly first: ReportedRun | null
  /** Ids of those that were run. */
  readonly steps: readonly string[]
}

async function runsOf(id: string, runs: LessonRuns): Promise<OfLesson | null> {
  const reports = await runs.reports(id)
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'experiment') return null
  const first = reports.get(runKey(id, FIRST_RUN)) ?? null
  const steps = lesson.steps.map((step) => step.id).filter((step) => reports.has(runKey(id, step)))
  return first || steps.length > 0 ? { lesson, first, steps } : null
}

/** One lesson after the other, so that the page answers meanwhile. */
async function readAll(runs: LessonRuns, signal: AbortSignal): Promise<readonly OfLesson[]> {
  const all: OfLesson[] = []
  for (const { id } of lessonIndex) {
    if (signal.aborted) break
    const one = await runsOf(id, runs)
    if (one) all.push(one)
  }
  return all
}

function headlineOf({ prediction }: ExperimentLesson, { report }: ReportedRun): string | null {
  if (!report) return null
  const { metric } = askedOf(prediction, report.environment)
  const measured = findMetric(report.metrics, metric.name, metric.variant)
  return measured?.value == null ? null : formatMetric(measured)
}

const Row = ({ lesson, first, steps }: OfLesson) => {
  const [step = ''] = steps
  const headline = first && headlineOf(lesson, first)
  return (
    <li className="kept-row stack panel">
      <div>
        <h3>{lesson.question}</h3>
        <p className="kept-facts cluster tabular small quiet">
          <span>Lesson {lesson.number}</span>
          {headline !== null && <span>{headline}</span>}
          {first?.report && <span>{whereMeasured(first.report, first.origin)}</span>}
          {steps.length > 0 && <span>{formatCount(steps.length, 'step')}</span>}
        </p>
      </div>
      <a
        className="button button-small no-print"
        aria-label={`Open: ${lesson.question}`}
        href={addressOf(lessonRoute(lesson.id, first ? 'see' : 'change', first ? '' : step))}
      >
        Open
      </a>
    </li>
  )
}

export const LessonRunList = () => {
  const { lessonRuns } = useLab()
  const { value: found } = useLoaded(
    useCallback((signal: AbortSignal) => readAll(lessonRuns, signal), [lessonRuns]),
  )
  if (!found || found.length === 0) return null
  return (
    <section aria-labelledby="lesson-runs" className="stack-8" data-testid="lesson-runs">
      <h2 id="lesson-runs">Of lessons</h2>
      <p className="small quiet">The last run of each is kept by itself until you run it again.</p>
      <ul className="stack-4">
        {found.map((each) => (
          <Row key={each.lesson.id} {...each} />
        ))}
      </ul>
    </section>
  )
}
