/** The runs kept in this browser: open, rename, save, delete and bring back; and a door for files from elsewhere. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Fault } from '../../../base/fault'
import type { Result } from '../../../base/result'
import { inBackground } from '../../state/in-background'
import type { ImportAnswer } from '../../state/kept-runs-store'
import { addressOf, lessonRoute } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { formatCount, formatMetric } from '../format'
import { useLab } from '../lab-context'
import { FileButton, ImportBar, useDroppedFiles } from '../import/FileButton'
import { useStore } from '../use-store'
import { useTitle } from '../use-title'
import { KeptRow } from './KeptRow'
import { lessonIndex } from 'virtual:lesson-index'
import { loadLesson } from '../../../lessons/load'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN, type LessonRuns, type ReportedRun, runKey } from '../../state/lesson-runs'
import { findMetric } from '../../../trace/report'
import { useLoaded } from '../use-loaded'
import { askedOf } from '../lesson/asked'
import { whereMeasured } from '../run-words'
import { Button } from '../Button'
import '../run/run.css'
import '../run/share.css'
import './runs.css'

/** The last run of each lesson, which is kept by itself: what it came to, and the way back to it. */
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

const LessonRunList = () => {
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

const Answers = ({ answers }: { readonly answers: readonly ImportAnswer[] }) => {
  const kept = answers.filter(({ result }) => result.ok).length
  return (
    <div role="status" data-testid="import-answers">
      {answers.length > 0 && (
        <p className="small">
          {formatCount(kept, 'file')} of {String(answers.length)} kept.
        </p>
      )}
      {answers.map(({ file, result }, index) =>
        result.ok ? null : (
          <p key={`${String(index)} ${file}`} className="small warn">
            <strong>{file}</strong>: {result.error.message}
          </p>
        ),
      )}
    </div>
  )
}

export const RunsPage = () => {
  const { kept } = useLab()
  const { entries, deleted, phase, fault: unavailable, importing } = useStore(kept.store)
  const [fault, setFault] = useState<Fault | null>(null)
  const [answers, setAnswers] = useState<readonly ImportAnswer[]>([])
  /** Its way back takes the focus: the button that was pressed is gone. */
  const [justDeleted, setJustDeleted] = useState<string | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useTitle('Your runs')
  useEffect(() => {
    inBackground(kept.refresh())
  }, [kept])

  const tell = (work: Promise<Result<unknown>>) =>
    inBackground(work.then((answer) => setFault(answer.ok ? null : answer.error)))
  const take = useCallback(
    (files: readonly File[]) => {
      if (files.length > 0) inBackground(kept.importFiles(files).then(setAnswers))
    },
    [kept],
  )
  const isOver = useDroppedFiles(take)

  return (
    <section className="page runs top stack-24" data-over={isOver || undefined} aria-labelledby="runs-title">
      <header className="page-head stack-12">
        <h1 id="runs-title" ref={title} tabIndex={-1}>
          Your runs
        </h1>
        <p className="lead">
          Runs that you kept lie in this browser, on this machine, and nowhere else. A browser may clear what
          pages keep: save the ones that matter as files.
        </p>
      </header>
      {unavailable && <FaultNotice fault={unavailable} />}
      {fault && !unavailable && <FaultNotice fault={fault} />}
      <div className="cluster-8-16 no-print">
        <FileButton label="Import runs" look="small" multiple onFiles={take} />
        <span className="small quiet">
          one or several files, of the lab or of other profilers; or drop them on this page
        </span>
      </div>
      {importing && <ImportBar file={importing} doing="Importing" onCancel={kept.cancelImport} />}
      <Answers answers={answers} />
      {phase === 'ready' && entries.length === 0 && (
        <p>
          None is kept under a name yet. After a run, in a <a href={addressOf({ page: 'home' })}>lesson</a> or
          an <a href={addressOf({ page: 'experiments' })}>experiment</a>, press <strong>Keep</strong>: you
          will find it here.
        </p>
      )}
      {entries.length > 0 && (
        <ul className="stack-4" aria-label="Kept runs">
          {entries.map((entry) => (
            <KeptRow key={entry.key} entry={entry} tell={tell} onDelete={setJustDeleted} />
          ))}
        </ul>
      )}
      {/* Always there, so that what changes in it is announced. */}
      <div role="status" className="runs-deleted stack-8" data-testid="deleted">
        {deleted.length > 0 && (
          <>
            <h2 className="size-3">Deleted</h2>
            <p className="small quiet">
              Kept for a day, unless the room is needed sooner.{' '}
              <Button
                look="link"
                label="Clear them away for good"
                onClick={() => tell(kept.clearDeleted())}
              />
            </p>
            <ul className="stack-4">
              {deleted.map(({ key, run }) => (
                <li key={key} className="cluster-8-16">
                  {run?.name ?? 'an entry that could not be read'}{' '}
                  <Button
                    look="small"
                    label="Undo"
                    aria-label={`Undo: bring back ${run?.name ?? 'the entry that could not be read'}`}
                    // oxlint-disable-next-line jsx-a11y/no-autofocus
                    autoFocus={key === justDeleted}
                    onClick={() => {
                      title.current?.focus()
                      tell(kept.restore(key))
                    }}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <LessonRunList />
    </section>
  )
}
