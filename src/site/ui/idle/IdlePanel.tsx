/**
 * Why was the device idle? Totals by cause while the run goes on and after it, each leading to its
 * longest gap in the timeline; then what each change would gain.
 */
import { useId, useMemo, useState } from 'react'
import { findExperiment } from '../../../experiments/catalog'
import type { ParamValues } from '../../../experiments/experiment'
import { idleTotals } from '../../../analysis/idle-totals'
import { whyNoTotals, type Question } from '../../state/idle-time'
import { isUnderWay, type RunState } from '../../state/run-store'
import type { Timeline } from '../../../timeline'
import { Swatch } from '../timeline/Swatch'
import { ChangesTable } from './ChangesTable'
import { IdleTable } from './IdleTable'
import './idle.css'

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
