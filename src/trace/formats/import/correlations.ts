/**
 * Joins calls of the host with what they made the device do, by `args.correlation` (arrows in the
 * file are often cut off), and says how far the two clocks are surely apart: work that is seen to
 * begin before its call began is off by that much.
 */
import { addTo } from '../../../base/lists'
import { CALL, callRowOf, COPY, copyNameOf, DEVICE_SYNC, isDeviceWork, KERNEL, MEMSET } from '../../vendors'
import { LOST } from './classes'
import { isScalar, type EventFile } from './event-reader'
import { hasId } from './event-table'
import { KEY, type VisitArgument } from './kept-arguments'
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

export interface Correlations {
  /**
   * By correlation, which is the events' column `key` (one of its own for each process): row of the
   * call; −1: none.
   */
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
  /** The correlation of a row as a submission number; −1: none. */
  readonly submissionOf: (row: number) => number
}

const LARGEST_INT32 = 2 ** 31 - 1
/** No two clocks of one machine are placed so far apart by a profiler: tens of µs are usual. */
const STRAY_NS = 1_000_000
/** Of all joined records; a file with few of them shows no pattern. */
const MOST_STRAYS = 0.01
const LEAST_JOINED = 4
const PIDS = 2 ** 26

export function* joinByCorrelation(file: EventFile): Generator<number, Correlations> {
  const joining = new Joining(file)
  yield* joining.read()
  return joining.join()
}

const isCall = (group: number): boolean => group === CALL
const isKernel = (group: number): boolean => group === KERNEL

class Joining {
  readonly #file: EventFile
  /** Correlation by row: a text number at first. */
  readonly #ofRow: Int32Array
  readonly #lost: number[] = []
  readonly #waits: { readonly row: number; readonly stream: number; record: number }[] = []
  readonly #collectives = new Set<number>()
  /** By name, and what the arguments say. */
  readonly #copyNameOf = new Map<string, number>()
  #areNumbers = true

  constructor(file: EventFile) {
    this.#file = file
    this.#ofRow = file.events.columns.key
  }

  *read(): Generator<number, void> {
    const { columns, length } = this.#file.events
    for (let row = 0; row < length; row += 1) {
      if (row % 50_000 === 0) yield row / length
      const group = columns.group[row] ?? 0
      if (!isDeviceWork(group) && group !== CALL && group !== DEVICE_SYNC && group !== LOST) continue
      if (hasId(columns.phase[row] ?? 0)) this.#ofRow[row] = 0
      this.#readRow(row, group)
      if (group === LOST && this.#ofRow[row] !== 0) this.#lost.push(row)
    }
  }

  #readRow(row: number, group: number): void {
    const { events, args, texts } = this.#file
    const said = this.#said
    said.stream = said.record = said.kind = said.from = said.to = said.details = 0
    said.collective = 0
    said.bytes = Number.NaN
    args.each(events.columns.args[row] ?? 0, this.#visit)
    if (said.collective !== 0 && group === KERNEL) this.#collectives.add(row)
    if ((group === COPY || group === MEMSET) && said.bytes >= 0 && said.bytes < Infinity)
      events.columns.bytes[row] = said.bytes
    if (group === COPY) this.#nameCopy(row, said.kind, said.from, said.to, said.details)
    const correlation = this.#ofRow[row] ?? 0
    if (correlation === 0) return
    const value = texts.number(correlation)
    if (!(Number.isInteger(value) && value >= 0 && value <= LARGEST_INT32)) this.#areNumbers = false
    if (group === DEVICE_SYNC) this.#waits.push({ row, stream: said.stream, record: said.record })
  }

  /** What the arguments of a row say: text numbers; 0: nothing. Filled anew for each. */
  readonly #said = {
    collective: 0,
    bytes: Number.NaN,
    stream: 0,
    record: 0,
    kind: 0,
    from: 0,
    to: 0,
    details: 0,
  }

  readonly #visit: VisitArgument = (key, type, value) => {
    if (!isScalar(type)) return
    const said = this.#said
    switch (key) {
      case KEY['Collective name']:
        said.collective ||= value
        break
      case KEY.bytes:
      case KEY.size: {
        const bytes = this.#file.texts.number(value)
        if (bytes >= 0 && bytes < Infinity) said.bytes = bytes
        break
      }
      case KEY['copy kind']:
      case KEY.direction:
        said.kind = value
        break
      case KEY['src kind']:
        said.from = value
        break
      case KEY['dst kind']:
        said.to = value
        break
      case KEY.memcpy_details:
        said.details = value
        break
      case KEY.wait_on_stream:
        said.stream = value
        break
      case KEY.wait_on_cuda_event_record_corr_id:
        said.record = value
        break
      default: // of something else
    }
  }

  #nameCopy(row: number, kind: number, from: number, to: number, details: number): void {
    const { events, texts } = this.#file
    const name = events.columns.name[row] ?? 0
    const said = texts.text(details)
    const bytes = SIZE.exec(said)?.[1]
    if (bytes !== undefined) events.columns.bytes[row] = Number(bytes)
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
    const { processes, count } = this.#separateProcesses()
    this.#shareOut(count)
    const ofRow = this.#ofRow
    const { texts, pidOf } = this.#file
    const calls = new Int32Array(count).fill(-1)
    this.#each(isCall, (call) => {
      const correlation = ofRow[call] ?? 0
      if (correlation !== 0 && calls[correlation] === -1) calls[correlation] = call
    })
    const waits = new Map<number, DeviceWait>()
    for (const { row, stream, record } of this.#waits)
      waits.set(ofRow[row] ?? 0, { device: pidOf(row), stream, record })
    const causes = new Uint8Array(count)
    this.#each(isDeviceWork, (row) => {
      causes[ofRow[row] ?? 0] = 1
    })
    causes[0] = 0
    const areNumbers = this.#areNumbers
    return {
      calls,
      causes,
      waits,
      processOf: (pid) => processes.get(pid) ?? pid,
      collectives: this.#collectives,
      submissionOf: (row) => {
        const correlation = ofRow[row] ?? 0
        return correlation === 0 ? -1 : areNumbers ? texts.number(correlation) : correlation
      },
      ...this.#orderOf(calls),
    }
  }

  /** Rows of some classes: there are millions, so that lists are made only where they are needed. */
  #each(isMeant: (group: number) => boolean, visit: (row: number) => void): void {
    const { columns, length } = this.#file.events
    for (let row = 0; row < length; row += 1) if (isMeant(columns.group[row] ?? 0)) visit(row)
  }

  #list(isMeant: (group: number) => boolean, hasCorrelation: boolean): number[] {
    const rows: number[] = []
    this.#each(isMeant, (row) => {
      if ((this.#ofRow[row] !== 0) === hasCorrelation) rows.push(row)
    })
    return rows
  }

  /**
   * Work that bears no correlation may have an arrow's end upon it, whose id is that of the call
   * (MTIA).
   */
  #followArrows(): void {
    const { events, arrows } = this.#file
    const { columns, length } = arrows.ends
    const ofRow = this.#ofRow
    const bare = this.#list(isDeviceWork, false)
    if (length > 0 && bare.length > 0 && this.#list(isCall, true).length > 0) {
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
    const devices = new Set<number>()
    this.#each(isCall, (row) => ofRow[row] !== 0 && hosts.add(pidOf(row)))
    this.#each(isDeviceWork, (row) => devices.add(pidOf(row)))
    if (hosts.size < 2) {
      const [only] = hosts
      const pairs = only === undefined ? [] : Array.from(devices, (device) => [device, only] as const)
      return { processes: new Map(pairs), count: texts.size }
    }
    const calls = this.#list(isCall, true)
    const work = [...this.#list(isDeviceWork, true), ...this.#list(isDeviceWork, false)]
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
    const { texts } = this.#file
    const { columns } = this.#file.events
    const ofRow = this.#ofRow
    // Most files share none: they are told in one pass.
    const seen = new Uint8Array(count)
    let shared = 0
    this.#each(isKernel, (row) => {
      const correlation = ofRow[row] ?? 0
      if (correlation !== 0) shared += seen[correlation] ?? 0
      seen[correlation] = 1
    })
    if (shared === 0) return
    const isLaunch: boolean[] = []
    const launches = this.#list(isCall, true).filter((row) => {
      const name = columns.name[row] ?? 0
      return (isLaunch[name] ??= bringsOneKernel(texts.text(name)))
    })
    if (shareOut(this.#file, { kernels: this.#list(isKernel, true), launches })) this.#areNumbers = false
  }

  #orderOf(calls: Int32Array) {
    const { events } = this.#file
    let [works, joined] = [0, 0]
    const ahead: { readonly row: number; readonly call: number; readonly ns: number }[] = []
    this.#each(isDeviceWork, (row) => {
      const correlation = this.#ofRow[row] ?? 0
      if (correlation === 0) return
      works += 1
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
      joined,
      unjoined: works - joined,
      leadNs: leading.reduce((most, { ns }) => Math.max(most, ns), 0),
      leads: leading.length,
      strays,
      outOfOrder: isStray ? far.length : 0,
      strayNs: isStray ? far.reduce((most, { ns }) => Math.max(most, ns), 0) : 0,
    }
  }
}

function bringsOneKernel(call: string): boolean {
  const row = callRowOf(call)
  return row?.use === 'launch' && row.brings === 'one'
}
