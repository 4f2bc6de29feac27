/** What of an assignment is done, and what is handed in: from the progress and the last runs that this browser keeps. Pure. */
import type { ExperimentMeta, ParamValues } from '../../experiments/experiment'
import type { Asked, ExperimentLesson, Lesson, ProfilesLesson } from '../../lessons/lesson'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import type { LessonProgress } from '../../state/lesson-store'
import type { RunState } from '../../state/run-store'
import { lessonRoute, type Route } from '../../state/url'
import { adapterClass } from '../../teaching/adapter-class'
import { assignmentNumber, type Assignment } from '../../teaching/assignment'
import type { Completion, Mended } from '../../teaching/completion-code'
import { findMetric, type Report } from '../../trace/report'
import { askedOf } from '../lesson/asked'
import { inSliderUnit } from '../lesson/compare-prediction'
import { differences } from '../run/param-query'

export interface Item {
  readonly id: string
  readonly label: string
  readonly isDone: boolean
  /** Why not yet, or how; '' for nothing to say. */
  readonly note: string
  /** Where it is done. */
  readonly route: Route
}

type Runs = Readonly<Record<string, RunState>>
type ValidReport = Pick<Report, 'validity' | 'verification'>

const counts = ({ validity, verification }: ValidReport): boolean =>
  validity.valid && verification.failed === 0

/** Why a run is not the one that is asked for; '' where it is. A recording has the settings that it has. */
function whyNot(
  run: RunState | undefined,
  meta: ExperimentMeta,
  wanted: ParamValues,
  { isLocked }: Assignment,
): string {
  const report = run?.report
  if (!report) return 'Not run yet.'
  if (!counts(report)) return `The last run does not count: ${report.validity.reasons.join(' ')}`.trim()
  if (run.origin === 'recorded' || !isLocked) return ''
  const others = differences(meta, run.params, wanted)
  const labels = meta.params
    .filter(({ name }) => others.includes(name))
    .map(({ label }) => label.toLowerCase())
  return labels.length === 0 ? '' : `The last run had another ${labels.join(', ')} than your teacher set.`
}

const RECORDED = 'A recording was played: this browser gives no GPU to the page.'

function ofExperiment(
  assignment: Assignment,
  lesson: ExperimentLesson,
  meta: ExperimentMeta,
  runs: Runs,
): readonly Item[] {
  const own = { ...lesson.values, ...assignment.values }
  const item = (step: string, label: string, wanted: ParamValues, route: Route): Item => {
    const run = runs[runKey(lesson.id, step)]
    const why = whyNot(run, meta, wanted, assignment)
    const note = why === '' && run?.origin === 'recorded' ? RECORDED : why
    return { id: step, label, isDone: why === '', note, route }
  }
  return [
    item(FIRST_RUN, 'Run it, and see what was measured', own, lessonRoute(lesson.id, 'see')),
    ...lesson.steps
      .filter(({ id }) => assignment.steps.includes(id))
      .map(({ id, heading, action }) =>
        item(id, heading, { ...own, ...action?.values }, lessonRoute(lesson.id, 'change', id)),
      ),
  ]
}

const mendNotes: Readonly<Record<Mended, string>> = {
  none: 'Not graded yet.',
  failed: 'The last program that was graded is not mended yet.',
  mended: '',
  untold: 'One check could not be told on this machine. It counts as done, with that note.',
}

const mendedOf = ({ mend }: LessonProgress): Mended =>
  !mend ? 'none' : mend.passed === null ? 'untold' : mend.passed ? 'mended' : 'failed'

function ofProfiles(
  assignment: Assignment,
  lesson: ProfilesLesson,
  progress: LessonProgress,
): readonly Item[] {
  const isSeen = progress.outcome !== null
  const found = lesson.profiles.filter(({ recording }) => progress.finds?.[recording]?.found === true).length
  const all = lesson.profiles.length
  return [
    {
      id: FIRST_RUN,
      label: 'See what the profile shows',
      isDone: isSeen,
      note: isSeen ? '' : 'Not opened yet.',
      route: lessonRoute(lesson.id, 'see'),
    },
    ...(assignment.mend
      ? [
          {
            id: 'find',
            label: `Find the line at fault in ${String(all)} profiles`,
            isDone: found === all,
            note: found === all ? '' : `${String(found)} of ${String(all)} found.`,
            route: lessonRoute(lesson.id, 'find'),
          },
        ]
      : []),
  ]
}

/** @param meta null for a lesson of profiles */
export function itemsOf(
  assignment: Assignment,
  lesson: Lesson,
  meta: ExperimentMeta | null,
  progress: LessonProgress,
  runs: Runs,
): readonly Item[] {
  const { prediction } = progress
  const mended = mendedOf(progress)
  return [
    {
      id: 'predict',
      label: 'Predict, before you run',
      isDone: prediction?.kind === 'made',
      note: prediction === null ? '' : prediction.kind === 'skipped' ? 'You skipped it.' : '',
      route: lessonRoute(lesson.id, 'predict'),
    },
    ...(lesson.kind === 'profiles'
      ? ofProfiles(assignment, lesson, progress)
      : meta
        ? ofExperiment(assignment, lesson, meta, runs)
        : []),
    ...(assignment.mend && lesson.kind === 'experiment'
      ? [
          {
            id: 'mend',
            label: 'Mend the program',
            isDone: mended === 'mended' || mended === 'untold',
            note: mendNotes[mended],
            route: lessonRoute(lesson.id, 'mend'),
          },
        ]
      : []),
  ]
}

const inUnit = ({ prediction }: LessonProgress, unit: string, own: string): Completion['predicted'] => {
  if (prediction?.kind !== 'made') return prediction ? 'skipped' : null
  // What was predicted in another unit answered another question.
  return (prediction.unit ?? own) === unit ? prediction.value : null
}

type Handed = Pick<Completion, 'predicted' | 'measured' | 'unit' | 'outcome' | 'adapter'>

function handedOf(lesson: ExperimentLesson, progress: LessonProgress, run: RunState | undefined): Handed {
  const report = run?.report
  const asked: Asked = askedOf(lesson.prediction, report?.environment ?? null)
  const { unit } = asked
  const predicted = inUnit(progress, unit, lesson.prediction.unit)
  if (!report || run.origin === 'imported')
    return { predicted, measured: null, unit, outcome: 'none', adapter: 'unknown' }
  return {
    predicted,
    measured: inSliderUnit(findMetric(report.metrics, asked.metric.name, asked.metric.variant), asked),
    unit,
    outcome: counts(report) ? report.verdict.outcome : 'invalid',
    adapter: run.origin === 'recorded' ? 'recorded' : adapterClass(report.environment),
  }
}

function handedOfProfiles({ prediction: { unit } }: ProfilesLesson, progress: LessonProgress): Handed {
  const { outcome } = progress
  return {
    predicted: inUnit(progress, unit, unit),
    measured: outcome && { value: outcome.value, low: outcome.value, high: outcome.value },
    unit,
    outcome: outcome ? 'shown' : 'none',
    adapter: outcome ? 'recorded' : 'unknown',
  }
}

/** @param day 'YYYY-MM-DD' */
export function completionOf(
  assignment: Assignment,
  lesson: Lesson,
  items: readonly Item[],
  progress: LessonProgress,
  runs: Runs,
  { day, name }: Pick<Completion, 'day' | 'name'>,
): Completion {
  return {
    lesson: lesson.id,
    assignment: assignmentNumber(assignment),
    ...(lesson.kind === 'experiment'
      ? handedOf(lesson, progress, runs[runKey(lesson.id, FIRST_RUN)])
      : handedOfProfiles(lesson, progress)),
    mended: mendedOf(progress),
    done: items.filter(({ isDone }) => isDone).length,
    asked: items.length,
    day,
    name,
  }
}

/** 'YYYY-MM-DD' where the learner is. */
export const localDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0'))
    .join('-')
