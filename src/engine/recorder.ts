/**
 * Host marks, submissions and timestamps -> trace/builder. Times are host nanoseconds since the trace's origin.
 * With recording off only the clock and the tags work: `bench recorder` measures what the rest costs.
 */
import { REPEAT_NONE, type RunInfo, type SpanKind, type TraceChunk } from '../trace/schema'
import { TraceBuilder } from '../trace/builder'
import type { Trace } from '../trace/schema'

export interface RecorderOptions {
  readonly record: boolean
  /** Sends what was recorded since the last call. Undefined: kept until the end. */
  readonly send?: ((chunk: TraceChunk) => void) | undefined
}

/** What the spans recorded now belong to. */
export interface Tag {
  readonly variant?: string
  readonly repeat: number
  readonly step: number
}

export interface HostSpanExtra {
  readonly submission?: number
  readonly bytes?: number
  readonly flops?: number
}

/** At most 20 chunks a second while a window runs: drawing needs no more, and each costs the host some 50 µs. */
const FLUSH_INTERVAL_NS = 50e6

export class Recorder {
  readonly builder: TraceBuilder
  /** False: spans are dropped and passes get no timestamps. Calibration turns it on for itself, so that sizes do not depend on it. */
  recording: boolean
  readonly hostStepNs: number
  readonly hostLane: number
  readonly queueLane: number
  readonly #originMs: number
  readonly #send: ((chunk: TraceChunk) => void) | undefined
  readonly #stagingLanes: number[] = []
  #lastFlushNs = 0
  tag: Tag = { repeat: REPEAT_NONE, step: -1 }

  constructor(info: RunInfo, hostStepUs: number, options: RecorderOptions) {
    this.recording = options.record
    this.hostStepNs = hostStepUs * 1e3
    this.#originMs = performance.now()
    this.#send = options.send
    this.builder = new TraceBuilder(info, {
      originMs: performance.timeOrigin + this.#originMs,
      stepNs: this.hostStepNs,
    })
    this.hostLane = this.builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
    this.queueLane = this.builder.addLane({ kind: 'queue', name: 'queue', clock: 0, group: 'queue' })
  }

  /** Host ns since the trace's origin. */
  now(): number {
    return (performance.now() - this.#originMs) * 1e6
  }

  /** The lane of the i-th staging buffer: rings that follow each other (calibration makes several) share it. */
  stagingLane(index: number): number {
    return (this.#stagingLanes[index] ??= this.builder.addLane({
      kind: 'staging',
      name: `staging ${String(index)}`,
      clock: 0,
      group: 'staging',
    }))
  }

  /** Records a closed span of a host-clock lane; returns its index, or -1 with recording off. */
  span(
    lane: number,
    kind: SpanKind,
    name: string,
    start: number,
    end: number,
    extra: HostSpanExtra = {},
    tag = this.tag,
  ): number {
    if (!this.recording) return -1
    return this.builder.addSpan({ lane, kind, name, start, end, ...tag, ...extra })
  }

  host(kind: SpanKind, name: string, start: number, end = this.now(), extra: HostSpanExtra = {}): number {
    return this.span(this.hostLane, kind, name, start, end, extra)
  }

  flow(from: number, to: number, kind: 'submit' | 'sync' | 'upload'): void {
    if (this.recording && from >= 0 && to >= 0) this.builder.addFlow(from, to, kind)
  }

  /** Sends what is new, when someone listens. `force` false: only when the last chunk is old enough. */
  flush(force = true): void {
    if (!this.#send || !this.recording) return
    const now = this.now()
    if (!force && now - this.#lastFlushNs < FLUSH_INTERVAL_NS) return
    this.#lastFlushNs = now
    const chunk = this.builder.takeChunk()
    if (chunk) this.#send(chunk)
  }

  freeze(): Trace {
    return this.builder.freeze()
  }
}
