/**
 * Made-up runs of any size for `npm run bench -- timeline`: a host that fills staging buffers and
 * submits, a queue with its depth, a ring of three buffers, a device with copies and passes, in
 * windows of two variants (one waits at every step, one runs ahead as far as the ring lets it).
 * Only the shape is that of a recorded run; no figure in it was measured anywhere, and it says so.
 * The same size gives the same run: what varies comes from a counter, not from a clock. Times: host
 * ns, device ticks.
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

export function makeTrace(spanCount: number): Trace {
  const builder = new TraceBuilder(INFO, { originMs: 0, stepNs: 1000 })
  const clock = builder.addClock({
    kind: 'device',
    name: 'device timestamps',
    originMs: 0,
    // A device's first ticks lie before it, and none is negative.
    originTick: '1000000000',
    stepNs: 1,
  })
  const lane = (kind: 'host' | 'queue' | 'staging' | 'device', name: string, on = 0) =>
    builder.addLane({ kind, name, clock: on, group: kind })
  const host = lane('host', 'host (worker)')
  const queue = lane('queue', 'queue')
  const staging = Array.from({ length: RING }, (_, index) => lane('staging', `staging ${String(index)}`))
  const device = lane('device', 'device', clock)
  const depth = builder.addCounter({ name: 'queue depth', unit: 'submissions', lane: queue })
  const add = (on: number, kind: NewSpan['kind'], name: string, start: number, end: number, own: Own) =>
    builder.addSpan({ lane: on, kind, name, start, end, ...own })

  const lastOfBuffer: (Done | undefined)[] = []
  /** Submitted and not yet reported, oldest first. */
  const pending: Done[] = []
  let hostNs = 0
  let deviceFreeNs = 0
  let submissions = 0

  const hearUntil = (timeNs: number): void => {
    for (let [first] = pending; first && first.heardNs <= timeNs; [first] = pending) {
      pending.shift()
      builder.addCounterSample(depth, first.heardNs, pending.length)
    }
  }

  const takeStep = (own: Own, isBracketed: boolean): void => {
    const at = submissions
    submissions += 1
    const buffer = staging[at % RING] ?? 0
    const before = lastOfBuffer[at % RING]
    const startedNs = hostNs
    const freeNs = Math.max(startedNs, before?.heardNs ?? 0)
    const mapped = freeNs + 1000 + 2000 * jitter(at)
    const filled = mapped + 4000 + 9000 * jitter(at * 3)
    const encoded = filled + 2000 + 3000 * jitter(at * 5)
    const submitted = encoded + 3000
    const begun = Math.max(deviceFreeNs, submitted + 1000 + 8000 * jitter(at * 7))
    const copied = begun + 3000
    const multiplied = copied + 9000 + 25_000 * jitter(at * 11)
    const ended = multiplied + 2000 + 3000 * jitter(at * 19)
    const heard = ended + 2000 + 4000 * jitter(at * 13)
    deviceFreeNs = ended

    add(buffer, 'staging-mapping', 'mapAsync', freeNs, mapped, own)
    const awaited = add(host, 'host-wait', 'await mapAsync', startedNs, mapped, own)
    if (before) builder.addFlow(before.pass, awaited, 'sync')
    add(buffer, 'staging-filled', 'filled', mapped, encoded, own)
    // Nested: the step holds what it is made of.
    add(host, 'host-work', 'step', mapped, submitted, own)
    add(host, 'host-work', 'fill staging', mapped, filled, own)
    add(host, 'encode', 'encode', filled, encoded, own)
    const submit = add(host, 'submit', 'submit', encoded, submitted, own)
    const flight = add(buffer, 'staging-in-flight', 'in flight', submitted, heard, own)
    add(queue, 'queued', 'queued', encoded, heard, own)
    const copy = builder.addSpan({
      lane: device,
      ...own,
      kind: 'transfer',
      source: 'inferred',
      name: 'upload',
      start: toTick(begun),
      end: toTick(copied),
      bytes: BYTES,
    })
    const pass = builder.addSpan({
      lane: device,
      ...own,
      kind: 'compute',
      name: 'matmul',
      start: toTick(copied),
      end: toTick(multiplied),
      flops: 1e6,
    })
    builder.addFlow(flight, copy, 'upload')
    builder.addFlow(submit, pass, 'submit')

    hearUntil(encoded)
    const done = { heardNs: heard, pass }
    lastOfBuffer[at % RING] = done
    pending.push(done)
    builder.addCounterSample(depth, encoded, pending.length)
    hostNs = submitted
    if (own.variant === 'every-step') {
      builder.addFlow(pass, add(host, 'host-wait', 'await readback', submitted, heard, own), 'sync')
      hostNs = heard
    }
    hostNs += 1000 * jitter(at * 17)
    if (isBracketed)
      builder.addSnapshot({
        clock,
        hostBeforeNs: encoded,
        beginTick: toTick(begun),
        endTick: toTick(ended),
        hostAfterNs: heard,
      })
  }

  for (let window = 0; window < WINDOWS; window += 1) {
    const variant = VARIANTS[window % VARIANTS.length] ?? 'queued'
    const repeat = Math.floor(window / VARIANTS.length)
    const startedNs = hostNs
    const last = Math.floor((spanCount * (window + 1)) / WINDOWS) - 1 // its own span
    const steps = Math.floor((last - builder.spanCount) / MOST_SPANS_A_STEP)
    const bracketEvery = Math.max(1, Math.floor(steps / SNAPSHOTS_A_WINDOW))
    for (let step = 0; builder.spanCount + MOST_SPANS_A_STEP <= last; step += 1)
      takeStep({ variant, repeat, step, submission: submissions }, step % bracketEvery === 0)
    hostNs = Math.max(hostNs, pending.at(-1)?.heardNs ?? 0)
    hearUntil(Infinity)
    add(host, 'window', variant, startedNs, hostNs, { variant, repeat })
    hostNs += 100_000
  }
  // Spans that belong to no window.
  for (; builder.spanCount < spanCount; hostNs += 1000)
    add(host, 'other', 'bookkeeping', hostNs, hostNs + 500, {})
  return builder.freeze()
}
