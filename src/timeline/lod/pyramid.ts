/**
 * Level of detail of one row of spans, so that a picture costs what its pixels cost, not what its
 * spans do.
 *
 *   level 1   ┌───────────┬───────────┐   a node knows of its spans: the last end, the longest of them,
 *   level 0   ├─────┬─────┼─────┬─────┤   and how much time each bucket (kind, and whether inferred) takes
 *   row       ▇ ▇▇ ▇ ▇ ▇▇ ▇ ▇ ▇ ▇▇ ▇ ▇    nodes of 2, 4, 8 … spans that follow each other
 *
 * A walk goes down from the top and stops at nodes too narrow to tell apart. Nodes join neighbours
 * by order, not by time, so what stops it is the node's own extent: a span wider than the limit is
 * always met by itself. After Perfetto's mipmap (docs/design-docs/ trace-processor-slices), which
 * keeps the longest; the sums are ours. Units: host ns.
 */
import { SPAN_KINDS, SPAN_SOURCES } from '../../trace/schema'

/** Kind and whether inferred: 2 · kind + (inferred ? 1 : 0). */
export const BUCKET_COUNT = SPAN_KINDS.length * 2
const INFERRED = SPAN_SOURCES.indexOf('inferred')
export const bucketOf = (kind: number, source: number): number => kind * 2 + (source === INFERRED ? 1 : 0)

/**
 * Spans of a node of level 0, as a power of two: 2² = 4. Half of the memory of 2, and a walk looks
 * at no more than 4 spans where one look would do.
 */
const LEAF_SHIFT = 2

/**
 * A span of no length counts this much, ns: a sum above 0 means that the bucket is there. 10^9 of
 * them make a nanosecond.
 */
const LEAST_NS = 1e-9

/** Spans in order of start; two overlap only where a lane is deeper than its rows. */
export interface SpanRow {
  readonly length: number
  /** Index into `trace.spans`. */
  readonly span: Uint32Array
  readonly startNs: Float64Array
  readonly endNs: Float64Array
  readonly bucket: Uint8Array
}

/** Room for so many spans. */
export const blankRow = (length: number): SpanRow => ({
  length,
  span: new Uint32Array(length),
  startNs: new Float64Array(length),
  endNs: new Float64Array(length),
  bucket: new Uint8Array(length),
})

interface Level {
  readonly length: number
  /**
   * Start of the node's first span. The node keeps it too: a walk reads neighbours, which lie far
   * apart in the row's column.
   */
  readonly startNs: Float64Array
  /** Latest end among the node's spans. */
  readonly endNs: Float64Array
  /** Position in the row of the node's longest span, the first of equals. */
  readonly longest: Uint32Array
  /** By node, then by position in `Pyramid.buckets`: sum of durations, ns. */
  readonly busyNs: Float64Array
}

export interface Pyramid extends SpanRow {
  /** Buckets that occur in the row. */
  readonly buckets: Uint8Array
  /** From the finest, of 2^LEAF_SHIFT spans, to the one node of all; none for an empty row. */
  readonly levels: readonly Level[]
}

/** All that it is made of, for its way between threads. */
export const pyramidColumns = ({ span, startNs, endNs, bucket, buckets, levels }: Pyramid) => [
  span,
  startNs,
  endNs,
  bucket,
  buckets,
  ...levels.flatMap((level) => [level.startNs, level.endNs, level.longest, level.busyNs]),
]

export function makePyramid(row: SpanRow): Pyramid {
  const present = new Uint8Array(BUCKET_COUNT)
  for (let position = 0; position < row.length; position += 1) present[row.bucket[position] ?? 0] = 1
  const buckets = Uint8Array.from([...present.keys()].filter((bucket) => present[bucket] === 1))
  const levels: Level[] = []
  if (row.length > 0) levels.push(finest(row, buckets))
  for (let last = levels.at(-1); last && last.length > 1; last = levels.at(-1))
    levels.push(coarser(row, last, buckets.length))
  return { ...row, buckets, levels }
}

function finest(row: SpanRow, buckets: Uint8Array): Level {
  const width = buckets.length
  const length = Math.ceil(row.length / (1 << LEAF_SHIFT))
  const at = new Uint8Array(BUCKET_COUNT)
  for (const [index, bucket] of buckets.entries()) at[bucket] = index
  const startNs = new Float64Array(length)
  const endNs = new Float64Array(length).fill(-Infinity)
  const longest = new Uint32Array(length)
  const busyNs = new Float64Array(length * width)
  let longestNs = -1
  for (let position = 0; position < row.length; position += 1) {
    const node = position >> LEAF_SHIFT
    if (position === node << LEAF_SHIFT) {
      longestNs = -1
      startNs[node] = row.startNs[position] ?? 0
    }
    const end = row.endNs[position] ?? 0
    const durationNs = end - (row.startNs[position] ?? 0)
    if (end > (endNs[node] ?? 0)) endNs[node] = end
    if (durationNs > longestNs) {
      longestNs = durationNs
      longest[node] = position
    }
    const slot = node * width + (at[row.bucket[position] ?? 0] ?? 0)
    busyNs[slot] = (busyNs[slot] ?? 0) + Math.max(LEAST_NS, durationNs)
  }
  return { length, startNs, endNs, longest, busyNs }
}

function coarser(row: SpanRow, below: Level, width: number): Level {
  const length = Math.ceil(below.length / 2)
  const startNs = new Float64Array(length)
  const endNs = new Float64Array(length)
  const longest = new Uint32Array(length)
  const busyNs = new Float64Array(length * width)
  const durationNs = (position: number) => (row.endNs[position] ?? 0) - (row.startNs[position] ?? 0)
  for (let node = 0; node < length; node += 1) {
    const left = node * 2
    // The last node may have one child only.
    const right = Math.min(left + 1, below.length - 1)
    startNs[node] = below.startNs[left] ?? 0
    endNs[node] = Math.max(below.endNs[left] ?? 0, below.endNs[right] ?? 0)
    const [a, b] = [below.longest[left] ?? 0, below.longest[right] ?? 0]
    longest[node] = durationNs(b) > durationNs(a) ? b : a
    for (let bucket = 0; bucket < width; bucket += 1)
      busyNs[node * width + bucket] =
        (below.busyNs[left * width + bucket] ?? 0) +
        (right === left ? 0 : (below.busyNs[right * width + bucket] ?? 0))
  }
  return { length, startNs, endNs, longest, busyNs }
}

/** First and one past the last position of a node's spans. */
export const firstOf = (level: number, node: number): number => node << (LEAF_SHIFT + level)
export const endOf = ({ length }: SpanRow, level: number, node: number): number =>
  Math.min(length, (node + 1) << (LEAF_SHIFT + level))

export interface RowVisitor {
  readonly onSpan: (position: number) => void
  /** A node whose spans all lie within less than the limit. */
  readonly onNode: (level: number, node: number) => void
}

/**
 * Meets everything that touches [startNs, endNs], in order: nodes shorter than `limitNs` as one,
 * all else span by span. In a loop: a frame meets some 10^4 nodes.
 */
export function visitRow(
  row: Pyramid,
  startNs: number,
  endNs: number,
  limitNs: number,
  visitor: RowVisitor,
): void {
  const { levels } = row
  const top = levels.length - 1
  let level = top
  let node = 0
  let of = levels[level]
  while (of && node < of.length) {
    const nodeStartNs = of.startNs[node] ?? 0
    const nodeEndNs = of.endNs[node] ?? 0
    // In order of start: all that comes is later still.
    if (nodeStartNs > endNs) return
    if (nodeEndNs >= startNs) {
      const first = firstOf(level, node)
      const last = endOf(row, level, node)
      if (nodeEndNs - nodeStartNs < limitNs && last - first > 1) visitor.onNode(level, node)
      else if (level > 0) {
        level -= 1
        node *= 2
        of = levels[level]
        continue
      } else
        for (let position = first; position < last; position += 1) {
          if ((row.endNs[position] ?? 0) < startNs) continue
          if ((row.startNs[position] ?? 0) > endNs) return
          visitor.onSpan(position)
        }
    }
    node += 1
    // Behind a right child comes what follows its parent.
    while ((node & 1) === 0 && level < top) {
      node >>= 1
      level += 1
    }
    of = levels[level]
  }
}
