/**
 * Joins calls of the host with what they made the device do, by `args.correlation` (arrows in the
 * file are often cut off), and says how far the two clocks are surely apart: work that is seen to
 * begin before its call began is off by that much.
 */
import { addTo } from '../../../base/lists'
import { CALL, callRowOf, COPY, copyNameOf, DEVICE_SYNC, isDeviceWork, KERNEL, MEMSET } from '../../vendors'
import { LOST } from './classes'
import type { EventFile } from './event-file'
import { KEY } from './kept-arguments'
import { hasId } from './phases'
import { processesOfDevices } from './processes'
import { shareOut } from './shared-correlations'

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

const LARGEST_INT32 = 2 ** 31 - 1
/** No two clocks of one machine are placed so far apart by a profiler: tens of µs are usual. */
const STRAY_NS = 1_000_000
/** Of all joined records; a file with few of them shows no pattern. */
const MOST_STRAYS = 0.01
const LEAST_JOINED = 4
const PIDS = 2 ** 26

export const joinByCorrelation = (file: EventFile) => new Joining(file).join()
export type Correlations = ReturnType<typeof joinByCorrelation>

class Joining {
  readonly #file: EventFile
  /** Correlation by row: a text number at first. */
  readonly #ofRow: Int32Array
  readonly #calls: Uint32Array
  readonly #work: Uint32Array
  readonly #lost: number[] = []
  readonly #waits: { readonly row: number; readonly stream: number; record: number }[] = []
  readonly #collectives = new Set<number>()
  /** By name, and what the arguments say. */
  readonly #copyNameOf = new Map<string, number>()
  #areNumbers = true

  constructor(file: EventFile) {
    this.#file = file
    this.#ofRow = file.events.columns.key
    const { columns, length } = file.events
    const calls = new Uint32Array(length)
    const work = new Uint32Array(length)
    let callCount = 0
    let workCount = 0
    columns.group.subarray(0, length).forEach((group, row) => {
      if (isDeviceWork(group)) {
        work[workCount] = row
        workCount += 1
      } else if (group === CALL) {
        calls[callCount] = row
        callCount += 1
      } else if (group !== DEVICE_SYNC && group !== LOST) return
      if (hasId(columns.phase[row] ?? 0)) this.#ofRow[row] = 0
      this.#read(row, group)
    })
    this.#calls = calls.slice(0, callCount)
    this.#work = work.slice(0, workCount)
  }

  #read(row: number, group: number): void {
    const { events, args, texts } = this.#file
    const { columns } = events
    const at = columns.args[row] ?? 0
    if (group === KERNEL && args.find(at, KEY['Collective name']) !== 0) this.#collectives.add(row)
    if (group === COPY || group === MEMSET) {
      const bytes = texts.number(args.find(at, KEY.bytes) || args.find(at, KEY.size))
      if (bytes >= 0 && bytes < Infinity) columns.bytes[row] = bytes
    }
    if (group === COPY) this.#nameCopy(row, at)
    const correlation = this.#ofRow[row] ?? 0
    if (correlation === 0) return
    const value = texts.number(correlation)
    if (!(Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32)) this.#areNumbers = false
    if (group === LOST) this.#lost.push(row)
    if (group !== DEVICE_SYNC) return
    const stream = args.find(at, KEY.wait_on_stream)
    this.#waits.push({ row, stream, record: args.find(at, KEY.wait_on_cuda_event_record_corr_id) })
  }

  #nameCopy(row: number, at: number): void {
    const { events, args, texts } = this.#file
    const name = events.columns.name[row] ?? 0
    const kind = args.find(at, KEY['copy kind']) || args.find(at, KEY.direction)
    const [from, to] = [args.find(at, KEY['src kind']), args.find(at, KEY['dst kind'])]
    const details = texts.text(args.find(at, KEY.memcpy_details))
    const bytes = SIZE.exec(details)?.[1]
    if (bytes !== undefined) events.columns.bytes[row] = Number(bytes)
    const key = `${String(name)} ${String(kind)} ${String(from)} ${String(to)} ${details.replace(SIZE, '')}`
    let found = this.#copyNameOf.get(key)
    if (found === undefined) {
      const said = { kind: texts.text(kind), from: texts.text(from), to: texts.text(to), details }
      const better = copyNameOf(texts.text(name), said)
      found = better === null ? name : texts.add(better)
      this.#copyNameOf.set(key, found)
    }
    events.columns.name[row] = found
  }

  join() {
    this.#followArrows()
    const { processes, count } = this.#separateProcesses()
    this.#shareOut(count)
    const ofRow = this.#ofRow
    const { texts, pidOf } = this.#file
    const calls = new Int32Array(count).fill(-1)
    this.#calls.forEach((call) => {
      const correlation = ofRow[call] ?? 0
      if (correlation !== 0 && calls[correlation] === -1) calls[correlation] = call
    })
    const waits = new Map<number, DeviceWait>()
    for (const { row, stream, record } of this.#waits)
      waits.set(ofRow[row] ?? 0, { device: pidOf(row), stream, record })
    const areNumbers = this.#areNumbers
    return {
      callRows: this.#calls,
      /** Rows of work of devices. */
      workRows: this.#work,
      /**
       * By correlation, which is the events' column `key` (one of its own for each process): row of
       * the call; −1: none.
       */
      calls,
      /** Correlation -> what it waited for. */
      waits: waits as ReadonlyMap<number, DeviceWait>,
      /** The process whose calls a device's work is of; of a process, itself. */
      processOf: (pid: number): number => processes.get(pid) ?? pid,
      /** Rows of kernels that say of which collective they are. */
      collectives: this.#collectives as ReadonlySet<number>,
      /** The correlation of a row as a submission number; −1: none. */
      submissionOf: (row: number): number => {
        const correlation = ofRow[row] ?? 0
        return correlation === 0 ? -1 : areNumbers ? texts.number(correlation) : correlation
      },
      ...this.#orderOf(calls),
    }
  }

  /** Those with a correlation, or those without. */
  #among(rows: Uint32Array, isJoined: boolean): number[] {
    return Array.from(rows).filter((row) => (this.#ofRow[row] !== 0) === isJoined)
  }

  /**
   * Work that bears no correlation may have an arrow's end upon it, whose id is that of the call
   * (MTIA).
   */
  #followArrows(): void {
    const { events, arrows } = this.#file
    const { columns, length } = arrows.ends
    const ofRow = this.#ofRow
    const bare = length > 0 ? this.#among(this.#work, false) : []
    if (bare.length > 0 && this.#calls.some((row) => ofRow[row] !== 0)) {
      const ends = new Map<string, number>()
      for (let row = 0; row < length; row += 1)
        ends.set(`${String(columns.thread[row])} ${String(columns.time[row])}`, columns.key[row] ?? 0)
      for (const row of bare)
        ofRow[row] = ends.get(`${String(events.columns.thread[row])} ${String(events.nsOf(row))}`) ?? 0
      this.#areNumbers = false
    }
    arrows.ends.cut(0)
  }

  /**
   * Where several processes call: numbers of their own for each.
   * @returns also how many numbers there are
   */
  #separateProcesses(): { readonly processes: ReadonlyMap<number, number>; readonly count: number } {
    const { pidOf, texts } = this.#file
    const ofRow = this.#ofRow
    const hosts = new Set<number>()
    for (const row of this.#calls) if (ofRow[row] !== 0) hosts.add(pidOf(row))
    if (hosts.size < 2) {
      const devices = hosts.size === 0 ? new Set<number>() : new Set(this.#work.map(pidOf))
      const [only = 0] = hosts
      return { processes: new Map(Array.from(devices, (device) => [device, only])), count: texts.size }
    }
    const calls = this.#among(this.#calls, true)
    const work = [...this.#among(this.#work, true), ...this.#among(this.#work, false)]
    const withId = new Map<number, number[]>()
    for (const call of calls) addTo(withId, ofRow[call] ?? 0, call)
    const processes = processesOfDevices(this.#file, work, (row) => withId.get(ofRow[row] ?? 0) ?? [])
    const numbers = new Map<number, number>()
    const numberOf = (row: number, id: number): number => {
      if (id === 0) return 0
      const own = pidOf(row)
      const key = (processes.get(own) ?? own) * PIDS + id
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, numbers.size + 1)
      return numbers.size
    }
    for (const wait of this.#waits) wait.record = numberOf(wait.row, wait.record)
    for (const rows of [calls, work, this.#lost, this.#waits.map(({ row }) => row)])
      for (const row of rows) ofRow[row] = numberOf(row, ofRow[row] ?? 0)
    this.#areNumbers = false
    return { processes, count: numbers.size + 1 }
  }

  #shareOut(count: number): void {
    const { texts, events } = this.#file
    const { group, name } = events.columns
    // Most files share none.
    const seen = new Uint8Array(count)
    const isShared = this.#work.some((row) => {
      const correlation = this.#ofRow[row] ?? 0
      if (group[row] !== KERNEL || correlation === 0) return false
      const isSeen = seen[correlation] === 1
      seen[correlation] = 1
      return isSeen
    })
    if (!isShared) return
    const isLaunch = texts.asked(bringsOneKernel)
    const kernels = this.#among(this.#work, true).filter((row) => group[row] === KERNEL)
    const launches = this.#among(this.#calls, true).filter((row) => isLaunch(name[row] ?? 0))
    if (shareOut(this.#file, { kernels, launches })) this.#areNumbers = false
  }

  #orderOf(calls: Int32Array) {
    const { events } = this.#file
    const causes = new Uint8Array(calls.length)
    let works = 0
    let joined = 0
    const ahead: { readonly row: number; readonly call: number; readonly ns: number }[] = []
    this.#work.forEach((row) => {
      const correlation = this.#ofRow[row] ?? 0
      if (correlation === 0) return
      works += 1
      causes[correlation] = 1
      const call = calls[correlation] ?? -1
      if (call < 0) return
      joined += 1
      const ns = events.nsOf(call) - events.nsOf(row)
      if (ns > 0) ahead.push({ row, call, ns })
    })
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
      /** By correlation: 1 where work of a device has it. */
      causes,
      unjoined: works - joined,
      /** Largest lead of device work over the call that caused it, strays apart: 0 where none leads. */
      leadNs: leading.reduce((most, { ns }) => Math.max(most, ns), 0),
      leads: leading.length,
      /**
       * Rows of single records that stand long before their call, and of these calls; of calls whose
       * record has no time.
       */
      strays: strays as ReadonlySet<number>,
      outOfOrder: isStray ? far.length : 0,
      strayNs: isStray ? far.reduce((most, { ns }) => Math.max(most, ns), 0) : 0,
    }
  }
}

function bringsOneKernel(call: string): boolean {
  const row = callRowOf(call)
  return row?.use === 'launch' && row.brings === 'one'
}
