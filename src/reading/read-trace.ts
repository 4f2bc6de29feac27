/**
 * A file's bytes to all that the page shows of it: opened, placed, gaps named, devices summed up, path followed, packed for the way.
 * The same door and analysis as `npm run lab -- analyze`. Runs in the reading worker; uses nothing of a worker, so tests run it plainly.
 */
import { criticalPath } from '../analysis/critical-path'
import { pathColumns } from '../analysis/drawn-path'
import { summariseDevices } from '../analysis/devices'
import { drawnGaps } from '../analysis/drawn-gaps'
import { findGaps } from '../analysis/gaps'
import type { Fault } from '../base/fault'
import { fail, succeed, type Result } from '../base/result'
import { openTraceFile, type UnreadableFile } from '../formats/import/open-trace'
import { makePicture, packPicture } from '../trace/picture'
import { placeTrace } from '../trace/place'
import { packPlaced } from '../trace/placed-columns'
import { cap, digestDevice, digestPath, MOST_DEVICES } from './digest'
import { packGaps } from './gap-columns'
import { packTrace } from './packed-trace'
import type { PackedReading, ReadingOptions, ReadingProgress } from './protocol'

export interface ReadTrace {
  readonly reading: PackedReading
  readonly transfer: readonly ArrayBuffer[]
}

/** Reasons and remarks are few in any file but a hostile one. */
const MOST_REASONS = 100

/** Where each phase begins, in shares of the time that 10^5 to 10^6 spans took: the bar moves evenly, and claims no more. */
const PHASES = {
  opening: { from: 0, phase: 'Reading the events' },
  placing: { from: 0.6, phase: 'Placing the spans on one clock' },
  gaps: { from: 0.75, phase: 'Naming the gaps' },
  path: { from: 0.9, phase: 'Following the critical path' },
  handing: { from: 0.97, phase: 'Handing it to the page' },
} as const

const HINTS: Readonly<Record<UnreadableFile['code'], string>> = {
  'not-a-trace':
    'What can be opened: the lab’s own runs (.hdl, .hdl.gz) and Trace Event JSON, plain or gzipped, also of torch.profiler.',
  damaged: 'Save or export it again from where it came from; a file cut short in a download ends like this.',
  'too-new': 'Reload the page for a newer lab.',
  cancelled: '',
}

export async function readTrace(
  bytes: Uint8Array,
  { origin, gaps: which }: ReadingOptions,
  onProgress: (progress: ReadingProgress) => void,
): Promise<Result<ReadTrace>> {
  const say = (phase: keyof typeof PHASES) => {
    onProgress({ fraction: PHASES[phase].from, phase: PHASES[phase].phase })
  }
  const sizeBytes = bytes.length
  say('opening')
  const opened = await openTraceFile(bytes, {
    onProgress: (share) => {
      onProgress({ fraction: share * PHASES.placing.from, phase: PHASES.opening.phase })
    },
  })
  if (!opened.ok) return fail(faultOf(opened.error))
  const { format, report, skipped, notes } = opened.value
  const trace = { ...opened.value.trace, info: { ...opened.value.trace.info, origin } }
  say('placing')
  const placed = placeTrace(trace)
  const picture = packPicture(makePicture(placed))
  say('gaps')
  const devices = summariseDevices(placed)
  const hasDeviceGaps = which === 'of-devices' || report === null
  const gaps = packGaps(hasDeviceGaps ? drawnGaps(placed, devices) : findGaps(placed))
  say('path')
  const path = criticalPath(placed)
  const drawn = path && pathColumns(path)
  const facts = {
    format,
    sizeBytes,
    report,
    skipped: cap(skipped, MOST_REASONS),
    notes: cap(notes, MOST_REASONS),
    devices: { count: devices.length, shown: devices.slice(0, MOST_DEVICES).map(digestDevice) },
    path: path && digestPath(trace, path),
    pathColumns: drawn,
    hasDeviceGaps,
  }
  say('handing')
  // The trace last: packing gives its buffers away.
  const columns = packPlaced(placed)
  const { packed, transfer } = packTrace(trace)
  return succeed({
    reading: {
      ...facts,
      trace: packed,
      placed: columns.columns,
      picture: picture.packed,
      gaps: gaps.columns,
    },
    transfer: [
      ...transfer,
      ...columns.transfer,
      ...picture.transfer,
      ...gaps.transfer,
      ...(drawn ? [drawn.startNs.buffer, drawn.endNs.buffer, drawn.span.buffer, drawn.who.buffer] : []),
    ],
  })
}

const faultOf = ({ code, message }: UnreadableFile): Fault => ({
  code: 'file',
  message,
  hint: HINTS[code],
  data: { problem: code },
})
