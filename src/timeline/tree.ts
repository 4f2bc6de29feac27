/**
 * The view as a tree of words: group, lane, then the lane's spans and gaps in view by start. Rows are numbered as if all were there and
 * made one by one when asked for: 10⁶ spans in view are a column of numbers, not 10⁶ objects. Pure.
 *
 *   row 0   host                      level 1
 *   row 1     host (worker)           level 2
 *   row 2       await mapAsync …      level 3, where the lane is open
 */
import { upperBound } from '../base/search'
import { spokenTarget } from './describe'
import { formatCount } from './format'
import { makeLayout, type LaneLayout } from './layout'
import type { Target, TimelineData, View } from './types'
import { visibleRange } from './visible'

export interface TreeRow {
  /** Stays the same from view to view: 'group host', 'lane 3', 'span 12', 'gap 4'. */
  readonly key: string
  readonly level: 1 | 2 | 3
  readonly label: string
  /** How many rows of its level its parent has, and which of them this is, from 1. */
  readonly setSize: number
  readonly position: number
  /** Null: nothing under it. */
  readonly expanded: boolean | null
  /** Of spans and gaps. */
  readonly target: Target | null
}

/** A group's or lane's own row, with a lane's items after it. */
interface Block {
  readonly firstRow: number
  readonly head: TreeRow
  readonly items: Int32Array
}

const NO_ITEMS = new Int32Array()
const LAYOUT = { widthPx: 1200, compact: false, holdDeviceLane: false } as const

const counted = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`

/** Null for what has no row. */
export const treeKey = (target: Target | null): string | null =>
  target?.type === 'span' ? `span ${target.span}` : target?.type === 'gap' ? `gap ${target.gap}` : null

const targetOf = (item: number): Target =>
  item >= 0 ? { type: 'span', span: item } : { type: 'gap', gap: ~item }

/** Spans (by number) and gaps (as the complement of theirs) that touch the view, by start. */
function itemsInView({ placed, gaps }: LaneLayout, { startNs, endNs }: View): Int32Array {
  const [first, last] = placed ? visibleRange(placed, startNs, endNs) : [0, 0]
  const row = gaps?.row
  const items = new Int32Array(last - first + (row?.length ?? 0))
  let count = 0
  let gap = row ? upperBound(row.endNs, startNs, row.length) : 0
  const addGapsBefore = (timeNs: number): void => {
    while (row && gap < row.length && (row.startNs[gap] ?? Infinity) < timeNs) {
      items[count] = ~(row.span[gap] ?? 0)
      count += 1
      gap += 1
    }
  }
  for (let at = first; placed && at < last; at += 1) {
    if (!((placed.endNs[at] ?? 0) >= startNs)) continue
    addGapsBefore(placed.startNs[at] ?? 0)
    items[count] = placed.span[at] ?? 0
    count += 1
  }
  addGapsBefore(endNs)
  return items.subarray(0, count)
}

/** The keys of the rows above a target: they must be open for it to be seen. */
export function treePath(data: TimelineData, target: Target | null): readonly string[] {
  const lane =
    target?.type === 'span'
      ? data.placed.trace.spans.lane[target.span]
      : target?.type === 'gap'
        ? data.gaps[target.gap]?.lane
        : undefined
  const found = data.placed.trace.lanes.find(({ id }) => id === lane)
  return found ? [`group ${found.group}`, `lane ${found.id}`] : []
}

export class Tree {
  readonly rowCount: number
  readonly #data: TimelineData
  readonly #blocks: readonly Block[]

  /** `isOpen` by key. */
  constructor(data: TimelineData, view: View, isOpen: (key: string) => boolean) {
    this.#data = data
    const groups = new Map<string, LaneLayout[]>()
    for (const laid of makeLayout(data.placed, data.gaps, LAYOUT).lanes) {
      const group = laid.lane?.group ?? ''
      groups.set(group, [...(groups.get(group) ?? []), laid])
    }
    const blocks: Block[] = []
    let rows = 0
    const add = (head: TreeRow, items: Int32Array): void => {
      blocks.push({ firstRow: rows, head, items })
      rows += 1 + items.length
    }
    let groupAt = 0
    for (const [group, lanes] of groups) {
      groupAt += 1
      const key = `group ${group}`
      const expanded = isOpen(key)
      const label = `${group === '' ? 'other' : group}, ${counted(lanes.length, 'lane')}`
      const place = { setSize: groups.size, position: groupAt }
      add({ key, level: 1, label, ...place, expanded, target: null }, NO_ITEMS)
      if (!expanded) continue
      for (const [index, laid] of lanes.entries()) {
        const laneKey = `lane ${laid.lane?.id ?? -1}`
        const hasItems = (laid.placed?.length ?? 0) + (laid.gaps?.row.length ?? 0) > 0
        const laneOpen = hasItems && isOpen(laneKey)
        const items = laneOpen ? itemsInView(laid, view) : NO_ITEMS
        const head: TreeRow = {
          key: laneKey,
          level: 2,
          label: laneLabel(laid, laneOpen ? items.length : null),
          setSize: lanes.length,
          position: index + 1,
          expanded: hasItems ? laneOpen : null,
          target: null,
        }
        add(head, items)
      }
    }
    this.rowCount = rows
    this.#blocks = blocks
  }

  row(index: number): TreeRow | null {
    const block = this.#blockAt(index)
    if (!block || index < 0 || index >= this.rowCount) return null
    if (index === block.firstRow) return block.head
    const at = index - block.firstRow - 1
    const target = targetOf(block.items[at] ?? 0)
    return {
      key: treeKey(target) ?? '',
      level: 3,
      label: spokenTarget(this.#data, target),
      setSize: block.items.length,
      position: at + 1,
      expanded: null,
      target,
    }
  }

  /** −1: not there, or within something that is closed. */
  indexOf(key: string): number {
    const [type = '', number = ''] = key.split(' ')
    const item = type === 'span' ? Number(number) : type === 'gap' ? ~Number(number) : null
    for (const { firstRow, head, items } of this.#blocks) {
      if (head.key === key) return firstRow
      const at = item === null ? -1 : items.indexOf(item)
      if (at >= 0) return firstRow + 1 + at
    }
    return -1
  }

  /** The lane of an item, the group of a lane; −1 for a group. */
  parentOf(index: number): number {
    const row = this.row(index)
    const block = this.#blockAt(index)
    if (!row || !block || row.level === 1) return -1
    if (row.level === 3) return block.firstRow
    const at = this.#blocks.indexOf(block)
    return this.#blocks.slice(0, at).findLast(({ head }) => head.level === 1)?.firstRow ?? -1
  }

  /** The next group or lane whose name begins so, round once; −1: none. */
  find(begins: string, after: number): number {
    const heads = this.#blocks.filter(({ head }) => head.label.toLowerCase().startsWith(begins.toLowerCase()))
    return (heads.find(({ firstRow }) => firstRow > after) ?? heads[0])?.firstRow ?? -1
  }

  #blockAt(index: number): Block | undefined {
    return this.#blocks.findLast(({ firstRow }) => firstRow <= index)
  }
}

function laneLabel({ lane, placed, gaps }: LaneLayout, inView: number | null): string {
  const counts = [
    counted(placed?.length ?? 0, 'span'),
    ...(gaps && gaps.row.length > 0 ? [counted(gaps.row.length, 'gap')] : []),
    ...(inView === null ? [] : [inView === 0 ? 'none in view' : `${formatCount(inView)} in view`]),
  ]
  return `${lane?.name ?? 'device'}, ${counts.join(', ')}`
}
