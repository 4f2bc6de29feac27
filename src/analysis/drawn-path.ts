/**
 * The critical path as the timeline draws it: of a run of the lab, one repeat of each variant (that nearest its median), across its ranks
 * where there are several; of any other trace, the chain that its last work on a device ends. Host ns.
 */
import { SPAN_KINDS } from '../trace/schema'
import type { PlacedTrace } from '../trace/place'
import { typicalRepeats } from '../trace/typical-repeats'
import { criticalPath, criticalPathOfRanks, type CriticalPath } from './critical-path'
import { repeatPath } from './repeat-path'
import { PATH_WHO, type DrawnPart, type DrawnPath, type DrawnStretches, type PathWho } from './types'

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
    const ranks = partOfRanks(placed, variant)
    if (ranks) {
      parts.push(ranks)
      continue
    }
    const path = repeatPath(placed, variant)
    if (typeof path === 'string') problems.push(`${variant}: ${path}`)
    else if (path.stretches.length > 0)
      parts.push(makePart(titleOf(variant, path.repeat), columnsOf(path.stretches)))
  }
  return { parts: parts.sort((a, b) => a.startNs - b.startNs), problems }
}

function partOfRanks(placed: PlacedTrace, variant: string): DrawnPart | null {
  const index = placed.trace.strings.indexOf(variant)
  const [repeat] = typicalRepeats(placed.trace, index)
  const path = repeat === undefined ? null : criticalPathOfRanks(placed, index, repeat)
  return path && repeat !== undefined ? makePart(titleOf(variant, repeat), pathColumns(path)) : null
}
const titleOf = (variant: string, repeat: number): string => `${variant}, repeat ${String(repeat + 1)}`

export const pathColumns = ({ pieces }: CriticalPath): DrawnStretches =>
  columnsOf(
    pieces.map(({ part, beginUs, endUs, span }) => ({
      who: part,
      span,
      startNs: beginUs * 1e3,
      endNs: endUs * 1e3,
    })),
  )

export const drawnPathOfColumns = (stretches: DrawnStretches | null): DrawnPath =>
  stretches && stretches.length > 0
    ? { parts: [makePart('', stretches)], problems: [] }
    : { parts: [], problems: ['No work of a device has a place on the host’s axis.'] }

interface Stretch {
  readonly who: PathWho
  readonly span: number
  readonly startNs: number
  readonly endNs: number
}

const columnsOf = (stretches: readonly Stretch[]): DrawnStretches => ({
  length: stretches.length,
  owners: PATH_WHO,
  who: Uint8Array.from(stretches, ({ who }) => PATH_WHO.indexOf(who)),
  span: Int32Array.from(stretches, ({ span }) => span),
  startNs: Float64Array.from(stretches, ({ startNs }) => startNs),
  endNs: Float64Array.from(stretches, ({ endNs }) => endNs),
})

const makePart = (title: string, stretches: DrawnStretches): DrawnPart => ({
  title,
  startNs: stretches.startNs[0] ?? 0,
  endNs: stretches.endNs.at(-1) ?? 0,
  stretches,
})

/** Of the windows, in order of first occurrence. */
function variantsOf({ trace: { spans, strings } }: PlacedTrace): readonly string[] {
  const found = new Set<number>()
  for (let span = 0; span < spans.length; span += 1)
    if (spans.kind[span] === WINDOW) found.add(spans.variant[span] ?? -1)
  return [...found].flatMap((index) => strings[index] ?? [])
}
