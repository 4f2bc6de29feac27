/** A run of a lesson until it has ended well: the device being measured, the programs running, or what stopped them. Each has a look of its own. */
import { FaultNotice } from '../FaultNotice'
import { isUnderWay, type RunState } from '../../state/run-store'
import { RunOutcome } from '../run/RunOutcome'
import { TimelineView } from '../run/TimelineView'
import { SCREEN_START } from './use-screen-focus'
import { Button } from '../Button'

/** While work is sized no program of the lesson runs. */
const isCalibrating = ({ phase, progress }: RunState): boolean =>
  phase === 'starting' || progress === null || progress.region === 'setup'

interface RunStageProps {
  readonly run: RunState
  readonly onCancel: () => void
  readonly onAgain: () => void
}

export const RunStage = ({ run, onCancel, onAgain }: RunStageProps) => {
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
