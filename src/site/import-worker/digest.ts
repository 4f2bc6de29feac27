/**
 * What the page tells of a trace's devices, cut to what a table can show: lists are capped, and say
 * how many there were. The whole of it is `npm run lab -- analyze FILE --json`. Times in µs, as in
 * analysis/devices.ts.
 */
import type { DeviceSummary } from '../../analysis/devices'
import { isIdle } from '../../trace/gap-causes'
import type { GapCause } from '../../trace/gaps'

/** A list that may have been cut: the first of `count`. */
export interface Capped<T> {
  readonly count: number
  readonly shown: readonly T[]
}

interface CauseDigest {
  readonly cause: GapCause
  readonly count: number
  readonly us: number
  readonly longestUs: number
  /** Among the device's gaps, from 0. */
  readonly longest: number
}

export interface DeviceDigest extends Pick<
  DeviceSummary,
  'id' | 'name' | 'axis' | 'busyRatio' | 'workRatio'
> {
  readonly gaps: number
  /** Of causes in which it is known to have been idle. */
  readonly idleUs: number
  /** Most time first; only what there was. */
  readonly causes: readonly CauseDigest[]
}

export const MOST_DEVICES = 32

export const cap = <T>(all: readonly T[], most: number): Capped<T> => ({
  count: all.length,
  shown: all.slice(0, most),
})

export function digestDevice({
  id,
  name,
  axis,
  busyRatio,
  workRatio,
  gaps,
  totals,
}: DeviceSummary): DeviceDigest {
  const causes = new Map<GapCause, CauseDigest>()
  for (const [index, { cause, durationNs }] of gaps.entries()) {
    const us = durationNs / 1e3
    const known = causes.get(cause)
    if (known && known.longestUs >= us) continue
    const { count = 0, us: totalUs = 0 } = totals[cause] ?? {}
    causes.set(cause, { cause, count, us: totalUs, longestUs: us, longest: index })
  }
  const idle = [...causes.values()].filter(({ cause }) => isIdle(cause))
  return {
    id,
    name,
    axis,
    busyRatio,
    workRatio,
    gaps: gaps.length,
    idleUs: idle.reduce((sum, { us }) => sum + us, 0),
    causes: [...causes.values()].sort((a, b) => b.us - a.us),
  }
}
