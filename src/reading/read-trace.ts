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
import { openTraceFile, type OpenedTrace, type UnreadableFile } from '../formats/import/open-trace'
import { gapRowBuffers, makeGapRows } from '../trace/gap-rows'
import { makePicture, packPicture } from '../trace/picture'
import { placeTrace } from '../trace/place'
import type { Trace } from '../trace/schema'
import { packPlaced } from '../trace/placed-columns'
import { cap, digestDevice, digestPath, MOST_DEVICES } from './digest'
import { packGaps } from './gap-columns'
import { packTrace } from './packed-trace'
import type { FoundFacts, PackedGaps, PackedOpened, ReadingOptions, ReadingProgress } from './protocol'

/** Where what is read goes. */
export interface ReadingListener {
  readonly onProgress: (progress: ReadingProgress) => void
  readonly onOpened: (opened: PackedOpened, transfer: readonly ArrayBuffer[]) => void
  readonly onGaps: (gaps: PackedGaps, transfer: readonly ArrayBuffer[]) => void
  readonly onFound: (found: FoundFacts, transfer: readonly ArrayBuffer[]) => void
}

/** Reasons and remarks are few in any file but a hostile one. */
const MOST_REASONS = 100

/** Where each phase begins, in shares of the time that 10^5 to 10^6 spans took: the bar moves evenly, and claims no more. */
const PHASES = {
  opening: { from: 0, phase: 'Reading the events' },
  placing: { from: 0.6, phase: 'Placing the spans on one axis' },
  gaps: { from: 0.75, phase: 'Naming the gaps' },
  path: { from: 0.9, phase: 'Following the critical path' },
} as const

const HINTS: Readonly<Record<UnreadableFile['code'], string>> = {
  'not-a-trace':
    'What can be opened: the lab’s own runs (.hdl, .hdl.gz) and Trace Event JSON, plain or gzipped, also of torch.profiler.',
  damaged: 'Save or export it again from where it came from; a file cut short in a download ends like this.',
  'too-new': 'Reload the page for a newer lab.',
  cancelled: '',
}

/** Success: all parts have been given to the listener. */
export async function readTrace(
  source: Uint8Array | Trace,
  { origin, gaps: which }: ReadingOptions,
  { onProgress, onOpened, onGaps, onFound }: ReadingListener,
): Promise<Result<void>> {
  const say = (phase: keyof typeof PHASES) => {
    onProgress({ fraction: PHASES[phase].from, phase: PHASES[phase].phase })
  }
  say('opening')
  const read = await open(source, (share) => {
    onProgress({ fraction: share * PHASES.placing.from, phase: PHASES.opening.phase })
  })
  if (!read.ok) return fail(faultOf(read.error))
  const { format, report, skipped, notes } = read.value
  const trace = { ...read.value.trace, info: { ...read.value.trace.info, origin } }
  const isOpen = !(source instanceof Uint8Array)
  say('placing')
  const placed = placeTrace(trace)
  const picture = packPicture(makePicture(placed))
  const columns = packPlaced(placed)
  const { packed, transfer } = packTrace(trace)
  const facts = {
    format,
    sizeBytes: isOpen ? 0 : source.length,
    report,
    skipped: cap(skipped, MOST_REASONS),
    notes: cap(notes, MOST_REASONS),
  }
  onOpened({ ...facts, trace: packed, placed: columns.columns, picture: picture.packed }, [
    ...transfer,
    ...columns.transfer,
    ...picture.transfer,
  ])

  say('gaps')
  const devices = summariseDevices(placed)
  // A file without a report is no run of the lab's; an open trace is one.
  const hasDeviceGaps = which === 'of-devices' || (report === null && !isOpen)
  const gaps = hasDeviceGaps ? drawnGaps(placed, devices) : findGaps(placed)
  const rows = makeGapRows(placed, gaps)
  const packedGaps = packGaps(gaps)
  onGaps({ columns: packedGaps.columns, rows }, [...packedGaps.transfer, ...gapRowBuffers(rows)])
  say('path')
  const path = criticalPath(placed)
  const drawn = path && pathColumns(path)
  onFound(
    {
      devices: { count: devices.length, shown: devices.slice(0, MOST_DEVICES).map(digestDevice) },
      path: path && digestPath(trace, path),
      pathColumns: drawn,
      hasDeviceGaps,
    },
    drawn ? [drawn.startNs.buffer, drawn.endNs.buffer, drawn.span.buffer, drawn.who.buffer] : [],
  )
  return succeed(undefined)
}

/** A trace that is open already is as a file of the lab's own. */
const open = async (
  source: Uint8Array | Trace,
  onProgress: (share: number) => void,
): Promise<Result<OpenedTrace, UnreadableFile>> =>
  source instanceof Uint8Array
    ? await openTraceFile(source, { onProgress })
    : succeed({ format: 'host-device-lab', trace: source, report: null, skipped: [], notes: [] })

const faultOf = ({ code, message }: UnreadableFile): Fault => ({
  code: 'file',
  message,
  hint: HINTS[code],
  data: { problem: code },
})
