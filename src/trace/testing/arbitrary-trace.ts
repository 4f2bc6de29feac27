/** Traces for property tests: random, but as a recorder would write them. Test code only. */
import fc from 'fast-check'
import { TraceBuilder } from '../builder'
import { FLOW_KINDS, SPAN_KINDS, SPAN_ROLES, SPAN_SOURCES, type RunInfo } from '../schema'

export const testInfo: RunInfo = {
  experiment: 'sync-stalls',
  params: { steps: 4, every: ['never', 'every-step'] },
  derived: { matrixSize: 256 },
  adapter: null,
  userAgent: 'test',
  crossOriginIsolated: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  origin: 'live',
}

export type Step = (builder: TraceBuilder) => void

const time = fc.double({ min: 0, max: 1e11, noNaN: true })
const name = fc.constantFrom('matmul', 'await mapAsync(): readback', 'naïve ✓', '', '"quoted"\n')
const small = fc.integer({ min: -2, max: 40 })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const span: fc.Arbitrary<Step> = fc
  .record({
    lane: fc.nat(),
    kind: fc.constantFrom(...SPAN_KINDS),
    role: optional(fc.constantFrom(...SPAN_ROLES)),
    source: fc.constantFrom(...SPAN_SOURCES),
    start: time,
    length: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true })),
    name,
    submission: optional(small),
    variant: optional(fc.constantFrom('never', 'every-step')),
    repeat: optional(small),
    step: optional(small),
    line: optional(fc.integer({ min: 1, max: 200 })),
    bytes: optional(fc.nat()),
    flops: optional(fc.nat()),
  })
  .map(
    ({ length, lane, ...rest }) =>
      (builder) =>
        builder.addSpan({ ...rest, lane: lane % 4, end: rest.start + length }),
  )

const instant: fc.Arbitrary<Step> = fc
  .record({ lane: fc.nat({ max: 3 }), time, name, submission: optional(small) })
  .map((value) => (builder) => void builder.addInstant(value))

const sample: fc.Arbitrary<Step> = fc
  .tuple(fc.nat({ max: 1 }), time, fc.integer())
  .map((value) => (builder) => builder.addCounterSample(...value))

const flow: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom(...FLOW_KINDS))
  .map(([from, to, kind]) => (builder) => {
    const count = builder.spanCount
    if (count > 0) builder.addFlow(from % count, to % count, kind)
  })

const number = optional(fc.nat({ max: 2 ** 30 }))
/** Its span, and what a file may say of it. */
const collective: fc.Arbitrary<Step> = fc
  .record({
    start: time,
    operation: fc.constantFrom('allreduce', '_allgather_base', 'send'),
    group: optional(fc.constantFrom('0', 'default_pg')),
    ranks: optional(fc.constant('[0, 1, 2, 3]')),
    dtype: optional(fc.constantFrom('Float', 'BFloat16')),
    groupSize: number,
    peer: number,
    sequence: number,
    elementsIn: number,
    elementsOut: number,
    match: number,
    waitNs: number,
  })
  .map(({ start, ...rest }) => (builder) => {
    const { operation } = rest
    const span = builder.addSpan({ lane: 3, kind: 'collective', start, end: start + 1000, name: operation })
    builder.addCollective({ ...rest, span })
  })

const snapshot: fc.Arbitrary<Step> = fc.tuple(time, time, time, time).map(
  ([hostBeforeNs, beginTick, endTick, hostAfterNs]) =>
    (builder) =>
      builder.addSnapshot({ clock: 1, hostBeforeNs, beginTick, endTick, hostAfterNs }),
)

const reject: fc.Arbitrary<Step> = fc
  .constantFrom('zero timestamp', 'end before begin')
  .map((reason) => (builder) => builder.reject(reason))

/** Steps of a run on its builder, in order. */
export const arbitrarySteps = fc.array(
  fc.oneof({ weight: 4, arbitrary: span }, instant, sample, flow, snapshot, reject),
  {
    maxLength: 80,
  },
)

/** A host, a queue, a staging and a device lane, two clocks and two counters. */
export function newBuilder(info = testInfo): TraceBuilder {
  const builder = new TraceBuilder(info, { originMs: 1.75e12, stepNs: 5000 })
  const device = builder.addClock({
    kind: 'device',
    name: 'device timestamps',
    originMs: 0,
    originTick: '123456789012345678',
    stepNs: 32,
  })
  const host = builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' })
  builder.addLane({ kind: 'queue', name: 'queue', clock: 0, group: 'queue' })
  builder.addLane({ kind: 'staging', name: 'staging 0', clock: 0, group: 'staging' })
  builder.addLane({ kind: 'device', name: 'device', clock: device, group: 'device' })
  builder.addCounter({ name: 'queue depth', unit: 'submissions', lane: 1 })
  builder.addCounter({ name: 'bytes in flight', unit: 'bytes', lane: host })
  return builder
}

/** A whole trace: no recorder's chunks have collectives. */
export const arbitraryTrace = fc
  .tuple(arbitrarySteps, fc.array(collective, { maxLength: 6 }))
  .map(([steps, collectives]) => {
    const builder = newBuilder()
    for (const step of [...steps, ...collectives]) step(builder)
    return builder.freeze()
  })

/**
 * The same with a device clock that reads what the host's does, within half a millisecond on either
 * side, over a second.
 */
export function newAlignedBuilder(): TraceBuilder {
  const builder = newBuilder()
  for (const at of [0, 1e9])
    builder.addSnapshot({
      clock: 1,
      hostBeforeNs: at - 5e5,
      beginTick: at,
      endTick: at,
      hostAfterNs: at + 5e5,
    })
  return builder
}
