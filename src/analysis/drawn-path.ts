/**
 * The critical path as the timeline draws it: of a run of the lab, one repeat of each variant (that nearest its median); of any other
 * trace, the chain that its last work on a device ends. Host ns.
 */
import { SPAN_KINDS } from '../trace/schema'
import type { PlacedTrace } from '../trace/place'
import { criticalPath, type CriticalPath } from './critical-path'
import { repeatPath } from './repeat-path'
import type { DrawnPart, DrawnPath, DrawnStretch } from './types'

const WINDOW = SPAN_KINDS.indexOf('window')

export function drawnPathOf(placed: PlacedTrace): DrawnPath {
  const variants = variantsOf(placed)
  if (variants.length === 0) return drawnPathOfWork(criticalPath(placed))
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

export function drawnPathOfWork(path: CriticalPath | null): DrawnPath {
  if (!path || path.pieces.length === 0)
    return { parts: [], problems: ['No work of a device has a place on the host’s axis.'] }
  const stretches = path.pieces.map(({ part, beginUs, endUs, span }): DrawnStretch => ({
    who: part,
    span,
    startNs: beginUs * 1e3,
    endNs: endUs * 1e3,
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
