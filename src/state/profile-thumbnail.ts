/** A recorded profile as a row of a picture: when its busiest device computed, and when it was in collectives. Pure. */
import { union } from '../analysis/intervals'
import type { Interval } from '../analysis/types'
import { spanKindIndex } from '../trace/schema'
import type { Profile } from './profile'

export interface ProfileRow {
  readonly lengthNs: number
  /** From the device's first kernel on. */
  readonly computing: readonly Interval[]
  readonly inCollectives: readonly Interval[]
  /** Either of them. */
  readonly running: readonly Interval[]
}

/** Null where no kernel is in it. */
export function profileRow({ placed: { trace }, device }: Profile): ProfileRow | null {
  const { spans, lanes } = trace
  const ofKind = (kind: 'compute' | 'collective'): readonly Interval[] => {
    const found: Interval[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device?.id) continue
      if (spans.kind[span] !== spanKindIndex(kind)) continue
      found.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
    }
    return union(found)
  }
  const [computing, inCollectives] = [ofKind('compute'), ofKind('collective')]
  const running = union([...computing, ...inCollectives])
  const [first, last] = [running[0], running.at(-1)]
  if (!first || !last) return null
  const fromFirst = ({ start, end }: Interval) => ({ start: start - first.start, end: end - first.start })
  return {
    lengthNs: last.end - first.start,
    computing: computing.map(fromFirst),
    inCollectives: inCollectives.map(fromFirst),
    running: running.map(fromFirst),
  }
}
