/** One step of a profile as strips: what the host's threads and the GPU's streams did. Widths in px. */
import type { PointerEvent } from 'react'
import { upperBound } from '../../../base/search'
import { WAIT, type Marks as StepMarks, type StepPicture } from '../../../analysis/replay/step-picture'
import { joined, movedBy } from '../../../strips/marks'
import { Marks } from '../../../strips/Marks'
import { excerptOfStep, type StepCut } from '../../../strips/of-step'
import { sceneOf } from '../../../strips/scene'
import { formatShare } from '../../ui/format'
import '../../ui/strips/strips.css'

const GAP = 3
const HEIGHTS = { host: 16, queue: 0, staging: 0, device: 16, gap: GAP } as const

export interface StepStripProps extends StepCut {
  readonly picture: StepPicture
  readonly width: number
  /** Height of the main thread's row, px. */
  readonly hostHeight: number
  /** The block in hand; null: none. */
  readonly lit: number | null
  /** Pointer on a mark of the main thread. */
  readonly onBlock?: (event: PointerEvent<SVGSVGElement>, mark: number) => void
  readonly onMove?: (event: PointerEvent<SVGSVGElement>) => void
  readonly onEnd?: () => void
}

export const StepStrip = ({
  picture,
  width,
  hostHeight,
  lit,
  onBlock,
  onMove,
  onEnd,
  ...cut
}: StepStripProps) => {
  const { pxPerNs } = cut
  const [main] = picture.threads
  const excerpt = excerptOfStep(picture, cut)
  const long = picture.lengthNs * pxPerNs
  const labels = [`idle ${formatShare(1 - picture.busyNs / picture.lengthNs)}`]
  const draw = (from: number, to: number | undefined, host: number) =>
    excerpt.strips.map((strip) =>
      sceneOf({ ...strip, rows: strip.rows.slice(from, to) }, excerpt, {
        width: long,
        lanes: 'all',
        heights: { ...HEIGHTS, host },
        labels,
      }),
    )
  const [above] = draw(0, main ? 1 : 0, hostHeight)
  const [below] = draw(main ? 1 : 0, undefined, HEIGHTS.host)
  const top = main ? hostHeight + GAP : 0
  const height = top + (below?.height ?? 0)
  const marks = joined([...(above?.marks ?? []), ...movedBy(below?.marks ?? [], 0, top)])
  return (
    <svg
      className="strips-svg step-svg"
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      width={width}
      height={height}
      aria-hidden
      onPointerDown={(event) => {
        if (!onBlock || !main) return
        const box = event.currentTarget.getBoundingClientRect()
        const perPx = width / box.width
        if ((event.clientY - box.top) * perPx > hostHeight) return
        const mark = markAt(main, ((event.clientX - box.left) * perPx) / pxPerNs)
        if (mark >= 0 && main.of[mark] !== WAIT) onBlock(event, mark)
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
    >
      <Marks marks={marks} />
      {main && lit !== null && <path className="step-lit" d={outlineOf(main, lit, pxPerNs, hostHeight)} />}
    </svg>
  )
}

/** The mark at a time; -1: none. */
function markAt({ startNs, endNs }: StepMarks, timeNs: number): number {
  const at = upperBound(startNs, timeNs) - 1
  return at >= 0 && timeNs < (endNs[at] ?? 0) ? at : -1
}

/** Under all marks of one block. */
const outlineOf = ({ startNs, endNs, of }: StepMarks, block: number, pxPerNs: number, y: number): string =>
  of
    .flatMap((what, at) =>
      what === block
        ? [`M${String((startNs[at] ?? 0) * pxPerNs)} ${String(y - 1)}H${String((endNs[at] ?? 0) * pxPerNs)}`]
        : [],
    )
    .join('')
