/**
 * Joins calls of the host with what they made the device do, by `args.correlation` (arrows in the file are often cut off), and
 * says how far the two clocks are surely apart: work that is seen to begin before its call began is off by that much.
 */
import { CALL, COPY, DEVICE_SYNC, isDeviceWork, KERNEL, MEMSET, type CategoryClass } from './categories'
import { ArgumentReader, isScalar, type EventFile } from './event-reader'
import { ascii, equals, numberIn } from './json-cursor'
import type { TimeBase } from './time-base'

const KEY = {
  correlation: ascii('correlation'),
  collective: ascii('Collective name'),
  bytes: ascii('bytes'),
  waitOnStream: ascii('wait_on_stream'),
  recordCorrelation: ascii('wait_on_cuda_event_record_corr_id'),
}

interface DeviceWait {
  /** Text number of the pid it stands under: the device. */
  readonly device: number
  /** Text number of the stream that is waited for; 0: not said. */
  readonly stream: number
  /** Text number of the correlation of the cudaEventRecord call; 0: none. */
  readonly record: number
}

export interface Correlations {
  /** By row: text number of the correlation; 0: none. */
  readonly ofRow: Uint32Array
  /** Correlation -> row of the call. */
  readonly calls: ReadonlyMap<number, number>
  /** Correlations that work of a device has. */
  readonly causes: ReadonlySet<number>
  /** Correlation -> what it waited for. */
  readonly waits: ReadonlyMap<number, DeviceWait>
  /** Rows of device work that joined a call. */
  readonly joined: number
  readonly unjoined: number
  /** Rows of kernels that say of which collective they are. */
  readonly collectives: ReadonlySet<number>
  /** Copies and memsets. */
  readonly sizeBytes: ReadonlyMap<number, number>
  /** Largest lead of device work over the call that caused it, strays apart: 0 where none leads. */
  readonly leadNs: number
  readonly leads: number
  /** Rows of single records that stand long before their call, and of these calls: out of order. */
  readonly strays: ReadonlySet<number>
  readonly strayNs: number
  /** By row: the correlation as a submission number; −1: none. */
  readonly submissions: Int32Array
}

const LARGEST_INT32 = 2 ** 31 - 1
/** No two clocks of one machine are placed so far apart by a profiler: tens of µs are usual. */
const STRAY_NS = 1_000_000
/** Of all joined records; a file with few of them shows no pattern. */
const MOST_STRAYS = 0.01
const LEAST_JOINED = 4

export function* joinByCorrelation(
  file: EventFile,
  groups: readonly CategoryClass[],
  base: TimeBase,
): Generator<number, Correlations> {
  const { events, bytes, texts } = file
  const { columns, length } = events
  const ofRow = new Uint32Array(length)
  const calls = new Map<number, number>()
  const waits = new Map<number, DeviceWait>()
  const sizeBytes = new Map<number, number>()
  const collectives = new Set<number>()
  const work: number[] = []
  const submissions = new Int32Array(length).fill(-1)
  let areNumbers = true
  const reader = new ArgumentReader(bytes)
  for (let row = 0; row < length; row += 1) {
    if (row % 50_000 === 0) yield row / length
    const group = groups[columns.category[row] ?? 0] ?? 0
    const isWork = isDeviceWork(group)
    if (!isWork && group !== CALL && group !== DEVICE_SYNC) continue
    let correlation = 0
    let stream = 0
    let record = 0
    let value = -1
    reader.each(columns.argsStart[row] ?? 0, columns.argsEnd[row] ?? 0, (member) => {
      if (!isScalar(member)) return
      const { keyStart, keyEnd, start, stop } = member
      const is = (key: Uint8Array) => equals(bytes, keyStart, keyEnd, key)
      if (is(KEY.correlation)) {
        correlation = texts.intern(start, stop)
        value = numberIn(bytes, start, stop)
      }
      if (group === KERNEL && is(KEY.collective) && stop > start) collectives.add(row)
      if ((group === COPY || group === MEMSET) && is(KEY.bytes)) {
        const size = numberIn(bytes, start, stop)
        if (size >= 0 && size < Infinity) sizeBytes.set(row, size)
      } else if (group === DEVICE_SYNC && is(KEY.waitOnStream)) stream = texts.intern(start, stop)
      else if (group === DEVICE_SYNC && is(KEY.recordCorrelation)) record = texts.intern(start, stop)
    })
    ofRow[row] = correlation
    if (correlation === 0) continue
    if (Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32) submissions[row] = value
    else areNumbers = false
    if (group === CALL) {
      if (!calls.has(correlation)) calls.set(correlation, row)
    } else if (group === DEVICE_SYNC)
      waits.set(correlation, { device: columns.pid[row] ?? 0, stream, record })
    else work.push(row)
  }
  let joined = 0
  const ahead: { readonly row: number; readonly call: number; readonly ns: number }[] = []
  for (const row of work) {
    const call = calls.get(ofRow[row] ?? 0)
    if (call === undefined) continue
    joined += 1
    const ns = base.nsOf(call) - base.nsOf(row)
    if (ns > 0) ahead.push({ row, call, ns })
  }
  // Clocks that are apart are so for all records: the few that are far out are wrong by themselves.
  const far = ahead.filter(({ ns }) => ns > STRAY_NS)
  const isStray = far.length > 0 && far.length <= Math.max(1, MOST_STRAYS * joined) && joined > LEAST_JOINED
  const strays = new Set(isStray ? far.flatMap(({ row, call }) => [row, call]) : [])
  const leading = ahead.filter(({ row }) => !strays.has(row))
  // Where they do not all fit the column, their numbers among the file's texts do.
  if (!areNumbers) for (let row = 0; row < length; row += 1) submissions[row] = ofRow[row] || -1
  return {
    ofRow,
    calls,
    causes: new Set(work.map((row) => ofRow[row] ?? 0)),
    waits,
    joined,
    unjoined: work.length - joined,
    collectives,
    sizeBytes,
    leadNs: leading.reduce((most, { ns }) => Math.max(most, ns), 0),
    leads: leading.length,
    strays,
    strayNs: isStray ? far.reduce((most, { ns }) => Math.max(most, ns), 0) : 0,
    submissions,
  }
}
