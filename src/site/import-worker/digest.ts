/**
 * What the page tells of a trace's devices and critical path, cut to what a table can show: lists are capped, and say how many there
 * were. The whole of it is `npm run lab -- analyze FILE --json`. Times of devices in µs, as in analysis/devices.ts.
 */
import type { CriticalPath, PathSegment } from '../../analysis/critical-path'
import type { CollectiveTotal, CopyTotal, DeviceSummary } from '../../analysis/devices'
import type { PathOwner } from '../../analysis/types'
import { isIdle } from '../../trace/gap-causes'
import type { GapCause } from '../../trace/gaps'
import { SPAN_KINDS, type Trace } from '../../trace/schema'

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

type Uncut = 'lanes' | 'collectives' | 'gaps' | 'reasoned' | 'copies' | 'totals'
export interface DeviceDigest extends Omit<DeviceSummary, Uncut> {
  readonly lanes: Capped<string>
  readonly collectives: Capped<CollectiveTotal>
  readonly gaps: number
  /** Of causes in which it is known to have been idle. */
  readonly idleUs: number
  /** Most time first; only what there was. */
  readonly causes: readonly CauseDigest[]
  readonly copies: Capped<CopyTotal>
}

/** The path's own parts, with the device's work distinguished. */
export type DetailedPathOwner = Exclude<PathOwner, 'device'> | 'kernel' | 'copy' | 'collective'

export interface PathShare {
  readonly owner: DetailedPathOwner
  readonly ns: number
  /** Longest first. */
  readonly segments: Capped<PathSegment>
}

export interface PathDigest {
  readonly ns: number
  readonly segments: number
  /** Most time first; only what there was. */
  readonly shares: readonly PathShare[]
}

const MOST_LANES = 24
const MOST_COPIES = 40
const MOST_SEGMENTS = 40
export const MOST_DEVICES = 32

export const cap = <T>(all: readonly T[], most: number): Capped<T> => ({
  count: all.length,
  shown: all.slice(0, most),
})

export function digestDevice({ gaps, lanes, copies, totals, ...rest }: DeviceSummary): DeviceDigest {
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
    id: rest.id,
    name: rest.name,
    spans: rest.spans,
    busyUs: rest.busyUs,
    spanUs: rest.spanUs,
    unrecordedUs: rest.unrecordedUs,
    coverage: rest.coverage,
    busyRatio: rest.busyRatio,
    workUs: rest.workUs,
    workRatio: rest.workRatio,
    collectiveUs: rest.collectiveUs,
    collectives: cap(
      [...rest.collectives].sort((a, b) => b.us - a.us),
      MOST_COPIES,
    ),
    axis: rest.axis,
    lanes: cap(lanes, MOST_LANES),
    gaps: gaps.length,
    idleUs: idle.reduce((sum, { us }) => sum + us, 0),
    causes: [...causes.values()].sort((a, b) => b.us - a.us),
    copies: cap(
      [...copies].sort((a, b) => b.busyUs - a.busyUs),
      MOST_COPIES,
    ),
  }
}

/** The largest so many, largest first, of equals the earlier: of 10^5 segments a table shows 40. */
function longestOf<T>(all: readonly T[], length: (of: T) => number, most: number): readonly T[] {
  if (all.length <= most) return [...all].sort((a, b) => length(b) - length(a))
  const least = Float64Array.from(all, length).sort()[all.length - most] ?? 0
  const above = all.filter((one) => length(one) > least)
  const equal = all.filter((one) => length(one) === least)
  return [...above, ...equal.slice(0, most - above.length)].sort((a, b) => length(b) - length(a))
}

export function digestPath({ spans }: Trace, { segments }: CriticalPath): PathDigest {
  const [transfer, collective] = [SPAN_KINDS.indexOf('transfer'), SPAN_KINDS.indexOf('collective')]
  const workOf = (kind: number | undefined): DetailedPathOwner =>
    kind === transfer ? 'copy' : kind === collective ? 'collective' : 'kernel'
  const byOwner = new Map<DetailedPathOwner, PathSegment[]>()
  for (const segment of segments) {
    const owner = segment.who === 'device' ? workOf(spans.kind[segment.span]) : segment.who
    const list = byOwner.get(owner)
    if (list) list.push(segment)
    else byOwner.set(owner, [segment])
  }
  const length = ({ startNs, endNs }: PathSegment) => endNs - startNs
  const total = (of: readonly PathSegment[]) => of.reduce((sum, segment) => sum + length(segment), 0)
  const shares = Array.from(byOwner, ([owner, own]): PathShare => ({
    owner,
    ns: total(own),
    segments: { count: own.length, shown: longestOf(own, length, MOST_SEGMENTS) },
  }))
  return { ns: total(segments), segments: segments.length, shares: shares.sort((a, b) => b.ns - a.ns) }
}
