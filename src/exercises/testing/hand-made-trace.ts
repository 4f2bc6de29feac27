/**
 * Writes a program's trace by hand, so that each branch of a check can be met. Times in ms since
 * the trace's origin.
 */
import { TraceBuilder } from '../../trace/builder'
import type { SpanRole, Trace } from '../../trace/schema'
import { testInfo } from '../../trace/testing/arbitrary-trace'

const MS = 1e6

export class HandMadeTrace {
  readonly #builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
  readonly #host = this.#builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  readonly #queue = this.#builder.addLane({ kind: 'queue', name: 'queue', clock: 0, group: 'queue' })
  readonly #name: string
  #submissions = 0
  #clock: number | null = null
  #device: number | null = null
  #deviceNs = 0

  /** @param name of the runs that are written into it */
  constructor(name: string) {
    this.#name = name
  }

  /** @returns its number, for waits. `completedMs` null: never reported. */
  submit(repeat: number, startMs: number, completedMs: number | null): number {
    const submission = this.#submissions
    this.#submissions += 1
    this.#span(repeat, 'submit', startMs, startMs + 0.01, { submission })
    if (completedMs !== null)
      this.#builder.addSpan({
        lane: this.#queue,
        kind: 'queued',
        name: 'queued',
        start: startMs * MS,
        end: completedMs * MS,
        submission,
        variant: this.#name,
        repeat,
      })
    return submission
  }

  wait(
    repeat: number,
    role: 'wait-map' | 'wait-done' | 'wait-staging',
    startMs: number,
    endMs: number,
    submission: number,
    line?: number,
  ): void {
    this.#span(repeat, role, startMs, endMs, { submission, ...(line !== undefined && { line }) })
  }

  /** A staging buffer made or filled, a writeBuffer(), or a read of a mapped buffer. */
  carry(
    repeat: number,
    role: 'create' | 'fill' | 'write' | 'read',
    startMs: number,
    endMs: number,
    bytes: number,
  ): void {
    this.#span(repeat, role, startMs, endMs, { bytes })
  }

  /** A message of some rank to or from another, in this line. */
  message(role: 'send' | 'recv', peer: number, startMs: number, endMs: number, line: number): void {
    const name = `${role} ${role === 'send' ? 'to' : 'from'} ${String(peer)}`
    this.#span(0, role, startMs, endMs, { name, line })
  }

  /** A device clock that can be believed, or one that contradicts itself. */
  deviceClock(isSound = true, stepNs = 1): void {
    if (this.#clock !== null) return
    this.#clock = this.#builder.addClock({
      kind: 'device',
      name: 'device',
      originMs: 0,
      originTick: '0',
      stepNs,
    })
    const clock = this.#clock
    for (const at of [1, 2])
      this.#builder.addSnapshot({
        clock,
        hostBeforeNs: at * MS,
        beginTick: (isSound ? at : 3 - at) * MS + 1000,
        endTick: (isSound ? at : 3 - at) * MS + 2000,
        hostAfterNs: at * MS + 3000,
      })
  }

  /** A compute pass, by the device's clock. */
  pass(repeat: number, name: string, ns: number, flops = Number.NaN): void {
    this.deviceClock()
    this.#device ??= this.#builder.addLane({
      kind: 'device',
      name: 'device',
      clock: this.#clock ?? 0,
      group: 'device',
    })
    const span = { lane: this.#device, kind: 'compute', role: 'pass', name, flops } as const
    const [start, end] = [this.#deviceNs, this.#deviceNs + ns]
    this.#deviceNs = end
    this.#builder.addSpan({ ...span, start, end, variant: this.#name, repeat })
  }

  get trace(): Trace {
    return this.#builder.freeze()
  }

  #span(
    repeat: number,
    role: SpanRole,
    startMs: number,
    endMs: number,
    more: {
      readonly submission?: number
      readonly bytes?: number
      readonly name?: string
      readonly line?: number
    },
  ): void {
    const kind = role === 'submit' ? 'submit' : role.startsWith('wait') ? 'host-wait' : 'host-work'
    this.#builder.addSpan({
      lane: this.#host,
      kind,
      role,
      name: role,
      start: startMs * MS,
      end: endMs * MS,
      variant: this.#name,
      repeat,
      ...more,
    })
  }
}
