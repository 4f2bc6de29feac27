/**
 * One step of a profile: what the host's threads and the GPU's streams did. Widths in px of the
 * usual type.
 */
import { useId, type PointerEvent, type ReactNode } from 'react'
import type { Marks, StepPicture } from '../../../analysis/replay/step-picture'
import { WAIT } from '../../../analysis/replay/step-picture'
import { SPAN_KINDS } from '../../../trace/schema'
import { formatShare } from '../../ui/format'
import { markAt, pathsOf, type RowBox } from './strip-paths'

const GAP = 3
const STREAM = 16
/** More threads or streams than these are not drawn. */
const MOST_ROWS = 4
/** Width of a letter in the strip, px on the wide side. */
const LETTER = 7.5

export interface StepStripProps {
  readonly picture: StepPicture
  readonly pxPerNs: number
  readonly width: number
  /** Height of the main thread's row, px. */
  readonly hostHeight: number
  readonly isPredicted: boolean
  readonly nameOf: (block: number) => string
  /** The block in hand; null: none. */
  readonly lit: number | null
  /** Pointer on a mark of the main thread. */
  readonly onBlock?: (event: PointerEvent<SVGSVGElement>, block: number, timeNs: number) => void
  readonly onMove?: (event: PointerEvent<SVGSVGElement>) => void
  readonly onEnd?: () => void
  /** On top of the main thread's row. */
  readonly children?: ReactNode
}

const streamLook = (kind: number): string => {
  const name = SPAN_KINDS[kind]
  return name === 'transfer' || name === 'collective' ? name : 'compute'
}

const stripHeight = ({ threads, streams }: StepPicture, hostHeight: number): number =>
  hostHeight +
  (Math.min(threads.length, MOST_ROWS) - 1 + Math.max(1, Math.min(streams.length, MOST_ROWS))) *
    (STREAM + GAP)

export const StepStrip = ({
  picture,
  pxPerNs,
  width,
  hostHeight,
  isPredicted,
  nameOf,
  lit,
  onBlock,
  onMove,
  onEnd,
  children,
}: StepStripProps) => {
  const texture = useId()
  const { lengthNs, threads, streams, busy, busyNs } = picture
  const [main, ...beside] = threads
  const long = lengthNs * pxPerNs
  const height = stripHeight(picture, hostHeight)
  const hostLook = (block: number): string => (block === WAIT ? 'wait' : block === lit ? 'lit' : 'host')
  const rows: { readonly marks: Marks; readonly box: RowBox; readonly lookOf: (what: number) => string }[] =
    []
  let top = 0
  const add = (marks: Marks, high: number, lookOf: (what: number) => string) => {
    rows.push({ marks, box: { top, height: high }, lookOf })
    top += high + GAP
  }
  if (main) add(main, hostHeight, hostLook)
  for (const marks of beside.slice(0, MOST_ROWS - 1)) add(marks, STREAM, hostLook)
  const device: RowBox = { top, height: height - top }
  for (const marks of streams.slice(0, MOST_ROWS)) add(marks, STREAM, streamLook)
  return (
    <svg
      className="step-svg"
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      width={width}
      height={height}
      aria-hidden={children === undefined || undefined}
      data-predicted={isPredicted || undefined}
      onPointerDown={(event) => {
        if (!onBlock || !main) return
        const box = event.currentTarget.getBoundingClientRect()
        const perPx = width / box.width
        if ((event.clientY - box.top) * perPx > hostHeight) return
        const timeNs = ((event.clientX - box.left) * perPx) / pxPerNs
        const block = main.of[markAt(main, timeNs)]
        if (block !== undefined && block !== WAIT) onBlock(event, block, timeNs)
      }}
      onPointerMove={onMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
    >
      {/* Of several streams one without work is no idle GPU: only where all are empty. */}
      {streams.length > 1 ? (
        [...pathsOf(gapsOf(busy, lengthNs), device, pxPerNs, () => 'idle')].map(([look, d]) => (
          <path key={look} className="step-idle" d={d} />
        ))
      ) : (
        <rect className="step-idle" x={0} y={device.top} width={long} height={device.height} />
      )}
      {rows.map(({ marks, box, lookOf }) =>
        [...pathsOf(marks, box, pxPerNs, lookOf)].map(([look, d]) => (
          <path key={`${String(box.top)} ${look}`} className={`step-${look}`} d={d} />
        )),
      )}
      {isPredicted && (
        <>
          <pattern id={texture} width={4} height={4} patternUnits="userSpaceOnUse">
            <path className="step-texture" d="M0 1h4" />
          </pattern>
          <rect className="step-over" width={long} height={height} fill={`url(#${texture})`} />
        </>
      )}
      {main && <Names marks={main} {...{ pxPerNs, nameOf }} height={hostHeight} />}
      <IdleName {...{ busy, lengthNs, pxPerNs }} share={1 - busyNs / lengthNs} box={device} />
      {children}
    </svg>
  )
}

/** Between the marks of a row, and around them. */
function gapsOf({ startNs, endNs }: Marks, lengthNs: number): Marks {
  const [from, to] = [
    [0, ...endNs],
    [...startNs, lengthNs],
  ]
  return { startNs: from, endNs: to, of: from.map(() => 0), share: from.map(() => 1) }
}

/** Inside the blocks that have room for it. */
const Names = ({
  marks: { startNs, endNs, of },
  pxPerNs,
  nameOf,
  height,
}: {
  readonly marks: Marks
  readonly pxPerNs: number
  readonly nameOf: (block: number) => string
  readonly height: number
}) =>
  of.map((block, at) => {
    const [from, to] = [(startNs[at] ?? 0) * pxPerNs, (endNs[at] ?? 0) * pxPerNs]
    if (to - from < LETTER * 4) return null
    const name = block === WAIT ? 'waits' : nameOf(block)
    if (to - from < LETTER * name.length + 6) return null
    return (
      <text
        key={at}
        className={block === WAIT ? 'step-name step-name-wait' : 'step-name'}
        x={(from + to) / 2}
        y={height / 2}
      >
        {name}
      </text>
    )
  })

/** In the longest gap, where it has room. */
const IdleName = ({
  busy: { startNs, endNs },
  lengthNs,
  pxPerNs,
  share,
  box,
}: {
  readonly busy: Marks
  readonly lengthNs: number
  readonly pxPerNs: number
  readonly share: number
  readonly box: RowBox
}) => {
  let [from, longest] = [0, 0]
  for (let at = 0; at <= startNs.length; at += 1) {
    const begin = endNs[at - 1] ?? 0
    const gap = (startNs[at] ?? lengthNs) - begin
    if (gap > longest) [from, longest] = [begin, gap]
  }
  const words = `idle ${formatShare(share)}`
  if (longest * pxPerNs < LETTER * words.length + 6) return null
  return (
    <text
      className="step-name step-name-idle"
      x={(from + longest / 2) * pxPerNs}
      y={box.top + box.height / 2}
    >
      {words}
    </text>
  )
}
