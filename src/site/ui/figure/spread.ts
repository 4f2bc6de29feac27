/**
 * Labels that stand beside each other without overlapping: each as near as can be to where it belongs. Positions in px along one
 * axis; least squares under 'in this order, at least a gap apart', by pooling neighbours that collide (isotonic regression).
 */

/** @returns positions in the order of `wanted`. Where they cannot all fit between low and high, they are packed from low on. */
export function spread(
  wanted: readonly number[],
  gap: number,
  low = -Infinity,
  high = Infinity,
): readonly number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  // Without the gaps before it, each would like to stand here; then equal is allowed and order is all that matters.
  const pools: { sum: number; count: number }[] = []
  order.forEach((index, rank) => {
    let pool = { sum: (wanted[index] ?? 0) - rank * gap, count: 1 }
    for (;;) {
      const before = pools.at(-1)
      if (!before || before.sum / before.count < pool.sum / pool.count) break
      pools.pop()
      pool = { sum: before.sum + pool.sum, count: before.count + pool.count }
    }
    pools.push(pool)
  })
  const most = high - (wanted.length - 1) * gap
  const placed = wanted.map(() => 0)
  let rank = 0
  for (const { sum, count } of pools) {
    const at = Math.max(low, Math.min(most, sum / count))
    for (let member = 0; member < count; member += 1) {
      placed[order[rank] ?? 0] = at + rank * gap
      rank += 1
    }
  }
  return placed
}
