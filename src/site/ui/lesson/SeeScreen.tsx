/**
 * One number, one figure, one answer, one way on; the replay, the code and the charts are a press
 * away.
 */
import type { ExperimentLesson, Asked } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { isUnderWay, type RunState } from '../../state/run-store'
import { addressOf, lessonRoute } from '../../state/url'
import { Figures } from '../figure/Figures'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { AskedSettings, settingsText, NoRunYet, PlayRecorded, RunStage } from './NoRunYet'
import { benchRoute, changedFrom, differences, settingsRoute } from '../run/param-query'
import { SeenVerdict } from '../run/RunOutcome'
import { hasExercise } from './use-lesson'
import { ShareMenu } from '../run/ShareMenu'
import { useStore } from 'zustand'
import type { ScreenProps } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'
import type { Meta } from '../../../experiments/catalog'
import type { Prediction } from '../../state/lesson-store'
import type { Report } from '../../../trace/report'
import { Prose } from '../prose/Prose'
import { Headline, Own } from './Headline'
import { ExcerptPanel } from './ExcerptPanel'
import { Button } from '../Button'

interface SeeResultProps {
  readonly lesson: ExperimentLesson
  readonly meta: Meta
  readonly asked: Asked
  readonly prediction: Prediction | null
  readonly run: RunState
  readonly report: Report
  /** With the replay, the program beside it, and the verdict's figures. */
  readonly isCloser: boolean
}

/** What a run of a lesson came to: the number, the answer, the first steps. */
const SeeResult = ({ lesson, meta, asked, prediction, run, report, isCloser }: SeeResultProps) => {
  const { origin, params } = run
  const isDecided = report.verdict.outcome === 'shown' || report.verdict.outcome === 'not-shown'
  const own = { asked, origin, report, changed: changedFrom(lesson, meta, params) }
  return (
    <>
      <Headline {...own} prediction={prediction} />
      <Prose className="see-answer size-3" text={lesson.answer} />
      {(isCloser || !isDecided) && <SeenVerdict verdict={report.verdict} origin={origin} />}
      {asked.pytorch && <Own {...own} />}
      <ExcerptPanel {...{ lesson, meta, run, isCloser }} />
    </>
  )
}

const NextScreen = ({ lesson }: { readonly lesson: ExperimentLesson }) => {
  const mends = hasExercise(lesson.id)
  return (
    <a className="button button-main" href={addressOf(lessonRoute(lesson.id, mends ? 'mend' : 'change'))}>
      {mends ? 'Mend it' : 'Change one thing'}
    </a>
  )
}

export const SeeScreen = ({ lesson, state }: ScreenProps) => {
  const { view } = useLab()
  const { values, meta, recordedOnly, deviceFault, progress } = state
  const isCloser = useStore(view.store, (all) => all.looksCloser)
  const underWay = state.underWay(FIRST_RUN)
  const ended = state.ended(FIRST_RUN)
  const asks = values ? differences(meta, values, lesson.values) : []
  const isAsked = asks.length > 0
  const again = () => {
    if (recordedOnly) state.playRecording(FIRST_RUN)
    else if (values) {
      view.set({ runsOnSoftware: true })
      state.start(FIRST_RUN, values)
    }
  }
  // A recording that is loaded, or cannot be, is told of where there is no run yet.
  const isPlayed = underWay?.experiment === null
  const stage = underWay && !(isPlayed && (!ended || underWay.phase === 'loading')) && (
    <RunStage run={underWay} onCancel={state.cancel} onAgain={again} />
  )
  // What was cancelled or failed takes nothing from the run before it.
  if (underWay && !isPlayed && (isUnderWay(underWay.phase) || !ended)) return stage
  const report = ended?.report
  // Of a run that ended there is a result to come, most often, as high as the window.
  if (!report && !state.isOpened && progress.outcome !== null)
    return (
      <p className="loading" {...SCREEN_START}>
        Looking for your last run.
      </p>
    )
  if (!ended || !report)
    return (
      <NoRunYet {...{ lesson, state }} words="Nothing has been measured yet.">
        {recordedOnly && deviceFault && <FaultNotice fault={deviceFault} />}
        {values && !recordedOnly && (
          <AskedSettings
            words={
              isAsked
                ? 'The address asks for these settings'
                : 'You can run it at once, without a prediction.'
            }
            settings={settingsText(meta, asks, values)}
            onRun={again}
          />
        )}
      </NoRunYet>
    )
  const others = isAsked && values ? differences(meta, values, ended.params) : []
  return (
    <div className="see stack-12" data-testid="result">
      {stage && (
        <>
          {stage}
          <p className="small quiet">Below is your last completed run.</p>
        </>
      )}
      {others.length > 0 && values && !recordedOnly && (
        <AskedSettings
          words="The address asks for different settings from this run’s"
          settings={settingsText(meta, others, values)}
          onRun={again}
        />
      )}
      <SeeResult
        lesson={lesson}
        meta={meta}
        asked={state.asked}
        prediction={progress.prediction}
        run={ended}
        report={report}
        isCloser={isCloser}
      />
      <div className="see-actions button-row no-print">
        <NextScreen lesson={lesson} />
        <Button
          className="see-closer"
          label={isCloser ? 'Less' : 'Look closer'}
          aria-expanded={isCloser}
          onClick={() => view.set({ looksCloser: !isCloser })}
        />
        <Button
          id="run-key"
          look="plain"
          label={
            recordedOnly
              ? 'Play the recording'
              : ended.origin === 'live'
                ? 'Run again'
                : 'Run it on this machine'
          }
          isOff={!recordedOnly && values === null}
          onClick={again}
        />
        {!recordedOnly && ended.origin === 'live' && report.verdict.outcome !== 'shown' && (
          <PlayRecorded {...state} />
        )}
      </div>
      {isCloser && (
        <>
          <Figures figures={report.figures} references={meta.references} />
          <div className="button-row no-print">
            <ShareMenu run={ended} settings={settingsRoute(lesson, meta, FIRST_RUN, ended.params)} />
            <a href={addressOf(benchRoute(meta, ended.params))}>All controls</a>
          </div>
        </>
      )}
    </div>
  )
}
