/**
 * What a lesson page does: the values its address asks for, the prediction that Run waits for, a live run or the recorded one.
 * The address holds the values, so that any state of a lesson can be linked to.
 */
import { useCallback, useEffect, useMemo, useState } from 'react'
import { toFault, type Fault } from '../../base/fault'
import { findExperiment } from '../../experiments/catalog'
import type { Declaration } from '../../experiments/declare'
import type { ParamValue, ParamValues } from '../../experiments/experiment'
import { factsOfDevice, factsOfRun, type Facts } from '../../lessons/condition'
import type { Asked, Lesson } from '../../lessons/lesson'
import { EMPTY_PROGRESS, type LessonProgress } from '../../state/lesson-store'
import { inBackground } from '../../state/in-background'
import { isUnderWay, type RunState } from '../../state/run-store'
import type { Query } from '../../state/url'
import { findMetric } from '../../trace/report'
import { useLab } from '../lab-context'
import { loadRecording } from '../run/load-recording'
import { differences, queryFromValues, valuesFromQuery } from '../run/param-query'
import { useStore } from '../use-store'
import { askedOf, inSliderUnit } from './compare-prediction'

export interface LessonRun {
  readonly meta: Declaration
  /** Null while the address asks for something that cannot be run. */
  readonly values: ParamValues | null
  readonly addressFault: Fault | null
  /** The prediction that this device can answer. */
  readonly asked: Asked
  /** Of this question: another question's answer counts as none. */
  readonly progress: LessonProgress
  /** This lesson's run, if it has one on the page. */
  readonly run: RunState | null
  /** Of the run, or of the device before there is one. `values`: only of a run with these. */
  readonly factsFor: (values?: ParamValues | null) => Facts
  /** There is no device here: the recording is played instead. */
  readonly recordedOnly: boolean
  readonly deviceFault: Fault | null
  readonly recordingFault: Fault | null
  readonly loadingRecording: boolean
  /** Why nothing can be run now, or null. */
  readonly blocked: string | null
  readonly start: (values?: ParamValues) => void
  readonly cancel: () => void
  readonly playRecording: () => void
  readonly setValue: (name: string, value: ParamValue) => void
  /** A step's values over the lesson's own. */
  readonly layOver: (values: ParamValues) => ParamValues | null
  readonly show: (values: ParamValues) => void
}

const noRecording = (detail: string): Fault => ({
  code: 'file',
  message: `The recorded run could not be loaded: ${detail.replace(/\.$/, '')}.`,
  hint: 'Check the connection and try again. The text of the lesson does not need it.',
})

/** What was predicted or measured in another unit answered another question. */
function progressOf(saved: LessonProgress, { unit }: Asked, lesson: Lesson): LessonProgress {
  const isOther = (part: { readonly unit?: string } | null) =>
    part !== null && (part.unit ?? lesson.prediction.unit) !== unit
  const { prediction, outcome } = saved
  return {
    ...saved,
    prediction: prediction?.kind === 'made' && isOther(prediction) ? null : prediction,
    outcome: isOther(outcome) ? null : outcome,
  }
}

export function useLessonRun(lesson: Lesson, query: Query): LessonRun {
  const { run: runs, device, lessons, route, files } = useLab()
  const meta = findExperiment(lesson.experiment)
  if (!meta) throw new Error(`The lesson ${lesson.id} names no known experiment.`)
  const owner = `lessons/${lesson.id}`
  const parsed = useMemo(() => valuesFromQuery(meta, lesson.values, query), [meta, lesson, query])
  const values = parsed.ok ? parsed.value : null
  const state = useStore(runs.store)
  const run = state.owner === owner && state.phase !== 'idle' ? state : null
  const { phase: devicePhase, fault: deviceFault, environment } = useStore(device.store)
  const asked = useMemo(() => askedOf(lesson.prediction, environment), [lesson, environment])
  const saved = useStore(lessons.store, (all) => all.lessons[lesson.id]) ?? EMPTY_PROGRESS
  const progress = useMemo(() => progressOf(saved, asked, lesson), [saved, asked, lesson])
  const [recordingFault, setRecordingFault] = useState<Fault | null>(null)
  const [loadingRecording, setLoadingRecording] = useState(false)

  // Leaving the page ends its run: nobody watches it, and the next page may want the device.
  useEffect(
    () => () => {
      const left = runs.store.getState()
      if (left.owner === owner && isUnderWay(left.phase)) runs.cancel()
    },
    [runs, owner],
  )

  const show = useCallback(
    (next: ParamValues) => {
      route.replace({ page: 'lesson', id: lesson.id, query: queryFromValues(meta, lesson.values, next) })
    },
    [route, lesson, meta],
  )

  const recordOutcome = useCallback(
    (ended: RunState) => {
      const { report } = ended
      if (!report || !report.validity.valid || differences(meta, ended.params, lesson.values).length > 0)
        return
      const { name, variant } = asked.metric
      const measured = inSliderUnit(findMetric(report.metrics, name, variant), asked)
      if (measured)
        lessons.recordOutcome(lesson.id, {
          value: measured.value,
          unit: asked.unit,
          adapter: report.environment.adapterName,
          recorded: ended.origin !== 'live',
        })
    },
    [lessons, lesson, meta, asked],
  )

  const start = useCallback(
    (given?: ParamValues) => {
      const params = given ?? values
      if (!params) return
      const finish = async () => {
        const ending = await runs.start({ owner, experiment: meta.id, params })
        if (ending.status !== 'done') return
        device.adopt(ending.report.environment)
        const ended = runs.store.getState()
        if (ended.owner === owner) recordOutcome(ended)
      }
      inBackground(finish())
    },
    [runs, owner, meta, values, device, recordOutcome],
  )

  const playRecording = useCallback(() => {
    const load = async () => {
      runs.load(owner, await loadRecording(files, lesson.recording))
      recordOutcome(runs.store.getState())
    }
    setRecordingFault(null)
    setLoadingRecording(true)
    load()
      .catch((thrown: unknown) => {
        setRecordingFault(noRecording(thrown instanceof Error ? thrown.message : toFault(thrown).message))
      })
      .finally(() => {
        setLoadingRecording(false)
      })
  }, [lesson, files, runs, owner, recordOutcome])

  const factsFor = useCallback(
    (only: ParamValues | null = null): Facts =>
      run?.phase === 'done' && run.report && (!only || differences(meta, run.params, only).length === 0)
        ? factsOfRun(run.report, run.origin)
        : factsOfDevice(environment),
    [run, meta, environment],
  )

  const recordedOnly = devicePhase === 'unavailable'
  const blocked = !values
    ? 'The address asks for something that cannot be run.'
    : progress.prediction === null
      ? 'Predict first, or skip the prediction.'
      : null

  return {
    meta,
    values,
    addressFault: parsed.ok ? null : parsed.error,
    asked,
    progress,
    run,
    factsFor,
    recordedOnly,
    deviceFault,
    recordingFault,
    loadingRecording,
    blocked,
    start,
    cancel: runs.cancel,
    playRecording,
    setValue: (name, value) => {
      if (values) show({ ...values, [name]: value })
    },
    layOver: (own) => {
      const laid = valuesFromQuery(meta, { ...lesson.values, ...own }, {})
      return laid.ok ? laid.value : null
    },
    show,
  }
}
