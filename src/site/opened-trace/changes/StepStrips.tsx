/** The step as it is and as it would be, one above the other, and the block of the host that is in hand. */
import { useMemo, useRef, useState, type PointerEvent } from 'react'
import { TimeAxis } from '../../ui/strips/StripPicture'
import { BlockControl } from './BlockControl'
import { PredictedMark } from './StepFigures'
import { StepStrip } from './StepStrip'
import type { Changes } from './use-changes'
import { blockName } from './words'

/** A block is worth a slider from this share of a step on. */
const SLIDER_SHARE = 0.01
const MOST_SLIDERS = 12
const HOST_HEIGHT = 30
/** A finger needs 44 px. */
const TOUCHED_HEIGHT = 44
export interface StepWords {
  readonly isPage: boolean
  /** 'a frame'. */
  readonly step: string
  /** The time of a step now, and how it is known. */
  readonly of: string
  /** What the strip of the step as it is shows. */
  readonly now: string
}

export interface StepStripsProps {
  readonly changes: Changes
  readonly said: StepWords
  readonly width: number
  readonly isDragging: boolean
  readonly setDragging: (isDragging: boolean) => void
}

interface Drag {
  readonly block: number
  readonly fromX: number
  readonly share: number
  /** Width of the block's mark at its whole length, px of the screen. */
  readonly whole: number
}

export const StepStrips = ({ changes, said, width, isDragging, setDragging }: StepStripsProps) => {
  const { trial, shares, now, changed, shorten } = changes
  const { blocks } = trial
  const choices = useMemo(() => {
    const { replayedNs } = trial.replay
    const drawn = new Set(now.picture.threads[0]?.of)
    return [...blocks.keys()]
      .filter((at) => drawn.has(at) && (blocks[at]?.nsPerStep ?? 0) > SLIDER_SHARE * replayedNs)
      .sort((a, b) => (blocks[b]?.nsPerStep ?? 0) - (blocks[a]?.nsPerStep ?? 0))
      .slice(0, MOST_SLIDERS)
  }, [trial, blocks, now])
  const [picked, setPicked] = useState<number | null>(null)
  const drag = useRef<Drag | null>(null)
  const isCoarse = useMemo(() => matchMedia('(pointer: coarse)').matches, [])
  const hostHeight = isCoarse ? TOUCHED_HEIGHT : HOST_HEIGHT
  const pxPerNs = width / now.picture.lengthNs
  const nameOf = (at: number): string => {
    const own = blocks[at]
    return own ? blockName(own) : ''
  }
  const shareOf = (at: number): number => shares.get(at) ?? 1
  const main = changed.picture.threads[0]
  const block = picked ?? choices[0] ?? -1
  const begin = (event: PointerEvent<SVGSVGElement>, mark: number) => {
    const at = main?.of[mark]
    if (!main || at === undefined || event.button !== 0) return
    const perPx = event.currentTarget.getBoundingClientRect().width / width
    const long = ((main.endNs[mark] ?? 0) - (main.startNs[mark] ?? 0)) * pxPerNs * perPx
    event.currentTarget.setPointerCapture(event.pointerId)
    const share = shareOf(at)
    drag.current = { block: at, fromX: event.clientX, share, whole: long / Math.max(share, 0.01) }
    setPicked(at)
  }
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (!drag.current) return
    const { block: at, fromX, share, whole } = drag.current
    const left = share + (event.clientX - fromX) / whole
    if (!isDragging) setDragging(true)
    shorten(at, Math.min(1, Math.max(0, Math.round(100 * left) / 100)))
  }
  const end = () => {
    drag.current = null
    setDragging(false)
  }
  const strip = { pxPerNs, width, hostHeight, nameOf }
  const { predicted } = changed
  return (
    <div className="step-strips stack-8">
      <p className="small">
        Now <span className="quiet">{said.now}: host above, GPU below</span>
      </p>
      <StepStrip {...strip} picture={now.picture} basis="measured" lit={null} />
      <p className="small">
        <PredictedMark />{' '}
        <span className="quiet">drag a block of the host shorter, or switch a cause off</span>
      </p>
      <div className="step-playground">
        <StepStrip
          {...strip}
          picture={changed.picture}
          basis="predicted"
          lit={picked}
          onBlock={begin}
          onMove={move}
          onEnd={end}
        />
        <svg className="strips-svg" viewBox={`0 0 ${String(width)} 10`} width={width} height={10} aria-hidden>
          {changed !== now && (
            <path
              className="step-range"
              d={`M${String(predicted.lowNs * pxPerNs)} 1v8m0 -4H${String(predicted.highNs * pxPerNs)}m0 -4v8`}
            />
          )}
        </svg>
        <TimeAxis lengthNs={now.picture.lengthNs} gutter={0} width={width} />
      </div>
      {choices.length > 0 && (
        <BlockControl
          {...{ blocks, choices, block }}
          step={said.step}
          share={shareOf(block)}
          onBlock={setPicked}
          onShare={(share) => {
            setPicked(block)
            shorten(block, share)
          }}
        />
      )}
    </div>
  )
}
