/**
 * Joins calls of the host with what they made the device do, by `args.correlation` (arrows in the
 * file are often cut off), and says how far the two clocks are surely apart: work that is seen to
 * begin before its call began is off by that much.
 */
import { addTo } from '../../../base/lists'
import { CALL, callRowOf, COPY, copyNameOf, DEVICE_SYNC, isDeviceWork, KERNEL, MEMSET } from '../../vendors'
import { LOST } from './classes'
import { ArgumentReader, isScalar, type EventFile } from './event-reader'
import { numberIn, type JsonCursor } from './json-cursor'
import { KeyTable } from './key-table'
import { processesOfDevices } from './processes'
import { shareOut } from './shared-correlations'
import type { TimeBase } from './time-base'

type Said = 'correlation' | 'collective' | 'bytes' | 'kind' | 'from' | 'to' | 'details' | 'stream' | 'record'
const KEYS = new KeyTable<Said>([
  ['correlation', 'correlation'],
  ['correlation_id', 'correlation'],
  ['Collective name', 'collective'],
  ['bytes', 'bytes'],
  ['size', 'bytes'],
  ['copy kind', 'kind'],
  ['direction', 'kind'],
  ['src kind', 'from'],
  ['dst kind', 'to'],
  ['memcpy_details', 'details'],
  ['wait_on_stream', 'stream'],
  ['wait_on_cuda_event_record_corr_id', 'record'],
])
/** XLA says it among the details of a copy. */
const SIZE = /\bsize:(\d+)/

interface DeviceWait {
  /** Text number of the pid it stands under: the device. */
  readonly device: number
  /** Text number of the stream that is waited for; 0: not said. */
  readonly stream: number
  /** Correlation of the cudaEventRecord call; 0: none. */
  readonly record: number
}

export interface Correlations {
  /** By row: a number of the correlation; 0: none. One of its own for each process. */
  readonly ofRow: Uint32Array
  /** Correlation -> row of the call; −1: none. */
  readonly calls: Int32Array
  /** By correlation: 1 where work of a device has it. */
  readonly causes: Uint8Array
  /** Correlation -> what it waited for. */
  readonly waits: ReadonlyMap<number, DeviceWait>
  /** The process whose calls a device's work is of; of a process, itself. */
  readonly processOf: (pid: number) => number
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
  /**
   * Rows of single records that stand long before their call, and of these calls; of calls whose
   * record has no time.
   */
  readonly strays: ReadonlySet<number>
  readonly outOfOrder: number
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
const PIDS = 2 ** 26

export function* joinByCorrelation(
  file: EventFile,
  classes: Uint8Array,
  base: TimeBase,
): Generator<number, Correlations> {
  const joining = new Joining(file, classes, base)
  yield* joining.read()
  return joining.join()
}

class Joining {
  readonly #file: EventFile
  readonly #classes: Uint8Array
  readonly #base: TimeBase
  readonly #reader: ArgumentReader
  readonly #ofRow: Uint32Array
  readonly #submissions: Int32Array
  readonly #calls: number[] = []
  readonly #work: number[] = []
  readonly #lost: number[] = []
  readonly #waits: { readonly row: number; readonly stream: number; record: number }[] = []
  readonly #collectives = new Set<number>()
  readonly #sizeBytes = new Map<number, number>()
  /** By name, and what the arguments say. */
  readonly #copyNameOf = new Map<string, number>()
  #areNumbers = true

  constructor(file: EventFile, classes: Uint8Array, base: TimeBase) {
    this.#file = file
    this.#classes = classes
    this.#base = base
    this.#reader = new ArgumentReader(file)
    this.#ofRow = new Uint32Array(file.events.length)
    this.#submissions = new Int32Array(file.events.length).fill(-1)
  }

  *read(): Generator<number, void> {
    const { length } = this.#file.events
    for (let row = 0; row < length; row += 1) {
      if (row % 50_000 === 0) yield row / length
      const group = this.#classes[row] ?? 0
      const isWork = isDeviceWork(group)
      if (!isWork && group !== CALL && group !== DEVICE_SYNC && group !== LOST) continue
      this.#readRow(row, group)
      if (isWork) this.#work.push(row)
      else if (this.#ofRow[row] === 0) continue
      else if (group === CALL) this.#calls.push(row)
      else if (group === LOST) this.#lost.push(row)
    }
  }

  #readRow(row: number, group: number): void {
    const said = this.#said
    said.row = row
    said.group = group
    said.correlation = said.stream = said.record = said.kind = said.from = said.to = said.details = 0
    said.value = -1
    this.#reader.each(row, this.#visit)
    const { correlation, value } = said
    this.#ofRow[row] = correlation
    if (group === COPY) this.#nameCopy(row, said.kind, said.from, said.to, said.details)
    if (correlation === 0) return
    if (Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32) this.#submissions[row] = value
    else this.#areNumbers = false
    if (group === DEVICE_SYNC) this.#waits.push({ row, stream: said.stream, record: said.record })
  }

  /** What the arguments of a row say: text numbers; 0: nothing. Filled anew for each. */
  readonly #said = {
    row: 0,
    group: 0,
    correlation: 0,
    value: -1,
    stream: 0,
    record: 0,
    kind: 0,
    from: 0,
    to: 0,
    details: 0,
  }

  readonly #visit = (member: JsonCursor): void => {
    const { bytes, keyStart, keyEnd, start, stop } = member
    const key = KEYS.find(bytes, keyStart, keyEnd)
    if (key === null || !isScalar(member)) return
    const { texts } = this.#file
    const said = this.#said
    const { group } = said
    switch (key) {
      case 'correlation':
        said.correlation = texts.intern(start, stop)
        said.value = numberIn(bytes, start, stop)
        break
      case 'collective':
        if (group === KERNEL && stop > start) this.#collectives.add(said.row)
        break
      case 'bytes':
        if (group === COPY || group === MEMSET) {
          const size = numberIn(bytes, start, stop)
          if (size >= 0 && size < Infinity) this.#sizeBytes.set(said.row, size)
        }
        break
      default:
        if (group === COPY || group === DEVICE_SYNC) said[key] = texts.intern(start, stop)
    }
  }

  #nameCopy(row: number, kind: number, from: number, to: number, details: number): void {
    const { events, texts } = this.#file
    const name = events.columns.name[row] ?? 0
    const said = texts.text(details)
    const bytes = SIZE.exec(said)?.[1]
    if (bytes !== undefined) this.#sizeBytes.set(row, Number(bytes))
    const key = `${String(name)} ${String(kind)} ${String(from)} ${String(to)} ${said.replace(SIZE, '')}`
    let found = this.#copyNameOf.get(key)
    if (found === undefined) {
      const args = { kind: texts.text(kind), from: texts.text(from), to: texts.text(to), details: said }
      const better = copyNameOf(texts.text(name), args, COPY)
      found = better === null ? name : texts.add(better)
      this.#copyNameOf.set(key, found)
    }
    events.columns.name[row] = found
  }

  join(): Correlations {
    this.#followArrows()
    const processes = this.#separateProcesses()
    this.#shareOut()
    const ofRow = this.#ofRow
    const count = 1 + ofRow.reduce((most, id) => Math.max(most, id), 0)
    const calls = new Int32Array(count).fill(-1)
    for (const call of this.#calls) {
      const correlation = ofRow[call] ?? 0
      if (calls[correlation] === -1) calls[correlation] = call
    }
    const { columns } = this.#file.events
    const waits = new Map<number, DeviceWait>()
    for (const { row, stream, record } of this.#waits)
      waits.set(ofRow[row] ?? 0, { device: columns.pid[row] ?? 0, stream, record })
    const work = this.#work.filter((row) => ofRow[row] !== 0)
    const causes = new Uint8Array(count)
    for (const row of work) causes[ofRow[row] ?? 0] = 1
    return {
      ofRow,
      calls,
      causes,
      waits,
      processOf: (pid) => processes.get(pid) ?? pid,
      collectives: this.#collectives,
      sizeBytes: this.#sizeBytes,
      submissions: this.#numbered(),
      ...this.#orderOf(work, calls),
    }
  }

  /**
   * Work that bears no correlation may have an arrow's end upon it, whose id is that of the call
   * (MTIA).
   */
  #followArrows(): void {
    const { events, texts } = this.#file
    const { columns, length } = events
    const bare = this.#work.filter((row) => this.#ofRow[row] === 0)
    if (bare.length === 0 || this.#calls.length === 0) return
    const place = (row: number) =>
      `${String(columns.pid[row])} ${String(columns.tid[row])} ${String(this.#base.nsOf(row))}`
    const ends = new Map<string, number>()
    for (let row = 0; row < length; row += 1)
      if (columns.phase[row] === FINISH && texts.text(columns.category[row] ?? 0) === 'ac2g')
        ends.set(place(row), columns.id[row] ?? 0)
    if (ends.size === 0) return
    for (const row of bare) this.#ofRow[row] = ends.get(place(row)) ?? 0
    this.#areNumbers = false
  }

  /** Where several processes call: numbers of their own for each. */
  #separateProcesses(): ReadonlyMap<number, number> {
    const { pid } = this.#file.events.columns
    const ofRow = this.#ofRow
    const hosts = new Set(this.#calls.map((row) => pid[row] ?? 0))
    if (hosts.size < 2) {
      const [only] = hosts
      const devices = new Set(this.#work.map((row) => pid[row] ?? 0))
      return new Map(only === undefined ? [] : Array.from(devices, (device) => [device, only]))
    }
    const withId = new Map<number, number[]>()
    for (const call of this.#calls) {
      const id = ofRow[call] ?? 0
      addTo(withId, id, call)
    }
    const processes = processesOfDevices(
      this.#file,
      this.#base,
      this.#work,
      (row) => withId.get(ofRow[row] ?? 0) ?? [],
    )
    const numbers = new Map<number, number>()
    const numberOf = (row: number, id: number): number => {
      if (id === 0) return 0
      const own = pid[row] ?? 0
      const key = (processes.get(own) ?? own) * PIDS + id
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, numbers.size + 1)
      return numbers.size
    }
    for (const wait of this.#waits) wait.record = numberOf(wait.row, wait.record)
    for (const rows of [this.#calls, this.#work, this.#lost, this.#waits.map(({ row }) => row)])
      for (const row of rows) ofRow[row] = numberOf(row, ofRow[row] ?? 0)
    this.#areNumbers = false
    return processes
  }

  #shareOut(): void {
    const { columns } = this.#file.events
    const isLaunch: boolean[] = []
    const launches = this.#calls.filter((row) => {
      const name = columns.name[row] ?? 0
      return (isLaunch[name] ??= bringsOneKernel(this.#file.texts.text(name)))
    })
    const kernels = this.#work.filter((row) => this.#classes[row] === KERNEL && this.#ofRow[row] !== 0)
    if (shareOut(this.#file, this.#base, { kernels, launches }, this.#ofRow)) this.#areNumbers = false
  }

  /**
   * As submissions: where they do not all fit the column, their numbers among the file's texts do.
   */
  #numbered(): Int32Array {
    const { length } = this.#file.events
    if (!this.#areNumbers)
      for (let row = 0; row < length; row += 1) this.#submissions[row] = this.#ofRow[row] || -1
    return this.#submissions
  }

  #orderOf(work: readonly number[], calls: Int32Array) {
    const base = this.#base
    let joined = 0
    const ahead: { readonly row: number; readonly call: number; readonly ns: number }[] = []
    for (const row of work) {
      const call = calls[this.#ofRow[row] ?? 0] ?? -1
      if (call < 0) continue
      joined += 1
      const ns = base.nsOf(call) - base.nsOf(row)
      if (ns > 0) ahead.push({ row, call, ns })
    }
    // Clocks that are apart are so for all records: the few that are far out are wrong by
    // themselves.
    const far = ahead.filter(({ ns }) => ns > STRAY_NS)
    const isStray = far.length > 0 && far.length <= Math.max(1, MOST_STRAYS * joined) && joined > LEAST_JOINED
    const strays = new Set(isStray ? far.flatMap(({ row, call }) => [row, call]) : [])
    const leading = ahead.filter(({ row }) => !strays.has(row))
    for (const row of this.#lost) {
      const call = calls[this.#ofRow[row] ?? 0] ?? -1
      strays.add(call < 0 ? row : call)
    }
    return {
      joined,
      unjoined: work.length - joined,
      leadNs: leading.reduce((most, { ns }) => Math.max(most, ns), 0),
      leads: leading.length,
      strays,
      outOfOrder: isStray ? far.length : 0,
      strayNs: isStray ? far.reduce((most, { ns }) => Math.max(most, ns), 0) : 0,
    }
  }
}

const FINISH = 0x66 // 'f'

function bringsOneKernel(call: string): boolean {
  const row = callRowOf(call)
  return row?.use === 'launch' && row.brings === 'one'
}
