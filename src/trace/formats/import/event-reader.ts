/**
 * Reads the events of a Trace Event file into columns, in one pass over its bytes, which come in
 * pieces. An object with `traceEvents` or a bare array; times as they stand (exact-times.ts), names
 * by number (text-table.ts), of arguments those that something reads (kept-arguments.ts). An event
 * that is no JSON costs itself (event-rescue.ts); a file that ends too early is read as far as it
 * goes.
 */
import { mostEvents, OverBudget } from '../../budget'
import { classOfCategory, DEVICE_SYNC, isLaunchArrow, OPERATOR } from '../../vendors'
import {
  ARRAY,
  ascii,
  END,
  equals,
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
import { mayBeCollective } from './collectives'
import { EventRescue, UNDECIDED } from './event-rescue'
import { EventFile } from './event-file'
import type { FileWindow } from './file-window'
import { keptKey, KERNEL_DETAIL, KEY, LAST_OWN, NEEDS_VALUES } from './kept-arguments'
import { ENDS_HERE } from './import-warnings'
import { MicroTime } from './exact-times'
import { COUNTER, hasId, isFlow, METADATA } from './phases'
import { MEMORY_TIMELINE, otherFormatOf, otherJsonOf } from './other-formats'

export type ReadProblem = { readonly message: string }

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
const GOES_ON = 'the file goes on after its end: what follows was not read'
const NO_EVENTS =
  'This is JSON, but no list of trace events (traceEvents) is at its top level: open the file as the profiler wrote it.'
const BROKEN_TOP = 'what comes before the list of events is not JSON, and was passed over'
const EVENTS_KEY = ascii('"traceEvents"')
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

const MEMBER = {
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

const { correlation: CORRELATION, correlation_id: CORRELATION_ID } = KEY
const SHAPE = KEY['Input Dims']
const FORM = KEY['Input type']
const VALUES = KEY['Concrete Inputs']
const { grid: GRID, block: BLOCK } = KEY
const STREAM = KEY.stream
const EXTERNAL = KEY['External id']
const COLLECTIVE = KEY['Collective name']
const RANKS = KEY['Process Group Ranks']

/** What an event's category says of reading it. */
const PLAIN = 0
/** Most rows of a profile with stacks, and nothing reads their arguments. */
const FUNCTION = 1
const OPERATION = 2
const LAUNCH = 3
const WAIT = 4
const USE_OF_CLASS = new Map([
  [OPERATOR, OPERATION],
  [DEVICE_SYNC, WAIT],
])
const useOf = (category: string): number =>
  category === 'python_function'
    ? FUNCTION
    : isLaunchArrow(category)
      ? LAUNCH
      : (USE_OF_CLASS.get(classOfCategory(category)) ?? PLAIN)
/** Shapes are recorded of all operators or of none: after so many without, no more are asked. */
const ASKED = 2000
/** An event that has not ended after so many bytes is not JSON. */
const LONGEST_EVENT = 2 ** 24

export class EventReader {
  readonly #window: FileWindow
  readonly #cursor: JsonCursor
  /** Of the event being read: the cursor above stays at the list of events. */
  readonly #inner: JsonCursor
  readonly #argument: JsonCursor
  readonly file = new EventFile()
  readonly #time = new MicroTime()
  readonly #useOf = this.file.texts.asked(useOf)
  readonly #needsValues = this.file.texts.asked((name) => NEEDS_VALUES.test(name))
  readonly #isCollective = this.file.texts.asked(mayBeCollective)
  /** Arguments of the event being read, by key: text numbers. */
  readonly #found = new Uint32Array(LAST_OWN + 1)
  #operators = 0
  #hasShapes = false
  #hasEvents = false
  #isOver = false
  #isEndGuessed = false
  #isListOfNumbers = false
  /** Of the top level: they tell one format from another. */
  readonly #keys = new Set<string>()
  /** The last event is not whole. */
  endsEarly = false
  problem: ReadProblem | null = null

  readonly #left: number
  #most = 0
  readonly #rescue: EventRescue

  /**
   * @param window filled once, and whenever `read` yields
   * @param left how many events may be read, whatever the file's size (trace/budget.ts)
   */
  constructor(window: FileWindow, left: number) {
    this.#window = window
    this.#left = left
    const { bytes } = window
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.#cursor = new JsonCursor(bytes, hasMark ? 3 : 0)
    this.#inner = new JsonCursor(bytes)
    this.#argument = new JsonCursor(bytes)
    this.#rescue = new EventRescue(window)
    this.#look()
  }

  get #head(): Uint8Array {
    return this.#window.bytes.subarray(0, this.#window.length)
  }

  /** At what the window has now. */
  #look(): void {
    const { bytes, length, size } = this.#window
    for (const cursor of [this.#cursor, this.#inner, this.#argument]) cursor.bytes = bytes
    this.#cursor.end = length
    this.#most = Math.min(this.#left, mostEvents(size))
  }

  /** Brings more of the file; what is at `from` is at 0 then, and so is the cursor. */
  *#more(from: number): Generator<number, void> {
    const { base, expected } = this.#window
    this.#window.want(from)
    yield (base + this.#cursor.at) / expected
    this.#look()
    this.#cursor.at = 0
  }

  /**
   * Yields the share of the bytes read whenever it needs more of them; stops at the end or with
   * `problem` set.
   * @throws OverBudget before there is room for an event too many
   */
  *read(): Generator<number, void> {
    const first = yield* this.#next()
    if (first === OPEN_BRACKET) yield* this.#readEvents()
    else if (first === OPEN_BRACE) yield* this.#readTop()
    else this.#fail(otherFormatOf(this.#head) ?? 'This is neither a trace of the lab nor Trace Event JSON.')
    if (this.problem) return
    if (!this.#hasEvents) this.#fail(otherJsonOf(this.#keys) ?? NO_EVENTS)
    else if (this.file.events.length === 0) this.#failIfAllSkipped()
    else if (!this.#isOver && (yield* this.#next()) !== -1)
      this.file.warnings.add(GOES_ON, this.file.eventCount, this.#window.base + this.#cursor.at, null)
  }

  /** The next byte that is not white space; -1 at the file's end. */
  *#next(): Generator<number, number> {
    while (this.#cursor.peek() === -1 && !this.#window.isLast) yield* this.#more(this.#cursor.at)
    return this.#cursor.peek()
  }

  #failIfAllSkipped(): void {
    const [skipped] = this.file.warnings.list()
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
      const { at, isFirst } = cursor
      let status = cursor.nextKey()
      if (status === END) return
      let key = ''
      if (status === OK) {
        if (cursor.keyEnd - cursor.keyStart <= 32) key = this.#slice(cursor.keyStart, cursor.keyEnd)
        const next = cursor.peek()
        if (next === -1) status = SHORT
        else if (key === 'traceEvents' && next === OPEN_BRACKET) {
          this.#keys.add(key)
          yield* this.#readEvents()
          if (this.problem || this.#isOver) return
          cursor.isFirst = false
          continue
        } else status = cursor.value()
      }
      if (status === SHORT && !this.#window.isLast) {
        yield* this.#more(at)
        cursor.isFirst = isFirst
        continue
      }
      // A file that ends with its events lacks a bracket, and nothing else.
      if (this.#hasEvents && at >= this.#window.length) return
      if (status !== OK) {
        const broken = this.#window.base + cursor.at
        if (this.#hasEvents || !(yield* this.#toEvents(at + 1))) {
          this.#brokenTop(status, broken)
          return
        }
        this.file.warnings.add(BROKEN_TOP, 0, broken, 0)
        continue
      }
      if (this.#keys.size < MOST_KEYS) this.#keys.add(key)
      if (TOP_LEVEL.has(key)) this.#keepTop(key)
    }
  }

  /** To the list of events, past what is not JSON. @returns whether there is one */
  *#toEvents(from: number): Generator<number, boolean> {
    for (let at = from; ; at = 0) {
      const { bytes, length, isLast } = this.#window
      for (; at + EVENTS_KEY.length <= length; at += 1)
        if (equals(bytes, at, at + EVENTS_KEY.length, EVENTS_KEY)) {
          this.#cursor.at = at
          this.#cursor.isFirst = true
          return true
        }
      if (isLast) return false
      yield* this.#more(at)
    }
  }

  #brokenTop(status: Status, at: number): void {
    this.#isOver = true
    const { warnings, eventCount } = this.file
    if (this.#hasEvents && status === SHORT)
      warnings.add('the file ends early, after its events', eventCount, at, 0)
    // Where the end of the list was guessed, events may follow.
    else if (this.#isEndGuessed) warnings.add(NO_JSON_FROM_HERE, eventCount, at, null)
    else if (this.#hasEvents) warnings.add('what follows the list of events is not JSON', eventCount, at, 0)
    else
      this.#fail(
        status === SHORT
          ? `The file ends at byte ${String(at)}, before any event.`
          : `This is not JSON: byte ${String(at)}.`,
      )
  }

  #keepTop(key: string): void {
    const { type, start, stop } = this.#cursor
    if (stop - start > MAX_TOP_LEVEL_BYTES) return
    const text = this.#slice(start, stop)
    try {
      this.file.top[key] = { text, value: type === STRING ? text : JSON.parse(text) }
    } catch {
      // Says nothing, then; the events do not need it.
    }
  }

  #slice(start: number, end: number): string {
    return new TextDecoder().decode(this.#window.bytes.subarray(start, end))
  }

  *#readEvents(): Generator<number, void> {
    this.#hasEvents = true
    const window = this.#window
    const cursor = this.#cursor.enter()
    for (;;) {
      const { at: from, isFirst } = cursor
      const at = this.#readSound()
      cursor.at = at
      cursor.isFirst = isFirst && at === from
      const status = cursor.nextElement()
      if (status === END) return
      if (status === SHORT && !window.isLast) {
        yield* this.#more(at)
        continue
      }
      const start = cursor.at
      if (this.file.eventCount >= this.#most) this.#throwOver()
      const read = status === OK ? this.#readEvent(start) : status
      if (read !== OK) {
        const isShort = read === SHORT && !window.isLast && window.length - start < LONGEST_EVENT
        const next = isShort ? UNDECIDED : this.#rescue.nextEvent(start)
        if (next === UNDECIDED) {
          yield* this.#more(start)
          // Once more, with what follows.
          cursor.isFirst = status === OK
          continue
        }
        const byte = window.base + start
        if (next === null && read === SHORT && window.isLast) {
          // Writers that are killed leave no closing bracket, and the format allows that.
          this.file.warnings.add(ENDS_HERE, this.file.eventCount, byte, null)
          this.endsEarly = true
          this.file.isCut = true
          this.#isOver = true
          return
        }
        if (next === null && this.file.events.length === 0) {
          const bad = window.base + Math.max(cursor.at, start)
          this.#fail(
            `Event ${String(this.file.eventCount)} (from byte ${String(byte)}) is not JSON: byte ${String(bad)}.`,
          )
          return
        }
        this.file.warnings.add(
          next ? NOT_JSON : NO_JSON_FROM_HERE,
          this.file.eventCount,
          byte,
          next?.lost ?? null,
        )
        if (next === null) {
          this.#isOver = true
          return
        }
        cursor.at = next.at
        if (next.isEnd) {
          this.#isEndGuessed = true
          cursor.enter()
          return
        }
        cursor.isFirst = true
        this.file.eventCount += next.lost - 1
      }
      this.file.eventCount += 1
    }
  }

  /**
   * Reads the events that are whole and JSON. It is no generator, because one that goes on after a
   * piece is compiled once more. @returns where the next event begins, or what ends them
   */
  #readSound(): number {
    const cursor = this.#cursor
    const { file } = this
    let { at } = cursor
    while (file.eventCount < this.#most && cursor.nextElement() === OK && this.#readEvent(cursor.at) === OK) {
      file.eventCount += 1
      at = cursor.at
    }
    return at
  }

  #throwOver(): never {
    throw new OverBudget('events', null, this.#most, `events in ${String(this.#window.size)} bytes`)
  }

  /** @param first its first byte in the window */
  #readEvent(first: number): Status {
    const cursor = this.#cursor
    const byte = this.#window.base + first
    if (cursor.peek() !== OPEN_BRACE) {
      const isList = cursor.peek() === OPEN_BRACKET
      const status = cursor.value()
      if (this.file.eventCount === 0 && isList) {
        const head = this.#slice(first, Math.min(cursor.at, first + LIST_HEAD))
        this.#isListOfNumbers = /^\[\s*-?\d/.test(head)
      }
      if (status === OK) this.file.warnings.add('it is not an object', this.file.eventCount, byte)
      return status
    }
    const inner = this.#inner.reset(first, cursor.end)
    const time = this.#time
    const { bytes } = inner
    let phase = 0
    let category = 0
    let name = 0
    let pid = 0
    let tid = 0
    let id = 0
    let argsStart = 0
    let argsEnd = 0
    let restNs = 0
    let wholeUs = Number.NaN
    let durationNs = Number.NaN
    let read: Status
    for (;;) {
      read = inner.nextKey()
      const { keyStart } = inner
      const keyLength = inner.keyEnd - keyStart
      if (read === OK) read = inner.value()
      if (read !== OK) break
      const { start, stop, type } = inner
      const isText = type === STRING || type === NUMBER
      const member = keyLength > 4 ? OTHER_KEY : wordAt(bytes, keyStart, keyLength)
      switch (member) {
        case MEMBER.ph:
          phase = type === STRING && stop - start === 1 ? (bytes[start] as number) : 0
          break
        case MEMBER.ts:
        case MEMBER.dur:
          if (isText) time.read(bytes, start, stop)
          if (member === MEMBER.dur) durationNs = isText ? time.wholeUs * 1e3 + time.restNs : Number.NaN
          else {
            wholeUs = isText ? time.wholeUs : Number.NaN
            restNs = time.restNs
          }
          break
        case MEMBER.pid:
        case MEMBER.tid:
        case MEMBER.cat:
        case MEMBER.name:
        case MEMBER.id: {
          const text = isText ? this.file.texts.intern(bytes, start, stop) : 0
          if (member === MEMBER.pid) pid = text
          else if (member === MEMBER.tid) tid = text
          else if (member === MEMBER.cat) category = text
          else if (member === MEMBER.name) name = text
          else if (isText) id = text
          break
        }
        case MEMBER.id2:
          if (type === OBJECT) id = this.file.texts.intern(bytes, start, stop)
          break
        case MEMBER.args:
          argsStart = type === OBJECT ? start : 0
          argsEnd = stop
          break
        default: // a key that says nothing here
      }
    }
    cursor.at = inner.at
    if (read !== END) return read
    if (phase === 0) {
      // XLA ends its list with an empty object.
      if (inner.isFirst) return OK
      this.file.warnings.add('it has no phase (ph)', this.file.eventCount, byte)
      return OK
    }
    if (restNs !== 0 || durationNs % 1e3 > 0) this.file.hasFractions = true
    if (phase !== METADATA) this.#noteTime(wholeUs)
    const thread = this.file.threads.of(pid, tid)
    const use = this.#useOf(category)
    if (use === LAUNCH && isFlow(phase)) {
      this.file.arrows.add(phase, thread, id, wholeUs, restNs)
      return OK
    }
    // As many as the rest of the file holds, if it goes on like this, and not twice as many as
    // there are.
    const events = this.file.events
    const row = events.addRow(1.05 * (events.length / Math.max(1, byte)) * this.#window.expected)
    const { columns } = events
    columns.phase[row] = phase
    columns.category[row] = category
    columns.name[row] = name
    columns.thread[row] = thread
    columns.time[row] = wholeUs
    columns.restNs[row] = restNs
    columns.durationNs[row] = durationNs
    columns.index[row] = this.file.eventCount
    columns.byte[row] = byte
    columns.drawn[row] = columns.step[row] = 0
    const hasArguments = argsStart > 0 && use !== FUNCTION
    let correlation = 0
    if (hasArguments && phase === COUNTER) this.#readSeries(argsStart, argsEnd)
    else if (hasArguments) correlation = this.#readArguments(row, argsStart, argsEnd, name, use)
    columns.args[row] = this.file.args.end()
    columns.key[row] = hasId(phase) ? id : correlation
    return OK
  }

  #noteTime(us: number): void {
    const { file } = this
    if (us < file.firstUs) file.firstUs = us
    if (us > file.lastUs) file.lastUs = us
  }

  /** @returns the correlation */
  #readArguments(row: number, from: number, to: number, name: number, use: number): number {
    const texts = this.file.texts
    const cursor = this.#argument.reset(from, to)
    const { bytes } = cursor
    const found = this.#found
    for (let key = 0; key <= LAST_OWN; key += 1) found[key] = 0
    let externalStart = 0
    let externalEnd = 0
    let isCollective = false
    while (cursor.nextKey() === OK && cursor.value() === OK) {
      const key = keptKey(bytes, cursor.keyStart, cursor.keyEnd)
      if (key === 0 || (key === VALUES && !this.#needsValues(name))) continue
      // Of work the thread says it.
      if (key === STREAM && use !== WAIT) continue
      const { start, stop, type } = cursor
      const isScalar = type !== OBJECT && type !== ARRAY
      if (key <= CORRELATION_ID && !isScalar) continue
      if (key === EXTERNAL) {
        // Nearly each is another: kept where it is asked for.
        externalStart = isScalar ? start : 0
        externalEnd = stop
        continue
      }
      const value = texts.intern(bytes, start, stop)
      isCollective ||= key === COLLECTIVE
      // Ranks may be written as a list or as its text.
      const isKept = key > LAST_OWN && (isScalar || (key === RANKS && type === ARRAY))
      // Either way: V8 drops compiled code where it meets a branch that has not run before.
      found[isKept ? 0 : key] = value
      this.file.args.add(key, value, isKept ? 1 : 0)
    }
    let shape = found[SHAPE] as number
    const grid = found[GRID] as number
    if (externalStart > 0 && (isCollective || this.#isCollective(name)))
      this.file.args.add(EXTERNAL, texts.intern(bytes, externalStart, externalEnd))
    if (use === OPERATION) {
      if (this.#hasShapes || this.#operators < ASKED) this.#hasShapes ||= shape !== 0
      else shape = 0
      this.#operators += 1
    }
    if (shape !== 0 && (use === OPERATION || grid === 0))
      this.#addDetail(row, shape, found[FORM] as number, found[VALUES] as number)
    else if (grid !== 0) this.#addDetail(row, grid, found[BLOCK] as number, KERNEL_DETAIL)
    return (found[CORRELATION] || found[CORRELATION_ID]) as number
  }

  #addDetail(row: number, shape: number, form: number, values: number): void {
    const details = this.file.details
    const at = details.addRow(1.05 * (details.length / row) * this.file.events.columns.phase.length)
    const { columns } = details
    columns.span[at] = row
    columns.shape[at] = shape
    columns.form[at] = form
    columns.values[at] = values
  }

  /** Of a counter all that may be a number. */
  #readSeries(from: number, to: number): void {
    const cursor = this.#argument.reset(from, to)
    const { bytes } = cursor
    while (cursor.nextKey() === OK && cursor.value() === OK) {
      const { keyStart, keyEnd, start, stop, type } = cursor
      if (type !== NUMBER && type !== STRING) continue
      const key = this.file.texts.intern(bytes, keyStart, keyEnd)
      this.file.args.add(key, this.file.texts.intern(bytes, start, stop))
    }
  }
}
