/**
 * Sets of time as sorted, disjoint, non-touching intervals of positive length. `union` makes one of
 * anything; the others take and give such sets. Summed spans are not wall time: every 'busy' and
 * 'idle' of the lab goes through here.
 */
import { lowerBound, upperBound } from '../base/search'
import type { Interval } from './types'

/** Sorted and merged. What has no length, or a NaN in it, holds no time and is dropped. */
export function union(intervals: Iterable<Interval>): readonly Interval[] {
  const sorted: Interval[] = []
  for (const interval of intervals) if (interval.end > interval.start) sorted.push(interval)
  sorted.sort((a, b) => a.start - b.start)
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of sorted) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** Length of a set. Of intervals that overlap, take the union first. */
export const total = (set: readonly Interval[]): number =>
  set.reduce((sum, { start, end }) => sum + (end - start), 0)

export function intersect(a: readonly Interval[], b: readonly Interval[]): readonly Interval[] {
  const both: Interval[] = []
  for (let i = 0, j = 0; ;) {
    const [x, y] = [a[i], b[j]]
    if (!x || !y) return both
    const start = Math.max(x.start, y.start)
    const end = Math.min(x.end, y.end)
    if (end > start) both.push({ start, end })
    if (x.end < y.end) i += 1
    else j += 1
  }
}

/** The parts of `a` that are not in `b`. */
export function subtract(a: readonly Interval[], b: readonly Interval[]): readonly Interval[] {
  const rest: Interval[] = []
  let first = 0
  for (const interval of a) {
    while ((b[first]?.end ?? Infinity) <= interval.start) first += 1
    rest.push(...subtractFrom(interval, b, first))
  }
  return rest
}

/**
 * The parts of one interval that are not in `b`, searched from its `first` on: whoever asks in
 * order need not begin anew.
 */
function subtractFrom(interval: Interval, b: readonly Interval[], first: number): readonly Interval[] {
  const rest: Interval[] = []
  const { start, end } = interval
  let from = start
  for (let j = first; j < b.length; j += 1) {
    const hole = b[j]
    if (!hole || hole.start >= end) break
    if (hole.start > from) rest.push({ start: from, end: hole.start })
    from = Math.max(from, hole.end)
  }
  if (end > from) rest.push({ start: from, end })
  return rest
}

/**
 * A set made ready for many questions of how much of it lies in a stretch: two binary searches
 * each.
 */
export class IndexedSet {
  readonly #starts: Float64Array
  readonly #ends: Float64Array
  /** Length of the intervals before the i-th. */
  readonly #before: Float64Array

  /** The columns of a set: sorted, disjoint. */
  constructor(starts: ArrayLike<number>, ends: ArrayLike<number>) {
    this.#starts = Float64Array.from(starts)
    this.#ends = Float64Array.from(ends)
    this.#before = new Float64Array(starts.length + 1)
    for (let index = 0; index < starts.length; index += 1)
      this.#before[index + 1] = (this.#before[index] ?? 0) + ((ends[index] ?? 0) - (starts[index] ?? 0))
  }

  static of(set: readonly Interval[]): IndexedSet {
    return new IndexedSet(
      set.map(({ start }) => start),
      set.map(({ end }) => end),
    )
  }

  totalWithin(start: number, end: number): number {
    const first = upperBound(this.#ends, start)
    const past = lowerBound(this.#starts, end)
    if (past <= first || !(end > start)) return 0
    const whole = (this.#before[past] ?? 0) - (this.#before[first] ?? 0)
    const cutBefore = Math.max(0, start - (this.#starts[first] ?? 0))
    const cutAfter = Math.max(0, (this.#ends[past - 1] ?? 0) - end)
    return whole - cutBefore - cutAfter
  }
}
