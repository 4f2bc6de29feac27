/** Run, Cancel, and what the run is doing: said once in words, drawn once as a bar. */
import type { ReactNode } from 'react'
import { isUnderWay, type RunState } from '../../state/run-store'
import { Button } from '../Button'
import { formatDuration } from '../format'

interface RunBarProps {
  readonly run: RunState | null
  /** Why Run does not run, or null. */
  readonly blocked: string | null
  readonly onRun: () => void
  readonly onCancel: () => void
  /** What else can be done stands beside the key. */
  readonly children?: ReactNode
}

function statusText(run: RunState | null): string {
  switch (run?.phase) {
    case 'loading':
      return 'loading the recording'
    case 'starting':
      return run.progress?.message ?? 'starting'
    case 'running':
      return run.progress?.message ?? 'running'
    case 'done':
      if (run.origin !== 'live') return 'recorded run loaded'
      return run.report ? `done in ${formatDuration(run.report.durationMs)}` : 'done'
    case 'failed':
      return 'failed'
    case 'cancelled':
      return 'cancelled'
    default:
      return ''
  }
}

export const RunBar = ({ run, blocked, onRun, onCancel, children }: RunBarProps) => {
  const busy = run !== null && isUnderWay(run.phase)
  const fraction = run?.progress?.fraction ?? 0
  return (
    <div className="run-bar cluster-8-12">
      {busy ? (
        <Button id="run-key" label="Cancel" onClick={onCancel} />
      ) : (
        <Button
          id="run-key"
          look={blocked === null ? 'main' : 'usual'}
          label="Run"
          isOff={blocked !== null}
          aria-describedby={blocked === null ? undefined : 'run-blocked'}
          onClick={onRun}
        />
      )}
      {children}
      {blocked !== null && !busy && (
        <span id="run-blocked" className="small quiet">
          {blocked}
        </span>
      )}
      {busy && (
        <progress className="run-progress" max={1} value={fraction} aria-label="Progress of the run" />
      )}
      {blocked === null || busy ? (
        <span className="tabular small quiet" role="status" data-phase={run?.phase ?? 'idle'}>
          {statusText(run)}
        </span>
      ) : null}
    </div>
  )
}
