/** A story as small as a thumbnail: a row for each variant, and in it the segments in which the device computed. Pure. */
import type { Story } from '../../analysis/story'

/** By variant: start and length of each segment, in thousandths of the story. */
export type Thumbnail = readonly (readonly (readonly [start: number, length: number])[])[]

export const MOST_ROWS = 3
const FULL = 1000
/** Two segments nearer than this are drawn as one: a thumbnail is 120 px wide. */
const LEAST_GAP = FULL / 200
/** More than fit between the gaps, so that none is ever left out. */
const MOST_STRETCHES = FULL / LEAST_GAP + 1

export const thumbnailOf = ({ lengthNs, strips }: Story): Thumbnail =>
  strips.slice(-MOST_ROWS).map(({ rows }) => {
    const segments: [number, number][] = []
    const bars = rows
      .filter(({ kind }) => kind === 'device')
      .flatMap((row) => row.bars)
      .sort((a, b) => a.startNs - b.startNs)
    for (const { startNs, endNs } of bars) {
      const start = Math.max(0, Math.round((FULL * startNs) / lengthNs))
      const end = Math.min(FULL, Math.round((FULL * endNs) / lengthNs))
      const last = segments.at(-1)
      if (last && start - last[0] - last[1] < LEAST_GAP) last[1] = Math.max(last[1], end - last[0])
      else segments.push([start, end - start])
    }
    return segments
  })

const isShare = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= FULL

/** What was saved, checked; null where it is none. */
export function readThumbnail(raw: unknown): Thumbnail | null {
  if (!Array.isArray(raw) || raw.length > MOST_ROWS) return null
  const rows = raw.map((row: unknown) =>
    Array.isArray(row) && row.length <= MOST_STRETCHES
      ? row.flatMap((pair: unknown): readonly (readonly [number, number])[] =>
          Array.isArray(pair) && isShare(pair[0]) && isShare(pair[1]) ? [[pair[0], pair[1]]] : [],
        )
      : [],
  )
  return rows.some((row) => row.length > 0) ? rows : null
}
