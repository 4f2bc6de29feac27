/**
 * Holds what has been read of a file: its events, and what they refer to. Arguments of events are
 * read when they are wanted.
 */
import { LIMITS } from '../../budget'
import type { Collective } from '../../collectives'
import { GrowingTable } from '../../columns'
import { DETAIL_TABLE, type TableSpec } from '../../schema'
import { EventTable } from './event-table'
import { ImportWarnings } from './import-warnings'
import { ascii } from './json-cursor'
import { KEPT_KEYS, KeptArguments, KEY } from './kept-arguments'
import type { RawTick } from './exact-times'
import { TextTable } from './text-table'
import { FINISH } from './phases'

/**
 * Top-level values that say something of the whole, parsed; of a number also its text, which may
 * hold more digits.
 */
export type TopLevel = Record<string, { readonly value: unknown; readonly text: string }>

/** What a file says of a collective. */
export interface CollectiveArguments extends Omit<Collective, 'row' | 'span' | 'operation'> {
  readonly operation: string | undefined
  /** '' where there is none. */
  readonly externalId: string
}
const LARGEST = 2 ** 31 - 1

const ARROW_TABLE = { thread: 'u16', key: 'u32', time: 'f64', restNs: 'f64' } as const satisfies TableSpec

/**
 * Arrows from calls to work, two events to each kernel. They are not drawn, as correlations say the
 * same; they are kept for work that bears none (correlations.ts).
 */
class LaunchArrows {
  /** Times as those of events. */
  readonly starts = new GrowingTable(ARROW_TABLE, 16)
  readonly ends = new GrowingTable(ARROW_TABLE, 16)

  /** `key`: its id, a text number. */
  add(phase: number, thread: number, key: number, wholeUs: number, restNs: number): void {
    const table = phase === FINISH ? this.ends : this.starts
    const row = table.addRow()
    const { columns } = table
    columns.thread[row] = thread
    columns.key[row] = key
    columns.time[row] = wholeUs
    columns.restNs[row] = restNs
  }
}

/** Threads by number: one for each pair of pid and tid, which are text numbers. */

const TEXTS = 2 ** 26
/** The column of threads holds 16 bits. */
const NO_THREAD = 0xffff

export class Threads {
  readonly #numbers = new Map<number, number>()
  readonly pid: number[] = []
  readonly tid: number[] = []

  /** Those above 65,535 are one, which has no lane. */
  of(pid: number, tid: number): number {
    const key = pid * TEXTS + tid
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const thread = this.pid.length
    if (thread === NO_THREAD) return NO_THREAD
    this.#numbers.set(key, thread)
    this.pid.push(pid)
    this.tid.push(tid)
    return thread
  }
}

export class EventFile {
  readonly events = new EventTable()
  readonly threads = new Threads()
  readonly args = new KeptArguments()
  /** Of operators and kernels, by row, in text numbers (`DetailColumns` in ../../schema.ts). */
  readonly details = new GrowingTable(DETAIL_TABLE, 16)
  readonly arrows = new LaunchArrows()
  readonly texts = new TextTable()
  readonly warnings = new ImportWarnings()
  readonly top: TopLevel = {}
  eventCount = 0
  /** The file ends before its list of events does. */
  isCut = false
  /** First and last time of its events, metadata apart. */
  firstUs = Infinity
  lastUs = -Infinity
  /** A time of the file is no whole µs. */
  hasFractions = false

  constructor() {
    for (const key of KEPT_KEYS) this.texts.intern(ascii(key), 0, key.length)
  }

  /** Text numbers of a row's thread. */
  readonly pidOf = (row: number): number => this.threads.pid[this.events.columns.thread[row] ?? 0] ?? 0
  readonly tidOf = (row: number): number => this.threads.tid[this.events.columns.thread[row] ?? 0] ?? 0

  /** Leaves an event out. */
  skip(reason: string, row: number): void {
    const { index, byte } = this.events.columns
    this.warnings.add(reason, index[row] ?? 0, byte[row] ?? 0)
  }

  /** Text number of an argument; 0: it is not there. */
  readonly #argument = (row: number, key: number): number =>
    this.args.find(this.events.columns.args[row] ?? 0, key)

  /** '' where it is not there. */
  readonly text = (row: number, key: number): string => this.texts.text(this.#argument(row, key))

  finite(row: number, key: number): number | undefined {
    const value = this.texts.number(this.#argument(row, key))
    return Number.isFinite(value) ? value : undefined
  }

  integer(row: number, key: number): number | undefined {
    const value = this.texts.number(this.#argument(row, key))
    return Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : undefined
  }

  /** A raw tick; null: none. */
  tick(row: number, key: number): RawTick | null {
    return this.texts.tick(this.#argument(row, key))
  }

  /** By torch.profiler's keys, which the lab's own files have too, and by two of the lab's. */
  collective(row: number): CollectiveArguments {
    const text = (key: number) => this.text(row, key) || undefined
    const least0 = (value: number | undefined) => (value !== undefined && value >= 0 ? value : undefined)
    const whole = (key: number) => least0(this.integer(row, key))
    const float = (key: number) => least0(this.finite(row, key))
    const waitUs = float(KEY.wait_us)
    return {
      operation: text(KEY['Collective name']),
      group: text(KEY['Process Group Name']),
      ranks: text(KEY['Process Group Ranks']),
      dtype: text(KEY.dtype),
      groupSize: whole(KEY['Group size']),
      peer: whole(KEY['Dst Rank']) ?? whole(KEY['Src Rank']),
      sequence: whole(KEY.Seq),
      elementsIn: float(KEY['In msg nelems']),
      elementsOut: float(KEY['Out msg nelems']),
      match: whole(KEY.match),
      waitNs: waitUs === undefined ? undefined : waitUs * 1e3,
      externalId: this.text(row, KEY['External id']),
    }
  }

  /** A counter event's series, by key: as many as there may be counters. */
  series(row: number): readonly { readonly key: string; readonly value: number }[] {
    const { args, events, texts } = this
    return Array.from(args.each(events.columns.args[row] ?? 0), ([key, text]) => ({
      key: texts.text(key),
      value: texts.number(text),
    }))
      .filter(({ value }) => Number.isFinite(value))
      .slice(0, LIMITS.counters.most)
  }
}
