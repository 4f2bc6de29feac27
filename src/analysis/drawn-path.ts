/**
 * The critical path as the timeline draws it: of a run of the lab, one repeat of each variant (that
 * nearest its median), across its ranks where there are several; of any other trace, the chain that
 * its last work on a device ends. Host ns.
 */
import { spanKindIndex } from '../trace/schema'
import type { PlacedTrace } from '../trace/place'
import { repeatWindows, typicalRepeats } from '../trace/typical-repeats'
import { criticalPath, repeatPath, type CriticalPath } from './critical-path'
import { PATH_OWNERS, type DrawnPart, type DrawnPath, type PathColumns } from './types'

const WINDOW = spanKindIndex('window')

export function drawnPathOf(placed: PlacedTrace): DrawnPath {
  const variants = variantsOf(placed)
  if (variants.length === 0) {
    const path = criticalPath(placed)
    return drawnPathOfColumns(path && pathColumns(path))
  }
  const parts: DrawnPart[] = []
  const problems: string[] = []
  for (const variant of variants) {
    const index = placed.trace.strings.indexOf(variant)
    const [repeat = -1] = typicalRepeats(placed.trace, index)
    const { spans } = placed.trace
    const window = repeatWindows(placed.trace, index).find((span) => spans.repeat[span] === repeat)
    const path = window === undefined ? null : repeatPath(placed, window)
    if (path === null) problems.push(`${variant}: no work of a device has a place on the host’s axis.`)
    else if (path.segments.length > 0)
      parts.push(makePart(`${variant}, repeat ${String(repeat + 1)}`, pathColumns(path)))
  }
  return { parts: parts.sort((a, b) => a.startNs - b.startNs), problems }
}

export const pathColumns = ({ segments, ns }: CriticalPath): PathColumns => ({
  length: segments.length,
  owners: PATH_OWNERS,
  ns: PATH_OWNERS.map((who) => ns[who]),
  who: Uint8Array.from(segments, ({ who }) => PATH_OWNERS.indexOf(who)),
  span: Int32Array.from(segments, ({ span }) => span),
  startNs: Float64Array.from(segments, ({ startNs }) => startNs),
  endNs: Float64Array.from(segments, ({ endNs }) => endNs),
})

export const drawnPathOfColumns = (segments: PathColumns | null): DrawnPath =>
  segments && segments.length > 0
    ? { parts: [makePart('', segments)], problems: [] }
    : { parts: [], problems: ['No work of a device has a place on the host’s axis.'] }

const makePart = (title: string, segments: PathColumns): DrawnPart => ({
  title,
  startNs: segments.startNs[0] ?? 0,
  endNs: segments.endNs.at(-1) ?? 0,
  segments,
})

/** The variants of the windows, in order of first occurrence. */
function variantsOf({ trace: { spans, strings } }: PlacedTrace): readonly string[] {
  const found = new Set<number>()
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === WINDOW) found.add(spans.variant[span] ?? -1)
  return [...found].flatMap((index) => strings[index] ?? [])
}
