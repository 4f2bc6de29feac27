/**
 * A visitor's result, as small as it is kept: a row for each device of the last strips, with the
 * segments in which it computed. The first page loads this, and nothing else of the room.
 */
import { devicesOf, type Excerpt } from './excerpt'

/** By device: start and length of each segment, in thousandths of the excerpt. */
export type SavedThumbnail = readonly (readonly (readonly [start: number, length: number])[])[]

export const MOST_STRIPS = 3
/** Each of several ranks has its own rows. */
const MOST_ROWS = 8 * MOST_STRIPS
const FULL = 1000
/** Two segments nearer than this are drawn as one: a thumbnail is 120 px wide. */
const LEAST_GAP = FULL / 200
/** More than fit between the gaps, so that none is ever left out. */
const MOST_STRETCHES = FULL / LEAST_GAP + 1

/** Null where no device was timed. */
export function savedThumbnailOf({ lengthNs, strips }: Excerpt): SavedThumbnail | null {
  const rows = strips
    .slice(-MOST_STRIPS)
    .flatMap(devicesOf)
    .map(({ bars }) => {
      const segments: [number, number][] = []
      for (const { startNs, endNs } of bars) {
        const start = Math.max(0, Math.round((FULL * startNs) / lengthNs))
        const end = Math.min(FULL, Math.round((FULL * endNs) / lengthNs))
        const last = segments.at(-1)
        if (last && start - last[0] - last[1] < LEAST_GAP) last[1] = Math.max(last[1], end - last[0])
        else segments.push([start, end - start])
      }
      return segments
    })
  return rows.some((row) => row.length > 0) ? rows : null
}

const isShare = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= FULL

/** Checks a saved thumbnail; null where it is none. */
export function readSavedThumbnail(raw: unknown): SavedThumbnail | null {
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
