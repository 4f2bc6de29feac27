/**
 * Arrows written as events (s, t, f): each is bound to the innermost span of its thread at its
 * time, which is how readers of the format do it. Kinds that the lab draws come back; launch arrows
 * of torch.profiler are joined by correlation instead (correlations.ts).
 */
import { addTo } from '../../../base/lists'
import { FLOW_KINDS, type FlowKind } from '../../schema'
import type { EventFile } from './event-reader'
import { threadKey } from './file-names'
import type { TimeBase } from './time-base'

const START = 0x73 // 's'
const FINISH = 0x66 // 'f'

export interface ThreadSpan {
  readonly span: number
  readonly startNs: number
  readonly endNs: number
}
export interface FoundFlow {
  readonly from: number
  readonly to: number
  readonly kind: FlowKind
}

const NOT_DRAWN = 'an arrow of a kind that the timeline does not draw'
const UNBOUND = 'an arrow with one end only, or with no span at its end'

/**
 * Spans that do not nest may pile up below one that has not ended: no deeper than this is looked.
 */
const MAX_DEPTH = 500

/** `spansOf` gives the spans of a thread by start, of equal starts the longer first. */
export function bindFlows(
  { events, texts, warnings }: EventFile,
  base: TimeBase,
  rows: readonly number[],
  spansOf: (thread: number) => readonly ThreadSpan[],
): readonly FoundFlow[] {
  const { columns } = events
  const points = new Map<number, number[]>()
  const ends = new Map<
    string,
    { from?: number; to?: number; readonly kind: FlowKind; readonly row: number }
  >()
  const skip = (reason: string, row: number) => {
    warnings.add(reason, columns.index[row] ?? 0, columns.byte[row] ?? 0)
  }
  for (const row of rows) {
    const category = texts.text(columns.category[row] ?? 0)
    if (category === 'ac2g') continue
    const kind = FLOW_KINDS.find((each) => each === category)
    if (!kind || Number.isNaN(base.nsOf(row))) {
      skip(NOT_DRAWN, row)
      continue
    }
    const thread = threadKey(columns.pid[row] ?? 0, columns.tid[row] ?? 0)
    addTo(points, thread, row)
  }
  for (const [thread, list] of points) {
    const spans = spansOf(thread)
    list.sort((a, b) => base.nsOf(a) - base.nsOf(b))
    const open: ThreadSpan[] = []
    let next = 0
    for (const row of list) {
      const timeNs = base.nsOf(row)
      for (let span = spans[next]; span && span.startNs <= timeNs; span = spans[(next += 1)]) open.push(span)
      while ((open.at(-1)?.endNs ?? Infinity) <= timeNs) open.pop()
      const span = open.slice(-MAX_DEPTH).findLast(({ endNs }) => endNs > timeNs)
      const category = columns.category[row] ?? 0
      const key = `${String(columns.id[row])} ${String(category)} ${String(columns.name[row])}`
      const kind = FLOW_KINDS.find((each) => each === texts.text(category)) ?? 'submit'
      const known = ends.get(key) ?? { kind, row }
      if (columns.phase[row] === START && span) known.from ??= span.span
      if (columns.phase[row] === FINISH && span) known.to ??= span.span
      ends.set(key, known)
    }
  }
  return [...ends.values()].flatMap(({ from, to, kind, row }) => {
    if (from !== undefined && to !== undefined) return [{ from, to, kind }]
    skip(UNBOUND, row)
    return []
  })
}
