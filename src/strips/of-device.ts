/**
 * A profile's busiest device, from its first work to its last, as a strip: when it computed,
 * copied, and was in collectives.
 */
import { busiestDevice } from '../analysis/devices'
import { union } from '../analysis/intervals'
import type { Interval } from '../analysis/types'
import { openTraceFile } from '../trace/formats/import/open-trace'
import { spanKindIndex, type Trace } from '../trace/schema'
import { plainBar, plainStrip, type Excerpt, type ExcerptStrip } from './excerpt'

export interface DeviceStrip extends ExcerptStrip {
  /** Its name. */
  readonly device: string
}

/** Null where the file is no profile, or nothing ran on a device. */
export async function readDeviceStrip(bytes: Uint8Array): Promise<DeviceStrip | null> {
  const opened = await openTraceFile(bytes)
  const device = opened.ok ? busiestDevice(opened.value.trace) : null
  return opened.ok && device ? stripOf(opened.value.trace, device) : null
}

const KINDS = ['compute', 'transfer', 'collective'] as const

function stripOf(
  { spans, lanes }: Trace,
  device: { readonly id: string; readonly name: string },
): DeviceStrip | null {
  const byKind = KINDS.map((kind) => {
    const found: Interval[] = []
    for (let span = 0; span < spans.length; span += 1) {
      const lane = lanes[spans.lane[span] ?? -1]
      if (lane?.kind !== 'device' || lane.group !== device.id || spans.kind[span] !== spanKindIndex(kind))
        continue
      found.push({ start: spans.start[span] ?? 0, end: spans.end[span] ?? 0 })
    }
    return { kind, running: union(found) }
  })
  const busy = union(byKind.flatMap(({ running }) => running))
  const [first, last] = [busy[0], busy.at(-1)]
  if (!first || !last) return null
  const from = first.start
  const bars = byKind.flatMap(({ kind, running }) =>
    running.map(({ start, end }) => plainBar(kind, start - from, end - from, { name: kind })),
  )
  const idle = busy.slice(1).map(({ start }, at) => ({
    startNs: (busy[at]?.end ?? 0) - from,
    endNs: start - from,
    cause: null,
    gap: at,
  }))
  const rows = [{ kind: 'device' as const, name: device.name, group: device.id, bars, idle }]
  const strip = plainStrip(rows, last.end - from, { variant: device.name, zeroNs: from })
  return { device: device.name, ...strip }
}

/** Whole strips on the scale of the longest. */
export const wholeStrips = (strips: readonly ExcerptStrip[]): Excerpt => ({
  lengthNs: Math.max(0, ...strips.map(({ windowNs }) => windowNs)),
  strips,
  isDeviceTimed: true,
})
