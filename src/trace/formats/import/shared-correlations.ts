/**
 * ROCm's tracers sometimes write one call's correlation on two kernels, and none on another call's.
 * A launch brings one kernel: the later of the two goes to the first launch after it that has none.
 */
import type { EventFile } from './event-file'

interface Shared {
  /** Kernels with a correlation, and launches of one kernel each: rows. */
  readonly kernels: readonly number[]
  readonly launches: readonly number[]
}

/** Changes the correlation of some kernels. @returns whether it did */
export function shareOut({ events, pidOf }: EventFile, { kernels, launches }: Shared): boolean {
  const { key: ofRow } = events.columns
  const byStart = (a: number, b: number) => events.nsOf(a) - events.nsOf(b) || a - b
  const callOf = new Map(launches.map((call) => [ofRow[call] ?? 0, call]))
  const taken = new Set<number>()
  const extra: number[] = []
  for (const kernel of [...kernels].sort(byStart)) {
    const correlation = ofRow[kernel] ?? 0
    if (taken.has(correlation) && callOf.has(correlation)) extra.push(kernel)
    taken.add(correlation)
  }
  if (extra.length === 0) return false
  const free = launches.filter((call) => !taken.has(ofRow[call] ?? 0)).sort(byStart)
  for (const kernel of extra) {
    const known = callOf.get(ofRow[kernel] ?? 0) ?? -1
    const at = free.findIndex((call) => pidOf(call) === pidOf(known) && byStart(call, known) > 0)
    const call = free[at]
    if (call === undefined || events.nsOf(call) > events.nsOf(kernel)) continue
    ofRow[kernel] = ofRow[call] ?? 0
    free.splice(at, 1)
  }
  return true
}
