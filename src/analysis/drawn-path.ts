/**
 * The critical path as the timeline draws it: of a run of the lab, one repeat of each variant (that nearest its median); of any other
 * trace, the chain that its last work on a device ends. Host ns.
 */
import { SPAN_KINDS } from '../trace/schema'
import type { PlacedTrace } from '../trace/place'
import { criticalPath, type CriticalPath } from './critical-path'
import { repeatPath } from './repeat-path'
import { PATH_WHO, type DrawnPart, type DrawnPath, type DrawnStretch } from './types'

const WINDOW = SPAN_KINDS.indexOf('window')

export function drawnPathOf(placed: PlacedTrace): DrawnPath {
  const variants = variantsOf(placed)
  if (variants.length === 0) {
    const path = criticalPath(placed)
    return drawnPathOfColumns(path && pathColumns(path))
  }
  const parts: DrawnPart[] = []
  const problems: string[] = []
  for (const variant of variants) {
    const path = repeatPath(placed, variant)
    if (typeof path === 'string') problems.push(`${variant}: ${path}`)
    else if (path.stretches.length > 0)
      parts.push(makePart(`${variant}, repeat ${String(path.repeat + 1)}`, path.stretches))
  }
  return { parts: parts.sort((a, b) => a.startNs - b.startNs), problems }
}

/** A whole trace's path, for the way between threads. */
export interface PathColumns {
  readonly length: number
  readonly startNs: Float64Array<ArrayBuffer>
  readonly endNs: Float64Array<ArrayBuffer>
  readonly span: Int32Array<ArrayBuffer>
  /** Index into PATH_WHO. */
  readonly who: Uint8Array<ArrayBuffer>
}

export const pathColumns = ({ pieces }: CriticalPath): PathColumns => ({
  length: pieces.length,
  startNs: Float64Array.from(pieces, ({ beginUs }) => beginUs * 1e3),
  endNs: Float64Array.from(pieces, ({ endUs }) => endUs * 1e3),
  span: Int32Array.from(pieces, ({ span }) => span),
  who: Uint8Array.from(pieces, ({ part }) => PATH_WHO.indexOf(part)),
})

export function drawnPathOfColumns(columns: PathColumns | null): DrawnPath {
  if (!columns || columns.length === 0)
    return { parts: [], problems: ['No work of a device has a place on the host’s axis.'] }
  const stretches = Array.from(columns.startNs, (startNs, at): DrawnStretch => ({
    who: PATH_WHO[columns.who[at] ?? -1] ?? 'host',
    span: columns.span[at] ?? -1,
    startNs,
    endNs: columns.endNs[at] ?? startNs,
  }))
  return { parts: [makePart('', stretches)], problems: [] }
}

const makePart = (title: string, stretches: readonly DrawnStretch[]): DrawnPart => ({
  title,
  startNs: stretches[0]?.startNs ?? 0,
  endNs: stretches.at(-1)?.endNs ?? 0,
  stretches,
})

/** Of the windows, in order of first occurrence. */
function variantsOf({ trace: { spans, strings } }: PlacedTrace): readonly string[] {
  const found = new Set<number>()
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === WINDOW) found.add(spans.variant[span] ?? -1)
  return [...found].flatMap((index) => strings[index] ?? [])
}
