/**
 * A lesson's run, live or played from its recording, and what is kept of it: for the lesson's page,
 * and for the home page, which starts the first.
 */
import { recordings } from 'virtual:recordings'
import type { Meta } from '../../../experiments/catalog'
import type { ParamValues } from '../../../experiments/experiment'
import type { Asked, ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'
import { findMetric } from '../../../trace/report'
import type { AppContext } from '../lab-context'
import { loadRecording } from '../run/load-recording'
import { differences } from '../run/param-query'

export interface LessonWork {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  /** The question that this device can answer. */
  readonly asked: Asked
}

/** @param step FIRST_RUN for the lesson's own run */
export const ownerOf = (lesson: string, step: string): string => `lessons/${runKey(lesson, step)}`

function adopt(
  { lessonRuns, lessons }: Pick<AppContext, 'lessonRuns' | 'lessons'>,
  { lesson, meta, asked }: LessonWork,
  at: string,
  run: RunState,
): void {
  lessonRuns.keep(lesson.id, at, run)
  const { report } = run
  if (!report?.validity.valid || differences(meta, run.params, lesson.values).length > 0) return
  const { name, variant } = asked.metric
  if (findMetric(report.metrics, name, variant)?.value != null) lessons.recordOutcome(lesson.id, asked.unit)
}

/** Until the run has ended, however it ends. The run that is kept of it; null where none is. */
export async function runLesson(
  lab: Pick<AppContext, 'run' | 'device' | 'lessonRuns' | 'lessons'>,
  work: LessonWork,
  at: string,
  params: ParamValues,
): Promise<RunState | null> {
  const owner = ownerOf(work.lesson.id, at)
  const ending = await lab.run.start({ owner, experiment: work.meta.id, params })
  if (ending.status !== 'done') return null
  lab.device.adopt(ending.report.environment)
  const ended = lab.run.store.getState()
  if (ended.owner !== owner) return null
  adopt(lab, work, at, ended)
  return ended
}

const recordingFile = ({ id, recording }: ExperimentLesson, at: string): string =>
  at === FIRST_RUN ? recording : `${id}/${at}.hdl.gz`

/** What was added is recorded on a GPU later. */
export const isRecorded = (lesson: ExperimentLesson, at: string): boolean =>
  recordings.includes(recordingFile(lesson, at))

/** The same of its recording: null where it cannot be had, which the run store says. */
export async function playLesson(
  lab: Pick<AppContext, 'run' | 'files' | 'lessonRuns' | 'lessons'>,
  work: LessonWork,
  at: string,
): Promise<RunState | null> {
  const { lesson } = work
  const ended = await lab.run.play(ownerOf(lesson.id, at), () =>
    loadRecording(lab.files, recordingFile(lesson, at)),
  )
  if (ended) adopt(lab, work, at, ended)
  return ended
}
