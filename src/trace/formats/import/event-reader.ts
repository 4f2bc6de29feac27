/**
 * Reads the events of a Trace Event file into columns, in one pass over its bytes. An object with
 * `traceEvents` or a bare array; times as they stand (micro-time.ts), names by number
 * (text-table.ts), arguments as the byte where they stand, for whoever wants them. An event
 * that is no JSON costs itself (event-rescue.ts); a file that ends too early is read as far as it
 * goes.
 */
import { mostEvents, OverBudget } from '../../budget'
import { GrowingTable, type TableSpec } from '../../columns'
import {
  ARRAY,
  ascii,
  END,
  JsonCursor,
  NUMBER,
  OBJECT,
  OK,
  OPEN_BRACE,
  OPEN_BRACKET,
  SHORT,
  STRING,
  type Status,
} from './json-cursor'
import { EventRescue } from './event-rescue'
import { MicroTime } from './micro-time'
import { ImportWarnings } from './import-warnings'
import { MEMORY_TIMELINE, otherFormatOf, otherJsonOf } from './other-formats'
import { TextTable } from './text-table'

const EVENT_TABLE = {
  phase: 'u8',
  category: 'u32',
  name: 'u32',
  pid: 'u32',
  tid: 'u32',
  /** 0: none. */
  id: 'u32',
  /** NaN: none. */
  wholeUs: 'f64',
  restNs: 'f64',
  /** NaN: none. */
  durationNs: 'f64',
  /** First byte of the object `args`; 0: none. */
  args: 'u32',
  index: 'u32',
  byte: 'u32',
} as const satisfies TableSpec

/**
 * Top-level values that say something of the whole, parsed; of a number also its text, which may
 * hold more digits.
 */
export type TopLevel = Readonly<Record<string, { readonly value: unknown; readonly text: string }>>

export interface EventFile {
  readonly bytes: Uint8Array
  readonly events: GrowingTable<typeof EVENT_TABLE>
  readonly texts: TextTable
  readonly top: TopLevel
  readonly warnings: ImportWarnings
  /** Byte of `traceEvents`, or of the bare array. */
  readonly eventCount: number
}

export type ReadProblem = { readonly message: string }

const EVENTS_PER_TURN = 50_000
const TOP_LEVEL = new Set([
  'metadata',
  'deviceProperties',
  'distributedInfo',
  'cuda_runtime_version',
  'pytorch_version',
  'step_ms_without_profiler',
  'baseTimeNanoseconds',
  'displayTimeUnit',
  'schemaVersion',
  'traceName',
])
const NOT_JSON = 'it is not JSON: a name may hold quotes that are not escaped'
const NO_JSON_FROM_HERE = 'from here on the file is not JSON: what came after is lost'
const LIST_HEAD = 16
const MOST_KEYS = 100
const MAX_TOP_LEVEL_BYTES = 4 * 2 ** 20

/** Up to four bytes as one number: keys are compared as that. */
function wordAt(bytes: Uint8Array, start: number, length: number): number {
  let word = 0
  for (let at = start; at < start + length; at += 1) word = (word << 8) | (bytes[at] as number)
  return word
}
const word = (key: string): number => wordAt(ascii(key), 0, key.length)

const KEY = {
  ph: word('ph'),
  ts: word('ts'),
  pid: word('pid'),
  tid: word('tid'),
  dur: word('dur'),
  cat: word('cat'),
  name: word('name'),
  args: word('args'),
  id: word('id'),
  id2: word('id2'),
}
const OTHER_KEY = 0

export class EventReader {
  readonly #bytes: Uint8Array
  readonly #cursor: JsonCursor
  /** Of the event being read: the cursor above stays at the list of events. */
  readonly #inner: JsonCursor
  readonly #events = new GrowingTable(EVENT_TABLE, 4096)
  readonly #texts: TextTable
  readonly #warnings = new ImportWarnings()
  readonly #top: Record<string, { value: unknown; text: string }> = {}
  readonly #time = new MicroTime()
  #count = 0
  #hasEvents = false
  #isListOfNumbers = false
  /** Of the top level: they tell one format from another. */
  readonly #keys = new Set<string>()
  /** The last event is not whole. */
  endsEarly = false
  problem: ReadProblem | null = null

  readonly #most: number
  readonly #rescue: EventRescue

  /** @param left how many events may be read, whatever the file's size (trace/budget.ts) */
  constructor(bytes: Uint8Array, left: number) {
    this.#bytes = bytes
    this.#most = Math.min(left, mostEvents(bytes.length))
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.#cursor = new JsonCursor(bytes, hasMark ? 3 : 0)
    this.#inner = new JsonCursor(bytes)
    this.#texts = new TextTable(bytes)
    this.#rescue = new EventRescue(bytes)
  }

  get file(): EventFile {
    return {
      bytes: this.#bytes,
      events: this.#events,
      texts: this.#texts,
      top: this.#top,
      warnings: this.#warnings,
      eventCount: this.#count,
    }
  }

  /**
   * Yields the share of the bytes read, every 50,000 events; stops at the end or with `problem`
   * set.
   * @throws OverBudget before there is room for an event too many
   */
  *read(): Generator<number, void> {
    const first = this.#cursor.peek()
    if (first === OPEN_BRACKET) yield* this.#readEvents()
    else if (first === OPEN_BRACE) yield* this.#readTop()
    else this.#fail(otherFormatOf(this.#bytes) ?? 'This is neither a trace of the lab nor Trace Event JSON.')
    if (this.problem) return
    if (!this.#hasEvents)
      this.#fail(otherJsonOf(this.#keys) ?? 'This is JSON, but it holds no list of trace events.')
    else if (this.#events.length === 0) this.#failIfAllSkipped()
  }

  #failIfAllSkipped(): void {
    const [skipped] = this.#warnings.list()
    if (!skipped) return // a valid file without events
    if (this.#isListOfNumbers) {
      this.#fail(MEMORY_TIMELINE)
      return
    }
    this.#fail(
      `No trace event could be read: event ${String(skipped.firstEvent)} (byte ${String(skipped.firstByte)}): ${skipped.reason}.`,
    )
  }

  #fail(message: string): void {
    this.problem = { message }
  }

  *#readTop(): Generator<number, void> {
    const cursor = this.#cursor.enter()
    for (;;) {
      const status = cursor.nextKey()
      if (status === END) return
      if (status !== OK) {
        this.#brokenTop(status)
        return
      }
      const key = cursor.keyEnd - cursor.keyStart <= 32 ? this.#slice(cursor.keyStart, cursor.keyEnd) : ''
      if (this.#keys.size < MOST_KEYS) this.#keys.add(key)
      if (key === 'traceEvents' && cursor.peek() === OPEN_BRACKET) {
        yield* this.#readEvents()
        if (this.problem || cursor.at >= this.#bytes.length) return
        cursor.resume()
        continue
      }
      const read = cursor.value()
      if (read !== OK) {
        this.#brokenTop(read)
        return
      }
      if (TOP_LEVEL.has(key)) this.#keepTop(key)
    }
  }

  #brokenTop(status: Status): void {
    const at = String(this.#cursor.at)
    if (this.#hasEvents)
      this.#warnings.add(
        status === SHORT
          ? 'the file ends early, after its events'
          : 'what follows the list of events is not JSON',
        this.#count,
        this.#cursor.at,
        0,
      )
    else
      this.#fail(
        status === SHORT ? `The file ends at byte ${at}, before any event.` : `This is not JSON: byte ${at}.`,
      )
  }

  #keepTop(key: string): void {
    const { type, start, stop } = this.#cursor
    if (stop - start > MAX_TOP_LEVEL_BYTES) return
    const text = this.#slice(start, stop)
    try {
      this.#top[key] = { text, value: type === STRING ? text : JSON.parse(text) }
    } catch {
      // Says nothing, then; the events do not need it.
    }
  }

  #slice(start: number, end: number): string {
    return new TextDecoder().decode(this.#bytes.slice(start, end))
  }

  *#readEvents(): Generator<number, void> {
    this.#hasEvents = true
    const cursor = this.#cursor.enter()
    for (;;) {
      const status = cursor.nextElement()
      if (status === END) return
      const start = cursor.at
      if (this.#count >= this.#most) this.#throwOver()
      const read = status === OK ? this.#readEvent(start) : status
      if (read !== OK) {
        const next = this.#rescue.nextEvent(start)
        if (next === null && read === SHORT) {
          // Writers that are killed leave no closing bracket, and the format allows that.
          const reason = 'the file ends here: what came after is lost'
          this.#warnings.add(reason, this.#count, start, null)
          this.endsEarly = true
          cursor.at = this.#bytes.length
          return
        }
        if (next === null && this.#events.length === 0) {
          this.#fail(
            `Event ${String(this.#count)} (from byte ${String(start)}) is not JSON: byte ${String(Math.max(cursor.at, start))}.`,
          )
          return
        }
        this.#warnings.add(next ? NOT_JSON : NO_JSON_FROM_HERE, this.#count, start, next ? 1 : null)
        if (next === null) {
          cursor.at = this.#bytes.length
          return
        }
        cursor.at = next.at
        if (next.isEnd) {
          cursor.enter()
          return
        }
        cursor.begin()
      }
      this.#count += 1
      if (this.#count % EVENTS_PER_TURN === 0) yield cursor.at / this.#bytes.length
    }
  }

  #throwOver(): never {
    throw new OverBudget('events', null, this.#most, `events in ${String(this.#bytes.length)} bytes`)
  }

  #readEvent(byte: number): Status {
    const cursor = this.#cursor
    if (cursor.peek() !== OPEN_BRACE) {
      const isList = cursor.peek() === OPEN_BRACKET
      const status = cursor.value()
      if (this.#count === 0 && isList) {
        const head = this.#slice(byte, Math.min(cursor.at, byte + LIST_HEAD))
        this.#isListOfNumbers = /^\[\s*-?\d/.test(head)
      }
      if (status === OK) this.#warnings.add('it is not an object', this.#count, byte)
      return status
    }
    const inner = this.#inner.reset(byte, this.#bytes.length)
    const time = this.#time
    const { bytes } = inner
    let phase = 0
    let category = 0
    let name = 0
    let pid = 0
    let tid = 0
    let id = 0
    let args = 0
    let restNs = 0
    let wholeUs = Number.NaN
    let durationNs = Number.NaN
    for (;;) {
      const status = inner.nextKey()
      if (status === END) break
      const { keyStart } = inner
      const keyLength = inner.keyEnd - keyStart
      const read = status === OK ? inner.value() : status
      if (read !== OK) {
        cursor.at = inner.at
        return read
      }
      const { start, stop, type } = inner
      const isText = type === STRING || type === NUMBER
      switch (keyLength > 4 ? OTHER_KEY : wordAt(bytes, keyStart, keyLength)) {
        case KEY.ph:
          phase = type === STRING && stop - start === 1 ? (bytes[start] as number) : 0
          break
        case KEY.ts:
          if (isText) time.read(bytes, start, stop)
          wholeUs = isText ? time.wholeUs : Number.NaN
          restNs = time.restNs
          break
        case KEY.id:
          if (isText) id = this.#texts.intern(start, stop)
          break
        case KEY.pid:
          pid = isText ? this.#texts.intern(start, stop) : 0
          break
        case KEY.tid:
          tid = isText ? this.#texts.intern(start, stop) : 0
          break
        case KEY.dur:
          if (isText) time.read(bytes, start, stop)
          durationNs = isText ? time.wholeUs * 1e3 + time.restNs : Number.NaN
          break
        case KEY.cat:
          category = isText ? this.#texts.intern(start, stop) : 0
          break
        case KEY.id2:
          if (type === OBJECT) id = this.#texts.intern(start, stop)
          break
        case KEY.name:
          name = isText ? this.#texts.intern(start, stop) : 0
          break
        case KEY.args:
          if (type === OBJECT) args = start
          break
        default: // a key that says nothing here
      }
    }
    cursor.at = inner.at
    if (phase === 0) {
      // XLA ends its list with an empty object.
      if (inner.isEmpty) return OK
      this.#warnings.add('it has no phase (ph)', this.#count, byte)
      return OK
    }
    // As many as the rest of the file holds, if it goes on like this, and not twice as many as
    // there are.
    const row = this.#events.addRow(1.05 * (this.#count / Math.max(1, byte)) * this.#bytes.length)
    const { columns } = this.#events
    columns.phase[row] = phase
    columns.category[row] = category
    columns.name[row] = name
    columns.pid[row] = pid
    columns.tid[row] = tid
    columns.id[row] = id
    columns.wholeUs[row] = wholeUs
    columns.restNs[row] = restNs
    columns.durationNs[row] = durationNs
    columns.args[row] = args
    columns.index[row] = this.#count
    columns.byte[row] = byte
    return OK
  }
}

/** The members of an event's `args`, one after the other; nested values only as their bytes. */
export class ArgumentReader {
  readonly #events: EventFile['events']
  readonly #cursor: JsonCursor
  constructor({ events, bytes }: EventFile) {
    this.#events = events
    this.#cursor = new JsonCursor(bytes)
  }
  /** `visit` is given the cursor at each member. */
  each(row: number, visit: (member: JsonCursor) => void): void {
    const start = this.#events.columns.args[row] ?? 0
    if (start === 0) return
    const cursor = this.#cursor.reset(start, this.#cursor.bytes.length)
    while (cursor.nextKey() === OK && cursor.value() === OK) visit(cursor)
  }
}
export const isScalar = (cursor: JsonCursor): boolean => cursor.type !== OBJECT && cursor.type !== ARRAY
