/**
 * Why was the device idle? Totals by cause while the run goes on and after it, each leading to its gaps in the timeline; then what each
 * change would gain.
 */
import { useId, useMemo, useRef, useState } from 'react'
import { findExperiment } from '../../../experiments/catalog'
import type { ParamValues } from '../../../experiments/experiment'
import { idleTotals } from '../../../analysis/idle-totals'
import { gapsOf, whyNoTotals, type Question } from '../../state/idle-time'
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
  /** Starts a run with these values; null where that cannot be. */
  readonly onRun: ((values: ParamValues) => void) | null
  /** Why `onRun` is null. */
  readonly whyNot?: string
}

/** Room on both sides of a gap that is stepped to, in lengths of it: what came before and after is half of the answer. */
const CONTEXT = 1.5

export const IdlePanel = ({ run, timeline, onRun, whyNot = '' }: IdlePanelProps) => {
  const id = useId()
  const { placed, gaps } = run
  const trace = placed?.trace
  const totals = useMemo(() => (trace ? idleTotals(trace, gaps) : []), [trace, gaps])
  const meta = run.experiment === null ? undefined : findExperiment(run.experiment)
  const [shown, setShown] = useState('')
  /** Where stepping has come to, by question: the begin of the gap last shown, ns. */
  const last = useRef(new Map<string, number>())

  const step = (to: Question) => {
    if (!placed || !timeline) return
    const own = gapsOf(placed, gaps, to)
    const key = `${to.variant} ${to.cause}`
    const from = last.current.get(key) ?? -Infinity
    const after = own.findIndex((gap) => (gaps[gap]?.startNs ?? Number.NaN) > from)
    const at = Math.max(0, after)
    const index = own[at]
    const gap = index === undefined ? undefined : gaps[index]
    if (index === undefined || !gap) return
    if (Number.isNaN(gap.startNs)) {
      setShown('These gaps have a length but no place: the device’s clock could not be tied to the host’s.')
      return
    }
    last.current.set(key, gap.startNs)
    timeline.setFollowing(false)
    timeline.select({ type: 'gap', gap: index })
    const roomNs = CONTEXT * (gap.endNs - gap.startNs)
    timeline.zoomTo({ startNs: gap.startNs - roomNs, endNs: gap.endNs + roomNs, lanes: [] })
    setShown(`Gap ${String(at + 1)} of ${String(own.length)} in ${to.variant} is selected in the timeline.`)
  }

  const why = whyNoTotals(run, totals)
  // Before anything was recorded there is nothing to explain, and the outcome has said what happened.
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
            , the rest idle by cause. The number of gaps leads from one to the next.
          </p>
          <IdleTable totals={totals} onStep={step} />
          <p className="small quiet idle-shown" role="status">
            {shown}
          </p>
          {run.phase === 'done' && <ChangesTable {...{ run, meta, totals, onRun, whyNot }} />}
        </>
      ) : (
        <p className="quiet">{why}</p>
      )}
    </section>
  )
}
