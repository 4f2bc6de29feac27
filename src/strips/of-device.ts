/**
 * A profile's busiest device, from its first work to its last, as a strip: when it computed,
 * copied, and was in collectives.
 */
import { busiestDevice } from '../analysis/devices'
import { union } from '../analysis/intervals'
import { openTraceFile } from '../trace/formats/import/open-trace'
import { SPAN_KINDS, type SpanKind, type Trace } from '../trace/schema'
import {
  plainBar,
  plainStrip,
  within,
  type Excerpt,
  type ExcerptBar,
  type ExcerptRow,
  type ExcerptStrip,
} from './excerpt'

/** Null where the file is no profile, or nothing ran on a device. */
export async function readDeviceStrip(bytes: Uint8Array): Promise<ExcerptStrip | null> {
  const opened = await openTraceFile(bytes)
  const device = opened.ok ? busiestDevice(opened.value.trace) : null
  return opened.ok && device ? stripOf(opened.value.trace, device) : null
}

const KINDS: readonly SpanKind[] = ['compute', 'transfer', 'collective']

function stripOf({ spans, lanes }: Trace, device: Pick<ExcerptRow, 'name'> & { readonly id: string }) {
  const bars: ExcerptBar[] = []
  for (let span = 0; span < spans.length; span += 1) {
    const lane = lanes[spans.lane[span] ?? -1]
    const kind = SPAN_KINDS[spans.kind[span] ?? -1] ?? 'other'
    if (lane?.kind === 'device' && lane.group === device.id && KINDS.includes(kind))
      bars.push(plainBar(kind, spans.start[span] ?? 0, spans.end[span] ?? 0, { name: kind }))
  }
  const busy = union(bars.map(({ startNs, endNs }) => ({ start: startNs, end: endNs })))
  const [first, last] = [busy[0], busy.at(-1)]
  if (!first || !last) return null
  const { start: zeroNs } = first
  const idle = busy.slice(1).map(({ start }, gap) => ({
    startNs: busy[gap]?.end ?? 0,
    endNs: start,
    cause: null,
    gap,
  }))
  const row: ExcerptRow = {
    kind: 'device',
    name: device.name,
    group: device.id,
    bars: within(bars, zeroNs, Infinity),
    idle: within(idle, zeroNs, Infinity),
  }
  return plainStrip([row], last.end - zeroNs, { variant: device.name, zeroNs })
}

/** Whole strips on the scale of the longest. */
export const wholeStrips = (strips: readonly ExcerptStrip[]): Excerpt => ({
  lengthNs: Math.max(0, ...strips.map(({ windowNs }) => windowNs)),
  strips,
  isDeviceTimed: true,
})
