/** What may be taken along of a lesson's run: a picture of its result before all else. */
import type { ExperimentLesson, ExcerptPlan } from '../../../lessons/lesson'
import type { RunState } from '../../state/run-store'
import { excerptOf } from '../../../strips/of-run'
import { findMetric } from '../../../trace/report'
import { dateOf } from '../run-words'
import { formatNumber, metricText, withUnit } from '../format'
import { pictureItems } from '../run/SharePopover'
import { changedFrom } from '../run/param-query'
import { ShareMenu } from '../run/ShareMenu'
import { shareAddress, sharePng, type ShareWords } from '../strips/share-png'
import { shortFigure } from './Scale'
import type { LessonRun } from './use-lesson-run'

const MEASURED: Readonly<Record<RunState['origin'], string>> = {
  live: 'I measured',
  recorded: 'recorded',
  imported: 'measured by someone else',
}

export interface LessonShareProps {
  readonly lesson: ExperimentLesson
  readonly state: Pick<LessonRun, 'meta' | 'asked' | 'progress'>
  readonly plan: ExcerptPlan
  /** FIRST_RUN, or of which step the run is. */
  readonly step: string
  readonly run: RunState
}

/** Null: the run has no such figure. */
function shareWords({ lesson, state, run }: LessonShareProps): ShareWords | null {
  const { report, origin, params } = run
  const { asked, progress, meta } = state
  const metric = report && findMetric(report.metrics, asked.metric.name, asked.metric.variant)
  const text = metric && metricText(metric)
  if (!report || !text) return null
  const changed = changedFrom(lesson, meta, params)
  const { prediction } = progress
  const figure = shortFigure(text.figure, asked)
  return {
    question: lesson.question,
    numbers: [
      // Of another program nothing was predicted.
      ...(prediction?.kind === 'made' && changed.length === 0
        ? [{ label: 'I said', value: withUnit(formatNumber(prediction.value), asked.unit) }]
        : []),
      { label: MEASURED[origin], value: text.unit === '' ? figure : `${figure} ${text.unit}` },
    ],
    about: [
      asked.result,
      ...(changed.length > 0 ? [`It differs from the lesson’s run in: ${changed.join(', ')}.`] : []),
    ].join(' '),
    origin: [report.environment.adapterName, dateOf(report)].join(' · '),
    address: shareAddress(lesson.id),
  }
}

export const LessonShare = (props: LessonShareProps) => {
  const { lesson, plan, step, run } = props
  const words = shareWords(props)
  const picture = (said: ShareWords) => () => sharePng(said, excerptOf(run, plan))
  return (
    <ShareMenu
      run={run}
      place={{ page: 'lesson', lesson: lesson.id, step }}
      timeline={null}
      first={
        words ? [{ heading: 'Picture', items: pictureItems(`${lesson.id}-result`, picture(words)) }] : []
      }
      canKeep
    />
  )
}
