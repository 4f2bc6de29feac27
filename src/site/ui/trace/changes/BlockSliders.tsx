/**
 * The blocks of the main thread as sliders within its strip: Tab goes from one to the next, arrows
 * shorten it.
 */
import type { KeyboardEvent } from 'react'
import type { Marks } from '../../../../analysis/replay/step-picture'
import { percent } from './words'
import { longestMarks } from './strip-paths'

const STEP = 0.05
const PAGE = 0.25
const LEAST_WIDTH = 6

const KEYS: Readonly<Record<string, (share: number) => number>> = {
  ArrowLeft: (share) => share - STEP,
  ArrowDown: (share) => share - STEP,
  ArrowRight: (share) => share + STEP,
  ArrowUp: (share) => share + STEP,
  PageDown: (share) => share - PAGE,
  PageUp: (share) => share + PAGE,
  Home: () => 0,
  End: () => 1,
}

export interface BlockSlidersProps {
  readonly marks: Marks
  /** Marks of the unchanged step: they show where a block is that takes no time any more. */
  readonly atRest: Marks
  /** Indices of blocks, most time first. */
  readonly blocks: readonly number[]
  readonly shareOf: (block: number) => number
  readonly nameOf: (block: number) => string
  readonly pxPerNs: number
  readonly height: number
  readonly onFocus: (block: number) => void
  readonly onShare: (block: number, share: number) => void
}

export const BlockSliders = ({
  marks,
  atRest,
  blocks,
  shareOf,
  nameOf,
  pxPerNs,
  height,
  onFocus,
  onShare,
}: BlockSlidersProps) => {
  const longest = longestMarks(marks)
  const resting = longestMarks(atRest)
  return blocks.map((block) => {
    const at = longest.get(block)
    const fromNs = at === undefined ? atRest.startNs[resting.get(block) ?? -1] : marks.startNs[at]
    const share = shareOf(block)
    const long = at === undefined ? 0 : ((marks.endNs[at] ?? 0) - (marks.startNs[at] ?? 0)) * pxPerNs
    return (
      <rect
        key={block}
        className="step-slider"
        role="slider"
        tabIndex={0}
        aria-label={`Host time of ${nameOf(block)}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * share)}
        aria-valuetext={percent(share)}
        data-block={nameOf(block)}
        x={(fromNs ?? 0) * pxPerNs}
        y={0}
        width={Math.max(LEAST_WIDTH, long)}
        height={height}
        onFocus={() => {
          onFocus(block)
        }}
        onKeyDown={(event: KeyboardEvent) => {
          const next = KEYS[event.key]
          if (!next) return
          event.preventDefault()
          onShare(block, Math.min(1, Math.max(0, Math.round(100 * next(share)) / 100)))
        }}
      />
    )
  })
}
