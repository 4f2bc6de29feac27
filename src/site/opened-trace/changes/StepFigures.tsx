/** How long a step takes, now and with the changes; the figure counts to its new value. */
import { useEffect, useRef, useState } from 'react'
import type { Predicted } from '../../../analysis/replay/predict'
import { durationRangeText, durationText, plain } from '../../../base/figures'
import { Words } from '../../ui/prose/Inline'

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

export const factor = (gain: number): string => `${plain(gain, gain < 1.1 ? 3 : 2)}×`
