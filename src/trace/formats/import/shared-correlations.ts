/**
 * ROCm's tracers sometimes write one call's correlation on two kernels, and none on another call's.
 * A launch brings one kernel: the later of the two goes to the first launch after it that has none.
 */
import type { EventFile } from './event-reader'
import type { TimeBase } from './time-base'

interface Shared {
  /** Kernels with a correlation, and launches of one kernel each: rows. */
  readonly kernels: readonly number[]
  readonly launches: readonly number[]
}

/** Changes `ofRow`, the correlation by row. @returns whether it did */
export function shareOut(
  { events }: EventFile,
  base: TimeBase,
  { kernels, launches }: Shared,
  ofRow: Uint32Array,
): boolean {
  // Most files share none: they are told in one pass.
  if (new Set(kernels.map((kernel) => ofRow[kernel])).size === kernels.length) return false
  const { pid } = events.columns
  const byStart = (a: number, b: number) => base.nsOf(a) - base.nsOf(b) || a - b
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
    const at = free.findIndex((call) => pid[call] === pid[known] && byStart(call, known) > 0)
    const call = free[at]
    if (call === undefined || base.nsOf(call) > base.nsOf(kernel)) continue
    ofRow[kernel] = ofRow[call] ?? 0
    free.splice(at, 1)
  }
  return true
}
