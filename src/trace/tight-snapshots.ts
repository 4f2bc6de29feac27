/**
 * The clock snapshots that a fit rests on, of all that a trace holds: a bracket bounds the map from device ticks to host time from
 * below at its begin and from above at its end (clock.ts), and only those on the hull of all the bounds are tight for any line. The fit
 * of these is the fit of all. Non-finite ones, which a fit leaves out, are dropped.
 */
import type { ClockSnapshot } from './schema'

interface Bound {
  readonly snapshot: ClockSnapshot
  readonly tick: number
  readonly hostNs: number
}

/** Monotone chain, left to right: the points that no line below (side 1) or above (side −1) all others can miss. */
function hull(bounds: readonly Bound[], side: 1 | -1): readonly Bound[] {
  const [first] = bounds
  if (!first) return []
  const sorted = bounds.toSorted((a, b) => a.tick - b.tick || side * (a.hostNs - b.hostNs))
  const chain: Bound[] = []
  // Taken from the first, so that products of nanoseconds of a day keep their digits.
  const x = ({ tick }: Bound) => tick - first.tick
  const y = ({ hostNs }: Bound) => side * (hostNs - first.hostNs)
  for (const bound of sorted) {
    for (;;) {
      const [a, b] = [chain.at(-2), chain.at(-1)]
      if (!a || !b) break
      const turn = (x(b) - x(a)) * (y(bound) - y(a)) - (y(b) - y(a)) * (x(bound) - x(a))
      if (turn < 0) break
      chain.pop()
    }
    chain.push(bound)
  }
  return chain
}

export function tightSnapshots(snapshots: readonly ClockSnapshot[]): readonly ClockSnapshot[] {
  const finite = snapshots.filter(({ hostBeforeNs, beginTick, endTick, hostAfterNs }) =>
    Number.isFinite(hostBeforeNs + beginTick + endTick + hostAfterNs),
  )
  const kept = new Set<ClockSnapshot>()
  for (const clock of new Set(finite.map((snapshot) => snapshot.clock))) {
    const own = finite.filter((snapshot) => snapshot.clock === clock)
    const begins = own.map((snapshot) => ({
      snapshot,
      tick: snapshot.beginTick,
      hostNs: snapshot.hostBeforeNs,
    }))
    const ends = own.map((snapshot) => ({ snapshot, tick: snapshot.endTick, hostNs: snapshot.hostAfterNs }))
    for (const { snapshot } of [...hull(begins, 1), ...hull(ends, -1)]) kept.add(snapshot)
    // The middle of the ticks seen is where a fit takes its offset.
    for (const edge of [...begins, ...ends].toSorted((a, b) => a.tick - b.tick).filter(isEdge))
      kept.add(edge.snapshot)
  }
  return snapshots.filter((snapshot) => kept.has(snapshot))
}

const isEdge = (_: Bound, index: number, all: readonly Bound[]): boolean =>
  index === 0 || index === all.length - 1
