/**
 * Joins calls of the host with what they made the device do, by `args.correlation` (arrows in the
 * file are often cut off), and says how far the two clocks are surely apart: work that is seen to
 * begin before its call began is off by that much.
 */
import { addTo } from '../../../base/lists'
import { upperBound } from '../../../base/search'
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
/** As many as the column of threads can tell apart. */
const THREADS = 2 ** 16

/** `nsOf`: of times of arrows. */
export const joinByCorrelation = (file: EventFile, nsOf: (us: number, restNs: number) => number) =>
  new Joining(file).join(nsOf)
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
  /** By correlation: the row of its first call; −1: it has none. */
  #callOf: Int32Array
  /** Values of correlations, which are text numbers. */
  readonly #values: Int32Array
  #areNumbers = true
  /** Threads of calls with a correlation, and of work: 1. */
  readonly #callers = new Uint8Array(THREADS)
  readonly #workers = new Uint8Array(THREADS)
  /** Kernels have one correlation. */
  #mayShare = false
  /** Work has none. */
  #hasBareWork = false

  constructor(file: EventFile) {
    this.#file = file
    this.#ofRow = file.events.columns.key
    const { columns, length } = file.events
    const { args, key, phase, thread } = columns
    const { size } = file.texts
    const calls = new Uint32Array(length)
    const work = new Uint32Array(length)
    const callOf = new Int32Array(size).fill(-1)
    const values = new Int32Array(size).fill(-1)
    const hasKernel = new Uint8Array(size)
    this.#callOf = callOf
    this.#values = values
    let callCount = 0
    let workCount = 0
    columns.group.subarray(0, length).forEach((group, row) => {
      const isCall = group === CALL
      if (!isCall && !isDeviceWork(group)) return
      if (hasId(phase[row] ?? 0)) key[row] = 0
      const correlation = key[row] ?? 0
      const isJoined = correlation !== 0
      if (isJoined && values[correlation] === -1) this.#readValue(correlation)
      if (isCall) {
        calls[callCount] = row
        callCount += 1
        if (!isJoined) return
        this.#callers[thread[row] ?? 0] = 1
        if (callOf[correlation] === -1) callOf[correlation] = row
        return
      }
      work[workCount] = row
      workCount += 1
      this.#workers[thread[row] ?? 0] = 1
      if (!isJoined) this.#hasBareWork = true
      if (group !== KERNEL) return
      if (args[row] !== 0 && file.args.find(args[row] ?? 0, KEY['Collective name']) !== 0)
        this.#collectives.add(row)
      if (hasKernel[correlation] === 1) this.#mayShare = true
      hasKernel[correlation] = isJoined ? 1 : 0
    })
    this.#calls = calls.slice(0, callCount)
    this.#work = work.slice(0, workCount)
    this.#readCopies()
    this.#readRest()
  }

  #readValue(correlation: number): void {
    const value = this.#file.texts.number(correlation)
    if (Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32) this.#values[correlation] = value
    else this.#areNumbers = false
  }

  #readCopies(): void {
    const { events, args, texts } = this.#file
    const { columns } = events
    for (const group of [COPY, MEMSET])
      for (const row of events.rowsWith('group', group)) {
        const at = columns.args[row] ?? 0
        const bytes = texts.number(args.find(at, KEY.bytes) || args.find(at, KEY.size))
        if (bytes >= 0 && bytes < Infinity) columns.bytes[row] = bytes
        if (group === COPY) this.#nameCopy(row, at)
      }
  }

  /** What a device waited for, and work that has lost its time. */
  #readRest(): void {
    const { events, args } = this.#file
    const { columns } = events
    for (const group of [DEVICE_SYNC, LOST])
      for (const row of events.rowsWith('group', group)) {
        if (hasId(columns.phase[row] ?? 0)) this.#ofRow[row] = 0
        const correlation = this.#ofRow[row] ?? 0
        if (correlation === 0) continue
        this.#readValue(correlation)
        const at = columns.args[row] ?? 0
        if (group === LOST) this.#lost.push(row)
        else
          this.#waits.push({
            row,
            stream: args.find(at, KEY.wait_on_stream) || args.find(at, KEY.stream),
            record: args.find(at, KEY.wait_on_cuda_event_record_corr_id),
          })
      }
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

  join(nsOf: (us: number, restNs: number) => number) {
    this.#followArrows(nsOf)
    const processes = this.#separateProcesses()
    this.#shareOut()
    const ofRow = this.#ofRow
    const calls = this.#callOf
    const values = this.#values
    const { pidOf } = this.#file
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
        return correlation === 0 ? -1 : areNumbers ? (values[correlation] ?? 0) : correlation
      },
      ...this.#orderOf(calls),
    }
  }

  /** Those with a correlation, or those without. */
  #among(rows: Uint32Array, isJoined: boolean): number[] {
    return Array.from(rows).filter((row) => (this.#ofRow[row] !== 0) === isJoined)
  }

  /**
   * Work that bears no correlation may have an arrow's end upon it. Its id is that of the call
   * (MTIA), or it starts within one (Ascend).
   */
  #followArrows(nsOf: (us: number, restNs: number) => number): void {
    const { events, arrows } = this.#file
    const ofRow = this.#ofRow
    const callOf = this.#callOf
    const bare = arrows.ends.length > 0 && this.#hasBareWork ? this.#among(this.#work, false) : []
    const each = function* ({ columns, length }: typeof arrows.ends) {
      for (let row = 0; row < length; row += 1) {
        const ns = nsOf(columns.time[row] ?? Number.NaN, columns.restNs[row] ?? 0)
        yield { on: columns.thread[row] ?? 0, ns, id: columns.key[row] ?? 0 }
      }
    }
    if (bare.length > 0) {
      const within = innermost(events, this.#calls)
      for (const { on, ns, id } of each(arrows.starts)) {
        const call = callOf[id] === -1 ? within(on, ns) : undefined
        if (call === undefined) continue
        ofRow[call] ||= id
        callOf[id] = callOf[ofRow[call] ?? 0] = call
        this.#callers[on] = 1
      }
      const ends = new Map<string, number>()
      for (const { on, ns, id } of each(arrows.ends)) {
        const at = `${String(on)} ${String(ns)}`
        if (callOf[id] !== -1 || !ends.has(at)) ends.set(at, id)
      }
      for (const row of bare) {
        const id = ends.get(`${String(events.columns.thread[row])} ${String(events.nsOf(row))}`) ?? 0
        ofRow[row] = ofRow[callOf[id] ?? -1] ?? 0
      }
      this.#areNumbers = false
      this.#mayShare = true
    }
    arrows.ends.cut(0)
    arrows.starts.cut(0)
  }

  /**
   * Where several processes call: numbers of their own for each.
   * @returns by pid of a device the pid whose work it does
   */
  #separateProcesses(): ReadonlyMap<number, number> {
    const { pidOf, threads } = this.#file
    const ofRow = this.#ofRow
    const pidsOf = (isOne: Uint8Array) => new Set(threads.pid.filter((_, thread) => isOne[thread] === 1))
    const hosts = pidsOf(this.#callers)
    const [only] = hosts
    if (only === undefined) return new Map()
    if (hosts.size === 1) return new Map(Array.from(pidsOf(this.#workers), (device) => [device, only]))
    const calls = this.#among(this.#calls, true)
    const work = [...this.#among(this.#work, true), ...this.#among(this.#work, false)]
    const withId = new Map<number, number[]>()
    for (const call of calls) addTo(withId, ofRow[call] ?? 0, call)
    const processes = processesOfDevices(
      this.#file,
      [...hosts],
      work,
      (row) => withId.get(ofRow[row] ?? 0) ?? [],
    )
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
    this.#callOf = new Int32Array(numbers.size + 1).fill(-1)
    for (const call of calls.reverse()) this.#callOf[ofRow[call] ?? 0] = call
    return processes
  }

  #shareOut(): void {
    if (!this.#mayShare) return // most files
    const { texts, events } = this.#file
    const { group, name } = events.columns
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
      /**
       * Largest lead of device work over the call that caused it, strays apart: 0 where none leads.
       */
      leadNs: leading.reduce((most, { ns }) => Math.max(most, ns), 0),
      leads: leading.length,
      /**
       * Rows of single records that stand long before their call, and of these calls; of calls
       * whose record has no time.
       */
      strays: strays as ReadonlySet<number>,
      outOfOrder: isStray ? far.length : 0,
      strayNs: isStray ? far.reduce((most, { ns }) => Math.max(most, ns), 0) : 0,
    }
  }
}

/** Calls that do not nest pile up below one that has not ended: no deeper than this is looked. */
const MAX_DEPTH = 100

/** The last of a thread's calls that began before a time and ended after it. */
function innermost(events: EventFile['events'], calls: Uint32Array) {
  const byThread = new Map<number, number[]>()
  for (const row of calls.toSorted((a, b) => events.nsOf(a) - events.nsOf(b)))
    addTo(byThread, events.columns.thread[row] ?? 0, row)
  const starts = new Map(
    Array.from(byThread, ([thread, rows]) => [thread, rows.map((row) => events.nsOf(row))]),
  )
  return (thread: number, ns: number): number | undefined => {
    const next = upperBound(starts.get(thread) ?? [], ns)
    const before = byThread.get(thread)?.slice(Math.max(0, next - MAX_DEPTH), next)
    return before?.findLast((row) => events.endNsOf(row) >= ns)
  }
}

function bringsOneKernel(call: string): boolean {
  const row = callRowOf(call)
  return row?.use === 'launch' && row.brings === 'one'
}
