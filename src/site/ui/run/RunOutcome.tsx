/**
 * How a run ended: verdict and what it rests on, or what went wrong. Every ending is designed; none
 * is blank.
 */
import type { Report, VerdictOutcome } from '../../../trace/report'
import type { RunState } from '../../state/run-store'
import { FaultNotice } from '../FaultNotice'
import { Quantities } from '../prose/Inline'
import { formatCount, formatDate, formatDuration, formatNumber, formatQuantity, THIN } from '../format'
import { formatTiny } from '../format-rare'
import { Button } from '../Button'

/** What a verdict says before its words. */
function outcomeWords(outcome: VerdictOutcome, origin: RunState['origin']): string {
  const machine = origin === 'live' ? 'this machine' : 'the recorded machine'
  return {
    shown: `Shown on ${machine}`,
    'not-shown': `Not shown on ${machine}`,
    inconclusive: 'Not decided',
    invalid: 'This run does not count',
  }[outcome]
}

interface SeenVerdictProps {
  readonly verdict: Report['verdict']
  /** Left out: its words alone. */
  readonly origin?: RunState['origin']
}

export const SeenVerdict = ({ verdict: { outcome, text }, origin }: SeenVerdictProps) => (
  <p className="see-verdict" data-testid="verdict" data-outcome={outcome}>
    {origin && <strong>{outcomeWords(outcome, origin)}.</strong>} <Quantities text={text} />
  </p>
)

function clockSentence({ clock }: Report): string {
  switch (clock.state) {
    case 'no-timestamps':
      return 'no device clock here: host-side times only'
    case 'infeasible':
      return 'the clocks could not be fitted: device times are not placed on the host’s axis'
    case 'fitted': {
      const bound =
        clock.offsetBoundUs === null
          ? 'bound unknown'
          : `±${THIN}${formatQuantity(clock.offsetBoundUs, 'us')}`
      const rejected = clock.rejected === 0 ? '' : `, ${formatCount(clock.rejected, 'timestamp')} rejected`
      return `clocks fitted to ${bound} from ${formatCount(clock.snapshots, 'bracket')}${rejected}`
    }
  }
}

/** What the figures rest on, in one line. */
const RunProvenance = ({ report }: { readonly report: Report }) => {
  const { verification, warmUps, durationMs, environment } = report
  const right = verification.checked - verification.failed
  return (
    <p className="run-provenance passage tabular small quiet" data-testid="run-provenance">
      {verification.checked === 0
        ? 'No result was checked'
        : `${formatNumber(right)} of ${formatCount(verification.checked, 'sampled value')} right (largest error ${formatTiny(verification.maxRelativeError)}, allowed ${formatTiny(verification.tolerance)})`}
      {' · '}
      {clockSentence(report)}
      {' · '}
      {formatCount(warmUps, 'warm-up')} not counted
      {' · '}
      {formatDuration(durationMs)} on {environment.adapterName}
      {environment.isSoftware ? ', which is software' : ''}
    </p>
  )
}

interface RunOutcomeProps {
  readonly run: RunState
  /** Null where there is no device to run on. */
  readonly onAgain: (() => void) | null
}

export const RunOutcome = ({ run, onAgain }: RunOutcomeProps) => {
  const again = (label: string) => onAgain && <Button look="small" label={label} onClick={onAgain} />
  switch (run.phase) {
    case 'failed':
      // A recording that could not be had is asked for where it was.
      return (
        run.fault && (
          <FaultNotice fault={run.fault}>{run.experiment !== null && again('Run again')}</FaultNotice>
        )
      )
    case 'cancelled':
      return (
        <div className="notice">
          <h2>Cancelled</h2>
          <p>
            {run.placed && run.placed.trace.spans.length > 0
              ? 'The timeline shows what was measured until then. No figure uses it.'
              : 'Nothing had been measured yet.'}
          </p>
          <div className="button-row">{again('Run again')}</div>
        </div>
      )
    case 'done': {
      const { report } = run
      if (!report)
        return (
          <div className="notice">
            <h2>A trace without a report</h2>
            <p>This file holds what happened, but no figures. The timeline shows all of it.</p>
          </div>
        )
      const recorded = run.origin !== 'live'
      return (
        <>
          {recorded && (
            <p className="ribbon small" data-testid="ribbon">
              {run.origin === 'recorded' ? 'Recorded on' : 'Imported: measured on'}{' '}
              {report.environment.adapterName}, {formatDate(report.startedAt)}. Not measured here and now.
            </p>
          )}
          {!report.validity.valid && (
            <div className="notice notice-warn" role="alert" data-testid="invalid">
              <h2>This run does not count</h2>
              {report.validity.reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
              <div className="button-row">{again('Run again')}</div>
            </div>
          )}
          <SeenVerdict verdict={report.verdict} origin={run.origin} />
          <RunProvenance report={report} />
        </>
      )
    }
    default:
      return null
  }
}
