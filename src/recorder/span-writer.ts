/**
 * Writes host spans into a trace, with the tag and line of the call that made them. Times are
 * host ns since the trace’s origin.
 */
import { madeOnce } from '../base/lists'
import { TraceBuilder } from '../trace/builder'
import type { RunInfo, SpanKind, SpanRole, TraceChunk } from '../trace/schema'
import type { CallSites } from './call-sites'
import { CallLines } from './lines'
import type { Natives, Realm } from './realm'
import { NO_TAG, type Tag } from './records'
import { JoinedWrites } from './writes'

/**
 * The clock is past what a page puts in the place of its functions: so is what makes it whole ns.
 */
const { round } = Math

export interface SpanExtra {
  readonly submission?: number | undefined
  readonly bytes?: number | undefined
  readonly flops?: number | undefined
  readonly line?: number | undefined
  /** Default: the tag in force. */
  readonly tag?: Tag | undefined
}

export interface SpanWriterOptions {
  readonly info: RunInfo
  /** Smallest step of performance.now(). */
  readonly hostStepUs: number
  readonly send?: ((chunk: TraceChunk) => void) | undefined
  readonly programUrl?: string | undefined
  /** Name of the host's lane. Default: 'host (worker)'. */
  readonly hostName?: string | undefined
  /** Shown each call that is given a line, and each by which something is made. */
  readonly sites?: Pick<CallSites, 'saw'> | undefined
  /** Small writes that follow each other are one span. Default: false. */
  readonly joinsWrites?: boolean | undefined
}

/**
 * Sends at most 20 chunks a second while a window runs: drawing needs no more, and each costs the
 * host some 50 µs.
 */
const FLUSH_INTERVAL_NS = 50e6

/** Characters of a name in the trace: a program can make any label. */
const LONGEST_NAME = 200
/**
 * A label as a name in the trace. A label that is no text may be a program’s object, which would
 * run code of the program later.
 */
export const nameOf = (label: unknown): string =>
  typeof label !== 'string' ? '' : label.length > LONGEST_NAME ? `${label.slice(0, LONGEST_NAME)}…` : label

/** 'submit', 'submit step 1'. */
export const prefixed = (prefix: string, label: string): string =>
  label === '' ? prefix : `${prefix} ${label}`

/** Of a write to a buffer of this label. */
export const nameOfWrite = (label: string): string => prefixed('write', nameOf(label))

export class SpanWriter {
  readonly builder: TraceBuilder
  readonly lines: CallLines
  readonly hostStepNs: number
  readonly hostLane: number
  /** Whether calls are recorded now. */
  on = true
  /** Submits so far, those of nothing and those to a lost device too. */
  submits = 0
  /** Told each submission that does nothing: of no command buffers, or to a lost device. */
  onVain: (why: 'empty' | 'void') => void = () => undefined
  /** In force for calls made from now on. */
  tag: Tag = NO_TAG
  readonly #performance: Performance
  readonly #originMs: number
  readonly #timeOriginMs: number
  readonly #now: (performance: Performance) => number
  readonly #sites: SpanWriterOptions['sites']
  readonly #send: ((chunk: TraceChunk) => void) | undefined
  /** Null: each write is a span of its own. */
  readonly writes: JoinedWrites | null
  /** Told the bytes of each writeBuffer(). */
  onWrite: (bytes: number) => void = () => undefined
  #lastFlushNs = 0
  readonly #counters = new Map<string, number>()

  constructor(realm: Realm, natives: Natives, options: SpanWriterOptions) {
    this.#performance = realm.performance as Performance // now() is all that is called
    this.#now = natives.now
    this.#originMs = this.#now(this.#performance)
    this.#timeOriginMs = realm.performance.timeOrigin
    this.#send = options.send
    this.#sites = options.sites
    this.writes = options.joinsWrites
      ? new JoinedWrites({
          now: () => this.now(),
          nameOf: (buffer) => nameOfWrite(buffer.label),
          emit: (name, start, end, bytes, tag) => {
            this.#add(this.hostLane, 'host-work', 'write', name, start, end, { bytes, tag })
          },
        })
      : null
    this.hostStepNs = options.hostStepUs * 1e3
    this.lines = new CallLines(options.programUrl ?? '')
    this.builder = new TraceBuilder(options.info, {
      originMs: realm.performance.timeOrigin + this.#originMs,
      stepNs: this.hostStepNs,
    })
    this.hostLane = this.builder.addLane({
      kind: 'host',
      name: options.hostName ?? 'host (worker)',
      clock: 0,
      group: 'host',
    })
  }

  /** Whole ns: fractions are noise, and a run’s file would be a fifth larger with them. */
  now(): number {
    return round((this.#now(this.#performance) - this.#originMs) * 1e6)
  }

  /** Host ns since the trace's origin of a moment by this thread's performance.now(). */
  atOwn(nowMs: number): number {
    return round((nowMs - this.#originMs) * 1e6)
  }

  /**
   * Host ns since the trace’s origin of a moment of another thread: `nowMs` by its
   * performance.now(), `timeOriginMs` its timeOrigin.
   */
  atOfOther(timeOriginMs: number, nowMs: number): number {
    // The difference of the origins first: their sum with the time would have steps of 0.2 µs.
    return round((nowMs + (timeOriginMs - this.#timeOriginMs) - this.#originMs) * 1e6)
  }

  /** Whether a counter of the host's lane has samples. */
  counts(name: string): boolean {
    return this.#counters.has(name)
  }

  /** A sample of a counter of the host's lane, which is made with its first. */
  sample(name: string, unit: string, timeNs: number, value: number): void {
    const lane = this.hostLane
    const counter = madeOnce(this.#counters, name, () => this.builder.addCounter({ name, unit, lane }))
    this.builder.addCounterSample(counter, timeNs, value)
  }

  /** @returns the span's index; -1 while recording is off. */
  span(
    lane: number,
    kind: SpanKind,
    role: SpanRole,
    name: string,
    start: number,
    end: number,
    extra: SpanExtra = {},
  ): number {
    this.writes?.close()
    return this.#add(lane, kind, role, name, start, end, extra)
  }

  #add(
    lane: number,
    kind: SpanKind,
    role: SpanRole,
    name: string,
    start: number,
    end: number,
    extra: SpanExtra,
  ): number {
    if (!this.on) return -1
    const { submission, bytes, flops, line, tag = this.tag } = extra
    const { variant, repeat, step } = tag
    // oxfmt-ignore
    return this.builder.addSpan({ lane, kind, role, name, start, end, submission, variant, repeat, step, line, bytes, flops })
  }

  host(kind: SpanKind, role: SpanRole, name: string, start: number, end: number, extra?: SpanExtra): number {
    return this.span(this.hostLane, kind, role, name, start, end, extra)
  }

  /**
   * Called at each call of a kind whose places in a page’s scripts are wanted; `also`: of this
   * kind too.
   */
  saw(what: string, also?: string): void {
    this.#sites?.saw(what, also)
  }

  /**
   * The line of a call made now. Its places in a page’s scripts are kept by its role, and by
   * `also`.
   */
  line(role: SpanRole, also?: string): number {
    this.saw(role, also)
    return this.lines.line(role, this.tag)
  }

  /**
   * Sends what is new, where someone listens. `force` false: only if the last chunk is old
   * enough.
   */
  flush(force = true): void {
    this.writes?.close()
    if (!this.#send || !(this.on || force)) return
    const now = this.now()
    if (!force && now - this.#lastFlushNs < FLUSH_INTERVAL_NS) return
    this.#lastFlushNs = now
    const chunk = this.builder.takeChunk()
    if (chunk) this.#send(chunk)
  }
}
