/**
 * Where the parts of a strip lie, in CSS px: host, queue, staging buffers, device, from the top. Pure. The device has the most room, since
 * its idle time is what the picture is about.
 */
import type { StoryBar, StoryDepth, StoryIdle, StoryRow, StoryStrip } from '../../state/story'
import { CAUSES } from '../../../timeline'

export interface Band {
  readonly kind: StoryRow['kind'] | 'queue'
  readonly top: number
  readonly height: number
  /** Null for the queue. */
  readonly row: StoryRow | null
}

const HEIGHTS = { host: 16, queue: 12, staging: 10, device: 30 } as const
/** On a phone, where number and strips are to be seen at once. */
const COMPACT = { host: 13, queue: 8, staging: 6, device: 22 } as const
const GAP = 3
const COMPACT_GAP = 2

/** Narrower than this, px, a strip is drawn compact. */
const NARROW = 480

/** Staging buffers only where the lesson is about them; no queue where no depth was recorded. */
export function bandsOf(
  strip: StoryStrip,
  withStaging: boolean,
  width: number,
): { readonly bands: readonly Band[]; readonly height: number } {
  const parts: { readonly kind: Band['kind']; readonly row: StoryRow | null }[] = []
  const of = (kind: StoryRow['kind']) =>
    strip.rows.filter((row) => row.kind === kind).map((row) => ({ kind, row }))
  parts.push(...of('host'))
  if (strip.depth.length > 0) parts.push({ kind: 'queue', row: null })
  if (withStaging) parts.push(...of('staging'))
  parts.push(...of('device'))
  const [heights, gap] = width < NARROW ? [COMPACT, COMPACT_GAP] : [HEIGHTS, GAP]
  let top = 0
  const bands = parts.map(({ kind, row }): Band => {
    const band = { kind, top, height: heights[kind], row }
    top += heights[kind] + gap
    return band
  })
  return { bands, height: Math.max(0, top - gap) }
}

const RANK = /^rank (\d+) · /
/** 'rank 3' at 11 px, and the number alone. */
const NAME_WIDTH = 42
const NUMBER_WIDTH = 14

/** Of a row, whose it is; null: of no rank, or of one among none. */
export const rankOf = ({ name }: StoryRow): number | null => {
  const rank = RANK.exec(name)?.[1]
  return rank === undefined ? null : Number(rank)
}

/** Right of the bars, which may reach to the very end, room for whose row it is. 0 where no row is a rank's. */
export function gutterOf(strips: readonly StoryStrip[], width: number): number {
  if (!strips.some(({ rows }) => rows.some((row) => rankOf(row) !== null))) return 0
  return width < NARROW ? NUMBER_WIDTH : NAME_WIDTH
}

/** What stands there: 'rank 3', or the number. */
export const rankWords = (rank: number, width: number): string =>
  width < NARROW ? String(rank) : `rank ${String(rank)}`

/** Bars narrower than this are drawn this wide, so that a call of 5 µs can be seen. */
const LEAST_WIDTH = 1.2

export interface Extent {
  readonly x: number
  readonly width: number
}

export const extentOf = (
  { startNs, endNs }: { readonly startNs: number; readonly endNs: number },
  pxPerNs: number,
): Extent => ({
  x: Math.max(0, startNs) * pxPerNs,
  width: Math.max(LEAST_WIDTH, (endNs - Math.max(0, startNs)) * pxPerNs),
})

/** Of the theme: idle time in the colour of what caused it. */
export const idleHue = ({ cause }: Pick<StoryIdle, 'cause'>): 'idle' | 'staging' | 'text-2' =>
  CAUSES[cause].isHosts ? 'idle' : cause === 'upload-not-ready' ? 'staging' : 'text-2'

/** Which host time is waiting: it is drawn quieter than work, since the idle device is the figure. */
export const isWait = ({ kind }: StoryBar): boolean => kind === 'host-wait'

/** Waits that have their names inside: of several at once, as of promises that were all asked for, the one that began first. */
export function namedWaits(bars: readonly StoryBar[]): readonly StoryBar[] {
  let doneNs = Number.NEGATIVE_INFINITY
  return bars
    .filter(isWait)
    .sort((one, other) => one.startNs - other.startNs)
    .filter(({ startNs, endNs }) => {
      const isAlone = startNs >= doneNs
      if (isAlone) doneNs = endNs
      return isAlone
    })
}

/** The queue as a stepped area over its deepest point in any strip. */
export function depthPath(
  depth: readonly StoryDepth[],
  deepest: number,
  lengthNs: number,
  pxPerNs: number,
  height: number,
): string {
  if (deepest === 0) return ''
  const y = (value: number) => (height * (1 - value / deepest)).toFixed(1)
  const x = (ns: number) => (Math.max(0, ns) * pxPerNs).toFixed(1)
  const path = depth.map(({ atNs, value }) => `H${x(atNs)}V${y(value)}`).join('')
  return `M0 ${String(height)}${path}H${x(lengthNs)}V${String(height)}Z`
}

/** Widths in px that a text of so many characters needs inside a bar; 12 px type is about 6.4 px a character. */
export const fits = (text: string, width: number): boolean => text.length * 6.4 + 10 <= width
