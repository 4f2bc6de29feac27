/**
 * What a lesson page does: the prediction, a live run or the recorded one for the lesson and for
 * each of its steps, and what was kept of them. The address holds screen, step and values, so that
 * any state of a lesson can be linked to.
 */
import { useEffect, useMemo } from 'react'
import { formatParam, type ParamValue, type ParamValues } from '../../../experiments/experiment'
import { metaOf } from '../../../experiments/catalog'
import type { ExperimentLesson, LessonStep } from '../../../lessons/lesson'
import { factsOfDevice, factsOfRun } from '../../../text/facts'
import { type Reading, readingOf } from '../../../text/template'
import { type Guessed, type Prediction } from '../../state/lesson-store'
import { FIRST_RUN, runKey } from '../../state/lesson-runs'
import { inBackground } from '../../state/in-background'
import type { RunState } from '../../state/run-store'
import { lessonRoute, type LessonPlace } from '../../state/url'
import { useLab, useProgress } from '../lab-context'
import { queryFromValues, valuesFromQuery } from '../run/param-query'
import { useEndOnLeaving } from '../run/use-end-on-leaving'
import { useStore } from 'zustand'
import { askedOf, progressOf } from './PredictForm'
import { isRecorded, ownerOf as ownerIn, playLesson, runLesson } from './run-lesson'

const SCREENS = ['predict', 'see', 'mend', 'change', 'why'] as const
export type Screen = (typeof SCREENS)[number]

export type LessonRun = ReturnType<typeof useLessonRun>

/** What each screen of a lesson is given. */
export interface ScreenProps {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}

const isScreen = (name: string): name is Screen => (SCREENS as readonly string[]).includes(name)

export function useLessonRun(lesson: ExperimentLesson, place: Omit<LessonPlace, 'id'>) {
  const lab = useLab()
  const { run: runs, device, lessons, lessonRuns, route, view } = lab
  const meta = metaOf(lesson.experiment)
  const { query } = place
  const parsed = useMemo(() => valuesFromQuery(meta, lesson.values, query), [meta, lesson, query])
  const values = parsed.ok ? parsed.value : null
  const state = useStore(runs.store)
  const kept = useStore(lessonRuns.store)
  const { phase: devicePhase, fault: deviceFault, device: facts } = useStore(device.store)
  const recordedOnly = devicePhase === 'unavailable'
  const runsOnSoftware = useStore(view.store, (each) => each.runsOnSoftware)
  const asked = useMemo(() => askedOf(lesson.prediction, facts), [lesson, facts])
  const saved = useProgress(lesson.id)
  const progress = useMemo(() => progressOf(saved, asked), [saved, asked])
  const ownerOf = (at: string) => ownerIn(lesson.id, at)

  useEffect(() => {
    inBackground(lessonRuns.open(lesson.id))
  }, [lessonRuns, lesson])

  useEndOnLeaving()

  // A first visit begins with the question; who has predicted comes back to what was measured.
  const isAnswered = progress.prediction !== null && runKey(lesson.id, FIRST_RUN) in kept.runs
  const screen = isScreen(place.screen) ? place.screen : isAnswered ? 'see' : 'predict'
  const step = lesson.steps.find(({ id }) => id === place.step)?.id ?? lesson.steps[0]?.id ?? ''

  const baseOf = (each: LessonStep): ParamValues => ({ ...lesson.values, ...each.action?.values })

  const work = useMemo(() => ({ lesson, meta, asked }), [lesson, meta, asked])

  const keepGuess = (at: string, said: Guessed | null, run: Promise<RunState | null>) =>
    inBackground(
      run.then((ended) => {
        if (ended && at !== FIRST_RUN) lessons.recordGuess(lesson.id, at, said)
      }),
    )
  const start = (at: string, params: ParamValues, said: Guessed | null = null) =>
    keepGuess(at, said, runLesson(lab, work, at, params))
  const playRecording = (at: string, said: Guessed | null = null) =>
    keepGuess(at, said, playLesson(lab, work, at))
  const playsFirst = (at: string): boolean =>
    recordedOnly ||
    (facts?.isSoftware === true &&
      !runsOnSoftware &&
      Object.keys(query).length === 0 &&
      isRecorded(lesson, at))

  const readingFor = (run: RunState | null): Reading => {
    if (run?.phase !== 'done' || !run.report) return readingOf(factsOfDevice(facts))
    const found = factsOfRun(run.report, run.origin)
    return readingOf(found, meta.names(found))
  }

  return {
    meta,
    screen,
    /** Of `change`: the step that is open. */
    step,
    goTo: (next: Screen) => route.go(lessonRoute(lesson.id, next)),
    /** Null while the address asks for something that cannot be run. */
    values,
    addressFault: parsed.ok ? null : parsed.error,
    /** The prediction that this device can answer. */
    asked,
    /** Of this question: another question's answer counts as none. */
    progress,
    predict: (prediction: Prediction | null) => lessons.predict(lesson.id, prediction),
    /**
     * The run of a step that is under way, or that ended otherwise than well; null where there is
     * none of this step.
     */
    underWay: (at: string): RunState | null =>
      state.owner === ownerOf(at) && state.phase !== 'idle' && state.phase !== 'done' ? state : null,
    /**
     * The last run of the lesson (FIRST_RUN) or of a step that ended well: live, or played from its
     * recording.
     */
    ended: (at: string): RunState | null => kept.runs[runKey(lesson.id, at)] ?? null,
    /** What was kept of this lesson in this browser has been read. */
    isOpened: kept.opened.has(lesson.id),
    /** Of a run, or of the device before there is one. */
    readingOf: readingFor,
    /** There is no device here: the recordings are played instead. */
    recordedOnly,
    /**
     * The recorded run comes first: there is no GPU, or only software, and nobody asked for a run
     * here.
     */
    playsFirst,
    deviceFault,
    start,
    cancel: runs.cancel,
    playRecording,
    /**
     * The recorded run where that comes first, else one here. `said`: what was guessed of it, which
     * is kept with it.
     */
    begin: (at: string, params: ParamValues | null, said: Guessed | null = null) => {
      if (playsFirst(at)) playRecording(at, said)
      else if (params) start(at, params, said)
    },
    /**
     * A step's values over the lesson's own, and those of the address over both; null where the
     * address asks for what cannot be run.
     */
    valuesOf: (each: LessonStep): ParamValues | null => {
      const laid = valuesFromQuery(meta, baseOf(each), query)
      return laid.ok ? laid.value : null
    },
    setValueOf: (each: LessonStep, name: string, value: ParamValue) => {
      const base = baseOf(each)
      const laid = valuesFromQuery(meta, base, { ...query, [name]: formatParam(value) })
      if (laid.ok)
        route.replace(lessonRoute(lesson.id, screen, each.id, queryFromValues(meta, base, laid.value)))
    },
    /** Forgets what the address asks for. */
    useOwnValues: () => route.replace(lessonRoute(lesson.id, place.screen, place.step)),
  }
}
