import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REPEAT_WARM_UP } from '../schema'
import { TraceBuilder } from '../builder'
import { gunzipBytes } from '../gzip'
import type { Trace } from '../schema'
import { arbitraryTrace, newAlignedBuilder, newBuilder, testInfo } from '../testing/arbitrary-trace'
import { sampleReport } from '../testing/sample-report'
import { validateTraceEventText, type TraceEvent, traceEventText } from './testing/validate-trace-event'
import { traceEventGzip, traceEventParts } from './trace-event'

const HOST = 0
const QUEUE = 1
const STAGING = 2
const DEVICE = 3

interface File {
  readonly traceEvents: readonly TraceEvent[]
  readonly metadata: Readonly<Record<string, unknown>>
}
const parse = (trace: Trace): File => JSON.parse(traceEventText(trace)) as File
const eventsOf = (trace: Trace, ...phases: readonly TraceEvent['ph'][]) =>
  parse(trace).traceEvents.filter((event) => phases.includes(event.ph))

const pass = {
  lane: DEVICE,
  kind: 'compute',
  name: 'matmul',
  variant: 'never',
  repeat: 0,
  submission: 4,
} as const

describe('traceEventText', () => {
  it('obeys every rule of the format, whatever the trace', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        expect(validateTraceEventText(traceEventText(trace, sampleReport))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('obeys them with device passes, waits and arrows that cross and overlap', () => {
    const edge = fc.integer({ min: 0, max: 60 })
    const edges = fc.tuple(edge, edge).map(([a, b]) => [Math.min(a, b) * 1e4, Math.max(a, b) * 1e4] as const)
    const lanes = fc.constantFrom(HOST, HOST, DEVICE, DEVICE, QUEUE, STAGING)
    const spans = fc.array(fc.tuple(lanes, edges, fc.boolean()), { maxLength: 25 })
    const flows = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 })
    fc.assert(
      fc.property(spans, flows, (all, ties) => {
        const builder = newAlignedBuilder()
        for (const [lane, [start, end], copies] of all)
          builder.addSpan({
            lane,
            kind: lane === DEVICE ? (copies ? 'transfer' : 'compute') : 'host-wait',
            name: 'x',
            start,
            end,
            repeat: 0,
          })
        for (const [from, to] of all.length > 0 ? ties : [])
          builder.addFlow(from % all.length, to % all.length, 'sync')
        const trace = builder.freeze()
        expect(validateTraceEventText(traceEventText(trace))).toEqual([])
        const passes = all.filter(([lane, , copies]) => lane === DEVICE && !copies)
        expect(eventsOf(trace, 'X').filter((event) => event.cat === 'device')).toHaveLength(passes.length)
        const shown = parse(trace)
        const leftOut = shown.metadata['leftOut'] as { flows: number }
        const arrows = shown.traceEvents.filter((event) => event.ph === 's')
        expect(arrows.length + leftOut.flows).toBe(all.length > 0 ? ties.length : 0)
      }),
      { numRuns: 300 },
    )
  })

  it('is valid for an empty trace', () => {
    const empty = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 }).freeze()
    expect(validateTraceEventText(traceEventText(empty))).toEqual([])
    expect(parse(empty).traceEvents).toEqual([])
  })

  it('keeps passes that were not measured out of the category device', () => {
    const builder = newAlignedBuilder()
    builder.addSpan({ ...pass, repeat: REPEAT_WARM_UP, start: 1000, end: 2000 })
    builder.addSpan({ ...pass, repeat: 0, start: 3000, end: 4000 })
    const events = eventsOf(builder.freeze(), 'X')
    expect(events.map(({ cat, args }) => [cat, args?.['repeat']])).toEqual([
      ['device-setup', REPEAT_WARM_UP],
      ['device', 0],
    ])
  })

  it('writes a device pass with all that is known of it', () => {
    const builder = newAlignedBuilder()
    builder.addSpan({
      ...pass,
      start: 1000,
      end: 251_000,
      step: 3,
      role: 'pass',
      line: 12,
      bytes: 64,
      flops: 128,
    })
    const [event] = eventsOf(builder.freeze(), 'X')
    expect(event).toMatchObject({ ph: 'X', cat: 'device', name: 'matmul', pid: 4, tid: 1 })
    expect(event?.dur).toBeCloseTo(250, 2)
    expect(event?.args).toMatchObject({
      variant: 'never',
      repeat: 0,
      step: 3,
      submission: 4,
      role: 'pass',
      line: 12,
      bytes: 64,
      flops: 128,
      begin_ns: String(123456789012345678n + 1000n),
      end_ns: String(123456789012345678n + 251_000n),
    })
    const uncertainty = Number(event?.args?.['uncertainty_us'])
    expect(uncertainty).toBeGreaterThan(400)
    expect(uncertainty).toBeLessThan(600)
  })

  it('draws passes that were stamped as overlapping one after the other, and keeps their union', () => {
    const stamps = [
      [0, 10_000],
      [4_000, 15_000], // begun while the first ran
      [5_000, 7_000], // ended before it: no time of its own
      [20_000, 21_000],
    ] as const
    const builder = newAlignedBuilder()
    for (const [start, end] of stamps) builder.addSpan({ ...pass, start, end })
    const trace = builder.freeze()
    const shown = eventsOf(trace, 'X').sort(
      (a, b) => Number(a.args?.['begin_ns']) - Number(b.args?.['begin_ns']),
    )
    const durations = new Map(shown.map((event) => [event.args?.['end_ns'], Math.round(event.dur * 1e3)]))
    expect([...durations.values()].sort((a, b) => a - b)).toEqual([0, 1000, 5000, 10_000])
    const total = shown.reduce((sum, event) => sum + event.dur, 0)
    expect(total).toBeCloseTo(16, 2)
    expect(shown.map((event) => event.args?.['begin_ns'])).toContain(String(123456789012345678n + 4000n))
  })

  it('gives copies between passes a thread of their own, of category transfer', () => {
    const builder = newAlignedBuilder()
    builder.addSpan({ ...pass, start: 0, end: 1000 })
    builder.addSpan({ ...pass, kind: 'transfer', name: 'copy batch 0', start: 1000, end: 3000 })
    builder.addSpan({ ...pass, start: 2900, end: 3000 })
    const trace = builder.freeze()
    const copy = eventsOf(trace, 'X').find((event) => event.cat === 'transfer')
    expect(copy).toMatchObject({ pid: 4, tid: 2, name: 'copy batch 0' })
    const names = eventsOf(trace, 'M').filter((event) => event.name === 'thread_name' && event.tid === 2)
    expect(names[0]?.args?.['name']).toContain('copies')
  })

  it('makes the queue async, and of host spans only those that do not nest', () => {
    const builder = newBuilder()
    builder.addSpan({ lane: QUEUE, kind: 'queued', name: 'step 0', start: 0, end: 5000 })
    builder.addSpan({ lane: QUEUE, kind: 'queued', name: 'step 1', start: 1000, end: 9000 })
    builder.addSpan({ lane: HOST, kind: 'window', name: 'never', start: 0, end: 9000 })
    builder.addSpan({ lane: HOST, kind: 'host-wait', name: 'a', start: 1000, end: 4000 })
    builder.addSpan({ lane: HOST, kind: 'host-wait', name: 'b', start: 3000, end: 6000 })
    const trace = builder.freeze()
    expect(eventsOf(trace, 'X').map((event) => event.name)).toEqual(['never', 'a'])
    expect(eventsOf(trace, 'b').map((event) => event.name)).toEqual(['b', 'step 0', 'step 1'])
    expect(eventsOf(trace, 'e')).toHaveLength(3)
  })

  it('ties submit to pass to wait, the arrow arriving inside the wait', () => {
    const builder = newAlignedBuilder()
    const submit = builder.addSpan({ lane: HOST, kind: 'submit', name: 'submit', start: 1e6, end: 1e6 })
    const wait = builder.addSpan({ lane: HOST, kind: 'host-wait', name: 'await', start: 1.1e6, end: 6e6 })
    const run = builder.addSpan({ ...pass, start: 3e6, end: 4e6 })
    builder.addFlow(submit, run, 'submit')
    builder.addFlow(run, wait, 'sync')
    const trace = builder.freeze()
    const [submitOut, submitIn, syncOut, syncIn] = eventsOf(trace, 's', 'f')
    expect([submitOut?.name, syncIn?.name]).toEqual(['submit', 'sync'])
    expect(submitOut?.ts).toBe(1000)
    expect(submitIn?.pid).toBe(4)
    expect(syncOut?.ts).toBe(syncIn?.ts)
    expect(syncIn).toMatchObject({ pid: 1, bp: 'e' })
    // A submit() of no measured length still has to hold its arrow.
    expect(eventsOf(trace, 'X').find((event) => event.name === 'submit')?.dur).toBe(0.001)
  })

  it('leaves out what has no place, and says so with the reason', () => {
    const builder = newBuilder()
    builder.addSpan({ ...pass, start: 0, end: 1000 })
    const trace = builder.freeze()
    expect(eventsOf(trace, 'X')).toEqual([])
    expect(parse(trace).metadata).toMatchObject({
      leftOut: { unplacedSpans: 1 },
      clocks: [{ kind: 'host' }, { problem: expect.stringContaining('No submission') as string }],
    })
  })

  it('counts from the earliest time when that is negative', () => {
    const builder = newBuilder()
    builder.addSpan({ lane: HOST, kind: 'encode', name: 'early', start: -2500.4, end: -1000 })
    builder.addInstant({ lane: HOST, time: -7000, name: 'mark' })
    const trace = builder.freeze()
    expect(validateTraceEventText(traceEventText(trace))).toEqual([])
    expect(parse(trace).metadata['zeroNs']).toBe(-7000)
    expect(eventsOf(trace, 'i')[0]?.ts).toBe(0)
  })

  it('tells where it is from and how well the clocks are tied', () => {
    const metadata = parse(newAlignedBuilder().freeze()).metadata
    expect(metadata).toMatchObject({ experiment: 'sync-stalls', params: { steps: 4 }, hostOriginMs: 1.75e12 })
    const [, device] = metadata['clocks'] as readonly { readonly boundUs: number }[]
    expect(device?.boundUs).toBeGreaterThan(300)
    expect(device?.boundUs).toBeLessThan(600)
    expect(JSON.parse(traceEventText(newAlignedBuilder().freeze(), sampleReport))).toMatchObject({
      metadata: { verdict: { outcome: 'inconclusive' }, validity: { valid: true } },
    })
  })

  it('comes in parts, and gzipped as the same text', async () => {
    const builder = newBuilder()
    for (let index = 0; index < 25_000; index += 1)
      builder.addSpan({ lane: HOST, kind: 'encode', name: 'e', start: index * 10, end: index * 10 + 5 })
    const trace = builder.freeze()
    const parts = [...traceEventParts(trace)]
    expect(parts).toHaveLength(3)
    const text = new TextDecoder().decode(await gunzipBytes(await traceEventGzip(trace)))
    expect(text).toBe(parts.join(''))
    expect(validateTraceEventText(text)).toEqual([])
  })
})
