/**
 * What would each change gain? A repeat as it is and without a cause, predicted, beside the variant
 * that goes without it.
 */
import { useCallback } from 'react'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import type { IdleVariant } from '../../../analysis/idle-totals'
import type { Outcome } from '../../../analysis/run-gains'
import { CAUSES } from '../../../timeline'
import type { Metric } from '../../../trace/report'
import { changesOf, valuesWithBoth, type Change, type Trial } from '../../state/idle-time'
import type { RunState } from '../../state/run-store'
import { Bar } from '../Bar'
import { Button } from '../Button'
import { ScrollTable } from '../ScrollTable'
import { useLoaded } from '../use-loaded'
import { formatAs, pickUnit } from '../format'
import { Quantities } from '../prose/Inline'

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  'as-predicted': 'as predicted',
  faster: 'faster than predicted: it removes more than this cause',
  slower: 'slower than predicted: something that the replay does not model sets the pace',
  'no-gain': 'no gain',
  'not-decided': 'not decided',
}

const Figure = ({
  metric,
  most,
  testId,
  isPredicted = false,
}: {
  readonly metric: Metric
  readonly most: number
  readonly testId: string
  readonly isPredicted?: boolean
}) => (
  <div className="change-figure" data-testid={testId} data-ms={metric.value}>
    <Quantities text={formatAs(metric, pickUnit(metric.unit, most), true)} />
    {metric.value !== null && most > 0 && (
      <Bar {...metric} value={metric.value} most={most} isPredicted={isPredicted} />
    )}
  </div>
)

const Tested = ({ trial: { remedy, tested }, most }: { readonly trial: Trial; readonly most: number }) => (
  <>
    <Figure metric={tested.measured} most={most} testId="change-measured" />
    <p className="small" data-testid="change-outcome" data-outcome={tested.outcome}>
      <strong>{remedy.by}</strong>: {OUTCOMES[tested.outcome]}
      {tested.why !== '' && `, ${tested.why}`}. In it, {remedy.change}.
    </p>
  </>
)

export interface ChangesTableProps {
  readonly run: RunState
  readonly meta: ExperimentMeta | undefined
  readonly totals: readonly IdleVariant[]
  /** Null where there is no device. */
  readonly onRun: ((values: ParamValues) => void) | null
}

const Row = ({
  change: { variant, cause, now, predicted, remedies, trial },
  run,
  onRun,
}: Omit<ChangesTableProps, 'meta' | 'totals'> & { readonly change: Change }) => {
  const remedy = trial?.remedy ?? remedies[0]
  const { label, without = '' } = CAUSES[cause]
  const most = Math.max(
    ...[now, predicted, trial?.tested.measured].map((metric) => metric?.high ?? metric?.value ?? 0),
  )
  return (
    <tr data-testid="change" data-variant={variant} data-cause={cause}>
      <th scope="row">
        ‘{label}’ in {variant}
        <span className="small quiet change-without">Without it, {without}.</span>
      </th>
      <td>
        <Figure metric={now} most={most} testId="change-now" />
      </td>
      <td>
        <Figure metric={predicted} most={most} testId="change-predicted" isPredicted />
      </td>
      <td>
        {trial && <Tested trial={trial} most={most} />}
        {remedy && onRun && (
          <Button look="small" className="no-print" onClick={() => onRun(valuesWithBoth(run.params, remedy))}>
            {trial && run.origin === 'live' ? 'Run it again' : 'Run it'}: {variant} against {remedy.by}
          </Button>
        )}
        {remedy && !trial && !onRun && (
          <span className="small quiet">There is no device here to run it on.</span>
        )}
        {!remedy && <span className="small quiet">No variant removes it.</span>}
      </td>
    </tr>
  )
}

export const ChangesTable = ({ meta, totals, ...rest }: ChangesTableProps) => {
  const { placed, report } = rest.run
  const { value: found } = useLoaded(
    useCallback(
      (signal: AbortSignal) => changesOf({ placed, report }, meta, totals, signal),
      [placed, report, meta, totals],
    ),
  )
  return (
    <section className="run-changes" aria-labelledby="run-changes-title">
      <h3 id="run-changes-title">What would each change gain?</h3>
      {found === null && (
        <p className="quiet" role="status">
          Replaying the repeats…
        </p>
      )}
      {found && found.changes.length > 0 && (
        <ScrollTable
          label="What each change would gain"
          className="changes-table wide"
          columns={['Cause', 'A repeat now', 'Without it, predicted', 'Without it, measured']}
        >
          <tbody>
            {found.changes.map((change) => (
              <Row key={`${change.variant} ${change.cause}`} change={change} {...rest} />
            ))}
          </tbody>
        </ScrollTable>
      )}
      {found?.changes.length === 0 && <p>No change to one cause is predicted to gain 2 % of a repeat.</p>}
      {found?.problems.map((problem) => (
        <p key={problem} className="small quiet passage">
          No prediction for {problem}
        </p>
      ))}
      <p className="small quiet passage">
        Each counted repeat is replayed without what the cause stands for. Everything else takes as long as it
        did. A prediction reads only its own variant, so the other variant is a fair test. The range includes
        the repeats and the replay’s error in recorded runs. The replay does not model work that slows what
        runs alongside it, or clocks that change with the load.
      </p>
    </section>
  )
}
