/** A recorded profile as a row of a picture: when its busiest device computed, and when it was in collectives. */
import { busiestDevice } from '../../analysis/devices'
import { union } from '../../analysis/intervals'
import type { Interval } from '../../analysis/types'
import { openTraceFile } from '../../trace/formats/import/open-trace'
import { spanKindIndex, type Trace } from '../../trace/schema'

export interface ProfileRow {
  /** Its name. */
  readonly device: string
  readonly lengthNs: number
  /** From the device's first kernel on. */
  readonly computing: readonly Interval[]
  readonly inCollectives: readonly Interval[]
  /** Either of them. */
  readonly running: readonly Interval[]
}

/** Null where the file is no profile, or no kernel is in it. */
export async function readProfileRow(bytes: Uint8Array): Promise<ProfileRow | null> {
  const opened = await openTraceFile(bytes)
  const device = opened.ok ? busiestDevice(opened.value.trace) : null
  return opened.ok && device ? rowOf(opened.value.trace, device) : null
}

function rowOf({ spans, lanes }: Trace, device: { readonly id: string; readonly name: string }) {
  const ofKind = (kind: 'compute' | 'collective'): readonly Interval[] => {
    const found: Interval[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device.id) continue
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
    device: device.name,
    lengthNs: last.end - first.start,
    computing: computing.map(fromFirst),
    inCollectives: inCollectives.map(fromFirst),
    running: running.map(fromFirst),
  }
}
