import { lowerBound, upperBound } from '../base/search'
import { summariseRow, type Pyramid, type RowSummary } from './lod/pyramid'
import type { Range } from './navigate'
import type { Merged } from './types'

/** Spans that touch the pixel and are narrower than what is drawn as a bar. */
export function summarisePixel(row: Pyramid, pixel: Range, mergeNs: number): Merged | null {
  let { startNs, endNs } = pixel
  let found = summariseRow(row, startNs, endNs)
  // Bars may end and begin beside them in the same pixel: one on either side, since a bar is wider
  // than a pixel.
  for (let side = 0; side < 2 && lengthOf(row, found) >= mergeNs; side += 1) {
    const [from, to] = [row.startNs[found.longest] ?? 0, row.endNs[found.longest] ?? 0]
    if (from <= startNs) startNs = after(to)
    else endNs = before(from)
    if (startNs > endNs) return null
    found = summariseRow(row, startNs, endNs)
  }
  if (found.count < 2 || lengthOf(row, found) >= mergeNs) return null
  // Those before the first that begins within, of which one may reach in: rows hold what does not
  // overlap.
  const first = lowerBound(row.startNs, startNs, row.length)
  const isReached = first > 0 && (row.endNs[first - 1] ?? 0) >= startNs
  const last = upperBound(row.startNs, endNs, row.length) - 1
  const firstNs = row.startNs[isReached ? first - 1 : first] ?? startNs
  const lastNs = row.endNs[last] ?? endNs
  const busyNs = found.busyNs - Math.max(0, startNs - firstNs) - Math.max(0, lastNs - endNs)
  const pixelNs = pixel.endNs - pixel.startNs
  return {
    count: found.count,
    longestSpan: row.span[found.longest] ?? -1,
    longestNs: lengthOf(row, found),
    share: Math.min(1, Math.max(0, busyNs / pixelNs)),
    pixelNs,
    startNs: firstNs,
    endNs: Math.max(lastNs, row.endNs[found.longest] ?? 0),
  }
}

const lengthOf = (row: Pyramid, { longest }: RowSummary): number =>
  longest < 0 ? 0 : (row.endNs[longest] ?? 0) - (row.startNs[longest] ?? 0)

/** The next number up and down, as good as exact at the times drawn here. */
const after = (timeNs: number): number => timeNs + Math.max(1e-6, Math.abs(timeNs) * 2 ** -52)
const before = (timeNs: number): number => timeNs - Math.max(1e-6, Math.abs(timeNs) * 2 ** -52)
