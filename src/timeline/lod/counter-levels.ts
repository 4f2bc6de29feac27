/**
 * Level of detail of a counter: smallest and largest value of 2, 4, 8 … samples that follow each
 * other, so that a pixel column with a thousand samples costs one look. Samples hold from their
 * time until the next one's.
 */
import type { CounterColumns } from '../../trace/schema'

/** Samples of a node of level 0, as a power of two. */
const LEAF_SHIFT = 3

export type CounterLevels = ReturnType<typeof makeCounterLevels>

/**
 * `low`, `high`: by level, from nodes of 2^LEAF_SHIFT samples up to one of all. `max`: the largest
 * value of all; 0 where there is none.
 */
export function makeCounterLevels(columns: CounterColumns) {
  const low: Float64Array[] = []
  const high: Float64Array[] = []
  if (columns.length > 0) {
    const nodes = Math.ceil(columns.length / (1 << LEAF_SHIFT))
    const lows = new Float64Array(nodes).fill(Infinity)
    const highs = new Float64Array(nodes).fill(-Infinity)
    for (let sample = 0; sample < columns.length; sample += 1) {
      const node = sample >> LEAF_SHIFT
      const value = columns.value[sample] ?? 0
      if (value < (lows[node] ?? 0)) lows[node] = value
      if (value > (highs[node] ?? 0)) highs[node] = value
    }
    low.push(lows)
    high.push(highs)
  }
  for (let [lows, highs] = [low.at(-1), high.at(-1)]; lows && highs && lows.length > 1;) {
    const nodes = Math.ceil(lows.length / 2)
    const [below, above] = [lows, highs]
    const pair = (values: Float64Array, node: number, pick: (...of: readonly number[]) => number) =>
      pick(values[node * 2] ?? 0, values[Math.min(node * 2 + 1, values.length - 1)] ?? 0)
    lows = Float64Array.from({ length: nodes }, (_, node) => pair(below, node, Math.min))
    highs = Float64Array.from({ length: nodes }, (_, node) => pair(above, node, Math.max))
    low.push(lows)
    high.push(highs)
  }
  return { columns, low, high, max: high.at(-1)?.[0] ?? 0 }
}

/**
 * Meets samples [first, last): nodes that last less than `limitNs` as their lowest, highest and
 * last value, others one by one. A node lasts until the sample after it.
 */
export function visitCounter(
  { columns, low, high }: CounterLevels,
  first: number,
  last: number,
  limitNs: number,
  onSamples: (timeNs: number, low: number, high: number, lastValue: number) => void,
): void {
  const { timeNs, value } = columns
  for (let sample = first; sample < last;) {
    let level = -1
    // The largest node that begins here, ends before `last` and is short enough.
    while (level + 1 < low.length) {
      const size = 1 << (LEAF_SHIFT + level + 1)
      const end = sample + size
      if (sample % size !== 0 || end >= last) break
      if ((timeNs[end] ?? Infinity) - (timeNs[sample] ?? 0) >= limitNs) break
      level += 1
    }
    const at = timeNs[sample] ?? 0
    if (level < 0) {
      const only = value[sample] ?? 0
      onSamples(at, only, only, only)
      sample += 1
      continue
    }
    const shift = LEAF_SHIFT + level
    const node = sample >> shift
    sample += 1 << shift
    onSamples(at, low[level]?.[node] ?? 0, high[level]?.[node] ?? 0, value[sample - 1] ?? 0)
  }
}
