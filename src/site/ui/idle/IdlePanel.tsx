/**
 * Why was the device idle? Totals by cause while the run goes on and after it, each leading to its
 * longest gap in the timeline; then what each change would gain.
 */
import { useCallback, useId, useMemo, useState } from 'react'
import { findExperiment } from '../../../experiments/catalog'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import { idleTotals, type IdleVariant } from '../../../analysis/idle-totals'
import {
  type Change,
  changesOf,
  type Question,
  type Trial,
  valuesWithBoth,
  whyNoTotals,
} from '../../state/idle-time'
import { isUnderWay, type RunState } from '../../state/run-store'
import { CAUSES, type Timeline } from '../../../timeline'
import { Swatch } from '../timeline/Swatch'
import { IdleTable } from './IdleTable'
import './idle.css'
import type { Outcome } from '../../../analysis/run-gains'
import type { Metric } from '../../../trace/report'
import { Bar } from '../Bar'
import { Button } from '../Button'
import { ScrollTable } from '../ScrollTable'
import { useLoaded } from '../use-loaded'
import { formatAs, pickUnit } from '../format'
import { Quantities } from '../prose/Inline'

/**
 * What would each change gain? A repeat as it is and without a cause, predicted, beside the variant
 * that goes without it.
 */

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

interface ChangesTableProps {
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

const ChangesTable = ({ meta, totals, ...rest }: ChangesTableProps) => {
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

export interface IdlePanelProps {
  readonly run: RunState
  /** Null while it is loaded. */
  readonly timeline: Timeline | null
  /** Starts a run with these values; null where there is no device. */
  readonly onRun: ((values: ParamValues) => void) | null
}

/**
 * Room on both sides of a gap that is shown, in lengths of it: what came before and after is half
 * of the answer.
 */
const CONTEXT = 1.5

export const IdlePanel = ({ run, timeline, onRun }: IdlePanelProps) => {
  const id = useId()
  const { placed, gaps } = run
  const trace = placed?.trace
  const totals = useMemo(() => (trace ? idleTotals(trace, gaps) : []), [trace, gaps])
  const meta = run.experiment === null ? undefined : findExperiment(run.experiment)
  const [shown, setShown] = useState('')
  const showLongest = ({ variant, cause }: Question) => {
    if (!trace || !timeline) return
    const lengthOf = (at: number) => gaps[at]?.durationNs ?? 0
    const [index] = [...gaps.keys()]
      .filter((at) => gaps[at]?.cause === cause && trace.strings[gaps[at].variant] === variant)
      .sort((one, other) => lengthOf(other) - lengthOf(one))
    const gap = index === undefined ? undefined : gaps[index]
    if (index === undefined || !gap) return
    if (Number.isNaN(gap.startNs)) {
      setShown('These gaps have a length but no place: the device’s clock could not be tied to the host’s.')
      return
    }
    timeline.select({ type: 'gap', gap: index })
    const roomNs = CONTEXT * (gap.endNs - gap.startNs)
    timeline.zoomTo({ startNs: gap.startNs - roomNs, endNs: gap.endNs + roomNs, lanes: [] })
    setShown(`The longest gap of this cause in ${variant} is selected in the timeline.`)
  }

  const why = whyNoTotals(run, totals)
  // Before anything was recorded there is nothing to explain, and the outcome has said what
  // happened.
  if (why !== null && !isUnderWay(run.phase) && !(trace && trace.spans.length > 0)) return null
  return (
    <section className="idle shrinks" aria-labelledby={id} data-testid="idle">
      <h2 id={id}>Why was the device idle?</h2>
      {why === null ? (
        <>
          <p className="small quiet idle-key passage">
            Each bar is the time from a repeat’s first work on the device to its last, counted repeats
            together:{' '}
            <span className="nowrap">
              <Swatch hue="device" mark="solid" /> at work
            </span>
            , the rest idle by cause. Each cause leads to its longest gap.
          </p>
          <IdleTable totals={totals} onShow={showLongest} />
          <p className="small quiet idle-shown" role="status">
            {shown}
          </p>
          {run.phase === 'done' && <ChangesTable {...{ run, meta, totals, onRun }} />}
        </>
      ) : (
        <p className="quiet">{why}</p>
      )}
    </section>
  )
}
