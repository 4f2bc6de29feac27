/**
 * The reader's changes to a replayed profile or page: causes switched off, blocks shortened; and
 * how long a step takes then.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Predicted } from '../../../analysis/replay/predict'
import { durationRangeText, durationText } from '../../../base/figures'
import { Words } from '../../ui/prose/Inline'
import { factor } from '../../ui/verdict/FindingRow'
import type { Trial } from '../../../analysis/replay/trial'

export type Changes = ReturnType<typeof useChanges>

const NONE: readonly string[] = []
const WHOLE: ReadonlyMap<number, number> = new Map<number, number>()

export function useChanges(trial: Trial) {
  /** Causes, or 'host-code:NAME'. */
  const [off, setOff] = useState(NONE)
  /** The remaining share of each block's host time; blocks that keep all of it are left out. */
  const [shares, setShares] = useState(WHOLE)
  const { now } = trial
  const isChanged = off.length > 0 || shares.size > 0
  const changed = useMemo(
    () => (isChanged ? trial.tried(off, shares) : now),
    [trial, off, shares, isChanged, now],
  )
  const turn = useCallback(
    (cause: string, isOff: boolean) =>
      setOff((before) => [...before.filter((each) => each !== cause), ...(isOff ? [cause] : [])]),
    [],
  )
  const shorten = useCallback(
    (block: number, share: number) =>
      setShares((before) => {
        const after = new Map(before)
        if (share >= 1) after.delete(block)
        else after.set(block, Math.max(0, share))
        return after
      }),
    [],
  )
  const reset = useCallback(() => {
    setOff(NONE)
    setShares(WHOLE)
  }, [])
  return { trial, off, shares, now, changed, turn, shorten, reset }
}

const COUNT_MS = 150

/** Goes to a new value in little time; at once where motion is not wanted, or the reader drags. */
function useCounted(value: number, isAtOnce: boolean): number {
  const [shown, setShown] = useState(value)
  const last = useRef(value)
  const isStill = isAtOnce || matchMedia('(prefers-reduced-motion: reduce)').matches
  useEffect(() => {
    const from = isStill ? value : last.current
    const began = performance.now()
    const count = (nowMs: number) => {
      const part = from === value ? 1 : Math.min(1, Math.max(0, (nowMs - began) / COUNT_MS))
      last.current = from + (value - from) * part
      setShown(last.current)
      if (part < 1) frame = requestAnimationFrame(count)
    }
    let frame = requestAnimationFrame(count)
    return () => cancelAnimationFrame(frame)
  }, [value, isStill])
  return isStill ? value : shown
}

export const PredictedMark = () => <span className="predicted-mark bold">predicted</span>

export interface StepFiguresProps {
  readonly nowNs: number
  /** Null: nothing is changed. */
  readonly predicted: Predicted | null
  /** 'a step, as recorded'. */
  readonly of: string
  readonly isDragging: boolean
}

/** Now and with the changes; the figure counts to its new value. */
export const StepFigures = ({ nowNs, predicted, of, isDragging }: StepFiguresProps) => {
  const shown = useCounted(predicted?.stepNs ?? nowNs, isDragging)
  return (
    <div className="step-figures cluster-4-16 baseline" data-testid="step-figures">
      <p className="step-time tabular nowrap">
        <Words text={durationText(shown)} />
      </p>
      {predicted ? (
        <p className="tabular">
          <PredictedMark /> <Words text={durationRangeText(predicted.lowNs, predicted.highNs)} />{' '}
          <Words text={`instead of ${durationText(nowNs)}: `} />
          <strong>{factor(nowNs / predicted.stepNs)}</strong> as fast
        </p>
      ) : (
        <p className="small quiet">{of}</p>
      )}
    </div>
  )
}
