/** Where a run of a lesson is wanted: none has been made, or it has not ended well yet. */
import type { ReactNode } from 'react'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, lessonRoute } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { queryFromValues } from '../run/param-query'
import type { LessonRun, ScreenProps } from './use-lesson-run'
import { SCREEN_START } from './use-screen-focus'
import { formatParam, type ExperimentMeta, type ParamValues } from '../../../experiments/experiment'
import { withUnit } from '../format'
import { Quantities } from '../prose/Inline'
import { Button } from '../Button'
import { isUnderWay, type RunState } from '../../state/run-store'
import { RunOutcome } from '../run/RunOutcome'
import { TimelineView } from '../run/TimelineView'

export function settingsText(meta: ExperimentMeta, names: readonly string[], values: ParamValues): string {
  return meta.params
    .filter(({ name }) => names.includes(name))
    .map((param) => {
      const value = values[param.name] ?? param.default
      const text = formatParam(value)
      return `${param.label} ${param.type === 'number' ? withUnit(text, param.unit) : text}`
    })
    .join('; ')
}

interface AskedSettingsProps {
  readonly words: string
  /** '' where none differ. */
  readonly settings: string
  readonly onRun: () => void
}

/** Settings that an address asks for, and the press that runs them here. Nothing runs before it. */
export const AskedSettings = ({ words, settings, onRun }: AskedSettingsProps) => (
  <div className="notice asked-settings cluster-8-16" role="note" data-testid="asked-settings">
    <p>
      {words}
      {settings !== '' && (
        <>
          {': '}
          <Quantities text={settings} />.
        </>
      )}
    </p>
    <Button look="small" label="Run it on your machine" onClick={onRun} />
  </div>
)

const LOADING = 'Loading the recording.'

/** What the effect looks like on another machine, where this one has not shown it. */
export const PlayRecorded = ({ playRecording }: Pick<LessonRun, 'playRecording'>) => (
  <Button look="plain" label="Play a recorded run" onClick={() => playRecording(FIRST_RUN)} />
)

interface NoRunYetProps extends ScreenProps {
  /** What is missing, in a sentence. */
  readonly words: string
  readonly children?: ReactNode
}

/** None has been made: the way to its question, and a recorded run at once. */
export const NoRunYet = ({ lesson, state, words, children }: NoRunYetProps) => {
  const { meta, values, isOpened } = state
  const coming = state.underWay(FIRST_RUN)
  const looking = coming?.phase === 'loading' ? LOADING : isOpened ? null : 'Looking for your last run.'
  return (
    <section className={looking === null ? 'see-empty stack-12' : 'see-empty stack-12 see-looking'}>
      {coming?.fault && <FaultNotice fault={coming.fault} />}
      <p {...SCREEN_START}>{looking ?? words}</p>
      {children}
      <div className="button-row no-print">
        <a
          className="button button-main"
          href={addressOf(
            lessonRoute(lesson.id, 'predict', '', values ? queryFromValues(meta, lesson.values, values) : {}),
          )}
        >
          To the question
        </a>
        <PlayRecorded {...state} />
      </div>
    </section>
  )
}

/** While work is sized no program of the lesson runs. */
const isCalibrating = ({ phase, progress }: RunState): boolean =>
  phase === 'starting' || progress === null || progress.region === 'setup'

interface RunStageProps {
  readonly run: RunState
  readonly onCancel: () => void
  readonly onAgain: () => void
}

/**
 * Until it has ended well: the device being measured, the programs running, or what stopped them.
 * Each has a look of its own.
 */
export const RunStage = ({ run, onCancel, onAgain }: RunStageProps) => {
  if (run.phase === 'loading')
    return (
      <p className="loading" {...SCREEN_START}>
        {LOADING}
      </p>
    )
  if (!isUnderWay(run.phase)) return <RunOutcome run={run} onAgain={onAgain} />
  const { progress } = run
  const calibrating = isCalibrating(run)
  return (
    <section
      className="stage top stack-16"
      aria-label="The run"
      data-testid="stage"
      data-calibrating={calibrating}
    >
      <div className="stage-head row split">
        <div>
          <h2 {...SCREEN_START}>{calibrating ? 'Getting to know this device' : 'Measuring'}</h2>
          <p className="quiet" role="status">
            {progress?.message ?? 'starting'}
          </p>
        </div>
        <Button id="run-key" label="Cancel" onClick={onCancel} />
      </div>
      <progress
        className="run-progress"
        max={1}
        value={progress?.fraction ?? 0}
        aria-label="Progress of the run"
      />
      {calibrating ? (
        <p className="stage-why quiet">
          The lab times a few kernels first, so that the work it gives your device is neither too small to see
          nor too long to wait for. None of this counts.
        </p>
      ) : (
        <TimelineView run={run} compact empty="The first spans are on their way." />
      )}
      {run.fault && <FaultNotice fault={run.fault} />}
    </section>
  )
}
