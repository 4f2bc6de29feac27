/**
 * Made-up runs of any size for `npm run bench -- timeline`: a host that fills staging buffers and submits, a queue with its depth, a
 * ring of three buffers, a device with copies and passes, in windows of two variants (one waits at every step, one runs ahead as far
 * as the ring lets it). Only the shape is that of a recorded run; no figure in it was measured anywhere, and it says so.
 * The same size gives the same run: what varies comes from a counter, not from a clock. Times: host ns, device ticks.
 */
import { TraceBuilder, type NewSpan } from '../src/trace/builder'
import type { RunInfo, Trace } from '../src/trace/schema'

const INFO: RunInfo = {
  experiment: 'sync-stalls',
  params: {},
  derived: {},
  adapter: null,
  userAgent: 'made up by npm run bench -- timeline',
  crossOriginIsolated: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  origin: 'recorded',
}
const VARIANTS = ['every-step', 'queued'] as const
const REPEATS = 5
const WINDOWS = VARIANTS.length * REPEATS
const RING = 3
const MOST_SPANS_A_STEP = 12
const BYTES = 65_536
/** As many brackets as a recorded run has, whatever its length. */
const SNAPSHOTS_A_WINDOW = 8
/** host ns = tick + offset, and the made-up oscillator is this much fast. */
const DEVICE_OFFSET_NS = 40_000
const DEVICE_SKEW = 15e-6

/** 0 to 1, from a multiplicative hash of the counter. */
const jitter = (counter: number): number => (Math.imul(counter + 1, 0x9e3779b1) >>> 8) / 2 ** 24
const toTick = (hostNs: number): number => Math.round((hostNs - DEVICE_OFFSET_NS) * (1 + DEVICE_SKEW))

/** When a submission is done, and what in the trace says so. */
interface Done {
  readonly heardNs: number
  readonly pass: number
}
type Own = Pick<NewSpan, 'variant' | 'repeat' | 'step' | 'submission'>

class MadeUpRun {
  readonly builder = new TraceBuilder(INFO, { originMs: 0, stepNs: 1000 })
  readonly #clock = this.builder.addClock({
    kind: 'device',
    name: 'device timestamps',
    originMs: 0,
    originTick: '0',
    stepNs: 1,
  })
  readonly #host = this.#lane('host', 'host (worker)')
  readonly #queue = this.#lane('queue', 'queue')
  readonly #staging = Array.from({ length: RING }, (_, index) =>
    this.#lane('staging', `staging ${String(index)}`),
  )
  readonly #device = this.#lane('device', 'device', this.#clock)
  readonly #depth = this.builder.addCounter({ name: 'queue depth', unit: 'submissions', lane: this.#queue })
  readonly #lastOfBuffer: (Done | undefined)[] = []
  /** Submitted and not yet reported, oldest first. */
  readonly #pending: Done[] = []
  #hostNs = 0
  #deviceFreeNs = 0
  #submissions = 0
  #snapshotEvery = 1

  #lane(kind: 'host' | 'queue' | 'staging' | 'device', name: string, clock = 0): number {
    return this.builder.addLane({ kind, name, clock, group: kind })
  }

  #span(lane: number, kind: NewSpan['kind'], name: string, start: number, end: number, own: Own): number {
    return this.builder.addSpan({ lane, kind, name, start, end, ...own })
  }

  window(variant: (typeof VARIANTS)[number], repeat: number, untilSpans: number): void {
    const { builder } = this
    const startedNs = this.#hostNs
    const last = untilSpans - 1 // its own span
    const steps = Math.floor((last - builder.spanCount) / MOST_SPANS_A_STEP)
    this.#snapshotEvery = Math.max(1, Math.floor(steps / SNAPSHOTS_A_WINDOW))
    for (let step = 0; builder.spanCount + MOST_SPANS_A_STEP <= last; step += 1)
      this.#step({ variant, repeat, step, submission: this.#submissions })
    this.#hostNs = Math.max(this.#hostNs, this.#pending.at(-1)?.heardNs ?? 0)
    this.#hearUntil(Infinity)
    this.#span(this.#host, 'window', variant, startedNs, this.#hostNs, {
      variant,
      repeat,
      step: undefined,
      submission: undefined,
    })
    this.#hostNs += 100_000
  }

  /** Spans that belong to no window, until there are so many. */
  fill(spans: number): void {
    while (this.builder.spanCount < spans) {
      this.#span(this.#host, 'other', 'bookkeeping', this.#hostNs, this.#hostNs + 500, {})
      this.#hostNs += 1000
    }
  }

  #step(own: Own & { readonly step: number }): void {
    const { builder } = this
    const at = this.#submissions
    this.#submissions += 1
    const buffer = this.#staging[at % RING] ?? 0
    const before = this.#lastOfBuffer[at % RING]
    const startedNs = this.#hostNs
    const freeNs = Math.max(startedNs, before?.heardNs ?? 0)
    const mapped = freeNs + 1000 + 2000 * jitter(at)
    const filled = mapped + 4000 + 9000 * jitter(at * 3)
    const encoded = filled + 2000 + 3000 * jitter(at * 5)
    const submitted = encoded + 3000
    const begun = Math.max(this.#deviceFreeNs, submitted + 1000 + 8000 * jitter(at * 7))
    const copied = begun + 3000
    const multiplied = copied + 9000 + 25_000 * jitter(at * 11)
    const ended = multiplied + 2000 + 3000 * jitter(at * 19)
    const heard = ended + 2000 + 4000 * jitter(at * 13)
    this.#deviceFreeNs = ended

    this.#span(buffer, 'staging-mapping', 'mapAsync', freeNs, mapped, own)
    const awaited = this.#span(this.#host, 'host-wait', 'await mapAsync', startedNs, mapped, own)
    if (before) builder.addFlow(before.pass, awaited, 'sync')
    this.#span(buffer, 'staging-filled', 'filled', mapped, encoded, own)
    // Nested: the step holds what it is made of.
    this.#span(this.#host, 'host-work', 'step', mapped, submitted, own)
    this.#span(this.#host, 'host-work', 'fill staging', mapped, filled, own)
    this.#span(this.#host, 'encode', 'encode', filled, encoded, own)
    const submit = this.#span(this.#host, 'submit', 'submit', encoded, submitted, own)
    const flight = this.#span(buffer, 'staging-in-flight', 'in flight', submitted, heard, own)
    this.#span(this.#queue, 'queued', 'queued', encoded, heard, own)
    const device = { lane: this.#device, ...own }
    const copy = builder.addSpan({
      ...device,
      kind: 'transfer',
      source: 'inferred',
      name: 'upload',
      start: toTick(begun),
      end: toTick(copied),
      bytes: BYTES,
    })
    const pass = builder.addSpan({
      ...device,
      kind: 'compute',
      name: 'matmul',
      start: toTick(copied),
      end: toTick(multiplied),
      flops: 1e6,
    })
    builder.addFlow(flight, copy, 'upload')
    builder.addFlow(submit, pass, 'submit')

    this.#hearUntil(encoded)
    const done = { heardNs: heard, pass }
    this.#lastOfBuffer[at % RING] = done
    this.#pending.push(done)
    builder.addCounterSample(this.#depth, encoded, this.#pending.length)
    this.#hostNs = submitted
    if (own.variant === 'every-step') {
      const wait = this.#span(this.#host, 'host-wait', 'await readback', submitted, heard, own)
      builder.addFlow(pass, wait, 'sync')
      this.#hostNs = heard
    }
    this.#hostNs += 1000 * jitter(at * 17)
    if (own.step % this.#snapshotEvery === 0)
      builder.addSnapshot({
        clock: this.#clock,
        hostBeforeNs: encoded,
        beginTick: toTick(begun),
        endTick: toTick(ended),
        hostAfterNs: heard,
      })
  }

  #hearUntil(timeNs: number): void {
    let first = this.#pending[0]
    while (first && first.heardNs <= timeNs) {
      this.#pending.shift()
      this.builder.addCounterSample(this.#depth, first.heardNs, this.#pending.length)
      first = this.#pending[0]
    }
  }
}

export function makeTrace(spanCount: number): Trace {
  const run = new MadeUpRun()
  for (let window = 0; window < WINDOWS; window += 1)
    run.window(
      VARIANTS[window % VARIANTS.length] ?? 'queued',
      Math.floor(window / VARIANTS.length),
      Math.floor((spanCount * (window + 1)) / WINDOWS),
    )
  run.fill(spanCount)
  return run.builder.freeze()
}
