/** Marks of a step's picture as few SVG paths: one for each look, whatever the number of marks. */
import { upperBound } from '../../../../base/search'
import type { Marks } from '../../../../analysis/replay/step-picture'

export interface RowBox {
  readonly top: number
  readonly height: number
}

/** A mark at work for next to nothing of its time is still to be seen. */
const LEAST_HEIGHT = 0.2
/** Between marks that are wide enough to lose a pixel. */
const SEAM_FROM_PX = 4

/** @param lookOf a mark's look; null: it is not drawn */
export function pathsOf(
  { startNs, endNs, of, share }: Marks,
  { top, height }: RowBox,
  pxPerNs: number,
  lookOf: (what: number) => string | null,
): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const [at, what] of of.entries()) {
    const look = lookOf(what)
    if (look === null) continue
    const left = (startNs[at] ?? 0) * pxPerNs
    const whole = (endNs[at] ?? 0) * pxPerNs - left
    const width = whole > SEAM_FROM_PX ? whole - 1 : whole
    const high = height * Math.max(LEAST_HEIGHT, share[at] ?? 1)
    const [x, y] = [left.toFixed(1), (top + height - high).toFixed(1)]
    paths.set(
      look,
      `${paths.get(look) ?? ''}M${x} ${y}h${width.toFixed(1)}v${high.toFixed(1)}h-${width.toFixed(1)}z`,
    )
  }
  return paths
}

/** The mark at a time; -1: none. */
export function markAt({ startNs, endNs }: Marks, timeNs: number): number {
  const at = upperBound(startNs, timeNs) - 1
  return at >= 0 && timeNs < (endNs[at] ?? 0) ? at : -1
}

/** The longest mark of each thing. */
export function longestMarks({ startNs, endNs, of }: Marks): ReadonlyMap<number, number> {
  const longest = new Map<number, number>()
  const length = (at: number) => (endNs[at] ?? 0) - (startNs[at] ?? 0)
  for (const [at, what] of of.entries()) {
    const known = longest.get(what)
    if (known === undefined || length(at) > length(known)) longest.set(what, at)
  }
  return longest
}
