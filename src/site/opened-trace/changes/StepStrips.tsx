/**
 * The step as it is and as it would be, one above the other, and the block of the host that is in
 * hand.
 */
import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { TimeAxis } from '../../ui/strips/ExcerptStrips'
import { PredictedMark, type Changes } from './StepFigures'
import type { HostBlock } from '../../../analysis/replay/blocks'
import { durationText } from '../../../base/figures'
import { Words } from '../../ui/prose/Inline'
import type { Cause } from '../../../analysis/replay/causes'
import { upperBound } from '../../../base/search'
import { type Marks as StepMarks, type StepPicture, WAIT } from '../../../analysis/replay/step-picture'
import { joined, movedBy } from '../../../strips/marks'
import { Marks } from '../../../strips/Marks'
import { excerptOfStep, type StepCut } from '../../../strips/of-step'
import { sceneOf } from '../../../strips/scene'
import { CAUSES } from '../../../trace/gap-causes'
import { formatShare } from '../../ui/format'
import '../../ui/strips/strips.css'

/**
 * One step of a profile as strips: what the host's threads and the GPU's streams did. Widths in px.
 */
const GAP = 3
const HEIGHTS = { host: 16, queue: 0, staging: 0, device: 16, gap: GAP } as const

interface StepStripProps extends StepCut {
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

const StepStrip = ({ picture, width, hostHeight, lit, onBlock, onMove, onEnd, ...cut }: StepStripProps) => {
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

/** Collectives and slow kernels are no block of the host. */
const LABELS: Partial<Record<Cause, { readonly label: string }>> = CAUSES

/** Calls of a page have their brackets, and its script is no function. */
const blockName = ({ name, cause }: HostBlock): string =>
  name !== null ? (/[ (]/.test(name) ? name : `${name}()`) : ((cause && LABELS[cause]?.label) ?? 'the host')

const percent = (share: number): string => `${String(Math.round(100 * share))} %`

interface BlockControlProps {
  readonly blocks: readonly HostBlock[]
  /** Indices, most time first. */
  readonly choices: readonly number[]
  readonly block: number
  /** 'a step'. */
  readonly step: string
  readonly share: number
  readonly onBlock: (block: number) => void
  readonly onShare: (share: number) => void
}

const BlockControl = ({ blocks, choices, block, step, share, onBlock, onShare }: BlockControlProps) => {
  const own = blocks[block]
  if (!own) return null
  const named = blockName(own)
  return (
    <div className="block-control cluster-8-12">
      <label className="cluster-8-12">
        <span>Host code</span>
        <select value={block} onChange={(event) => onBlock(Number(event.target.value))}>
          {choices.map((at) => {
            const each = blocks[at]
            return (
              each && (
                <option key={at} value={at}>
                  {blockName(each)}: {durationText(each.nsPerStep)} of {step}
                </option>
              )
            )
          })}
        </select>
      </label>
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={Math.round(100 * share)}
        aria-label={`What is left of ${named}`}
        aria-valuetext={percent(share)}
        onChange={(event) => onShare(event.target.valueAsNumber / 100)}
      />
      <output className="tabular nowrap">
        <Words text={`${percent(share)} of its time`} />
      </output>
    </div>
  )
}

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
        <PredictedMark /> <span className="quiet">drag a host block shorter, or switch a cause off</span>
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
