/**
 * Tiny placed traces for tests: host lanes as they are, device lanes moved by a fixed offset with a
 * fixed bound. It places by itself, so that these tests stand on the contract of trace/place.ts and
 * not on the clock fit.
 */
import { TraceBuilder, type NewSpan } from '../../trace/builder'
import type { PlacedLane, PlacedTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import type { Gap } from '../../trace/gaps'
import type { TimelineData } from '../types'
import { testInfo } from '../../trace/testing/arbitrary-trace'

const HOST_STEP_NS = 5000
const DEVICE_OFFSET_NS = 1000
const DEVICE_BOUND_NS = [200, 300] as const

/**
 * A builder with the four kinds of lane under their names; device ticks are host ns −
 * DEVICE_OFFSET_NS.
 */
export class Fixture {
  readonly builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: HOST_STEP_NS })
  readonly lanes: Readonly<Record<'host' | 'queue' | 'staging' | 'device', number>>
  readonly depth: number

  constructor() {
    const { builder } = this
    const clock = builder.addClock({
      kind: 'device',
      name: 'device timestamps',
      originMs: 0,
      originTick: '7',
      stepNs: 1,
    })
    this.lanes = {
      host: builder.addLane({ kind: 'host', name: 'host (worker)', clock: 0, group: 'host' }),
      queue: builder.addLane({ kind: 'queue', name: 'queue', clock: 0, group: 'queue' }),
      staging: builder.addLane({ kind: 'staging', name: 'staging 0', clock: 0, group: 'staging' }),
      device: builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' }),
    }
    this.depth = builder.addCounter({ name: 'queue depth', unit: 'submissions', lane: this.lanes.queue })
  }

  /** Times in host ns, also on the device lane. */
  span(
    lane: keyof Fixture['lanes'],
    kind: NewSpan['kind'],
    start: number,
    end: number,
    more: Partial<NewSpan> = {},
  ): number {
    const offset = lane === 'device' ? DEVICE_OFFSET_NS : 0
    return this.builder.addSpan({
      lane: this.lanes[lane],
      kind,
      name: kind,
      start: start - offset,
      end: end - offset,
      ...more,
    })
  }

  data(gaps: readonly Gap[] = [], live = false): TimelineData {
    const placed = placeFixture(this.builder.freeze())
    return { placed, gaps, live, nowNs: placed.endOfAllNs }
  }
}

export function placeFixture(trace: Trace): PlacedTrace {
  const { spans, lanes, clocks } = trace
  const offsetOf = (span: number): number =>
    clocks[lanes[spans.lane[span] ?? -1]?.clock ?? -1]?.kind === 'device' ? DEVICE_OFFSET_NS : 0
  const startNs = spans.start.slice(0, spans.length).map((start, span) => start + offsetOf(span))
  const endNs = spans.end.slice(0, spans.length).map((end, span) => end + offsetOf(span))
  const all = [...startNs.keys()]
  const placedLanes = lanes.map((lane): PlacedLane => {
    const own = all
      .filter((span) => spans.lane[span] === lane.id)
      .sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0) || (endNs[b] ?? 0) - (endNs[a] ?? 0))
    let furthest = -Infinity
    return {
      lane: lane.id,
      length: own.length,
      span: Uint32Array.from(own),
      startNs: Float64Array.from(own, (span) => startNs[span] ?? 0),
      endNs: Float64Array.from(own, (span) => endNs[span] ?? 0),
      maxEndNs: Float64Array.from(own, (span) => (furthest = Math.max(furthest, endNs[span] ?? 0))),
    }
  })
  return {
    trace,
    fits: clocks.map(({ kind, stepNs }, clock) =>
      kind === 'device'
        ? {
            clock,
            centreTick: 0,
            offsetNs: DEVICE_OFFSET_NS,
            skew: 0,
            // The bounds of an edge add half a step of its clock.
            polygon: [
              [DEVICE_OFFSET_NS - DEVICE_BOUND_NS[0] + stepNs / 2, 0],
              [DEVICE_OFFSET_NS + DEVICE_BOUND_NS[1] - stepNs / 2, 0],
            ],
            snapshots: 1,
          }
        : null,
    ),
    fitProblems: clocks.map(() => null),
    lanes: placedLanes,
    unplaced: [],
    startNs,
    endNs,
    startOfAllNs: Math.min(...startNs, Infinity),
    endOfAllNs: Math.max(...endNs, -Infinity),
  }
}

/**
 * Two submissions; the host waits for the first before it submits the second, so the device idles
 * in between.
 */
export function twoSubmissions(): { readonly data: TimelineData; readonly spans: Record<string, number> } {
  const fixture = new Fixture()
  const { builder } = fixture
  const tag = { variant: 'every-step', repeat: 0 }
  const spans: Record<string, number> = {}
  const one = (id: number, from: number): void => {
    const own = { ...tag, submission: id, step: id }
    spans[`encode ${id}`] = fixture.span('host', 'encode', from, from + 10_000, own)
    spans[`submit ${id}`] = fixture.span('host', 'submit', from + 10_000, from + 20_000, own)
    spans[`pass ${id}`] = fixture.span('device', 'compute', from + 30_000, from + 130_000, {
      ...own,
      name: 'matmul',
      flops: 1e6,
      bytes: 2e5,
    })
    spans[`wait ${id}`] = fixture.span('host', 'host-wait', from + 20_000, from + 300_000, own)
    spans[`queued ${id}`] = fixture.span('queue', 'queued', from + 10_000, from + 290_000, own)
    builder.addCounterSample(fixture.depth, from + 10_000, 1)
    builder.addCounterSample(fixture.depth, from + 290_000, 0)
    builder.addFlow(spans[`submit ${id}`] ?? 0, spans[`pass ${id}`] ?? 0, 'submit')
    builder.addFlow(spans[`pass ${id}`] ?? 0, spans[`wait ${id}`] ?? 0, 'sync')
  }
  one(0, 0)
  one(1, 300_000)
  spans['window'] = fixture.span('host', 'window', 0, 600_000, tag)
  fixture.span('staging', 'staging-mapped', 0, 100_000)
  fixture.span('staging', 'staging-filled', 100_000, 200_000)
  const variant = builder.freeze().strings.indexOf('every-step')
  const gap: Gap = {
    lane: fixture.lanes.device,
    startNs: 130_000,
    endNs: 330_000,
    deviceStartNs: 0,
    durationNs: 200_000,
    cause: 'host-waited',
    evidence: 'The host awaited submission 0.',
    spans: [spans['wait 0'] ?? 0],
    before: spans['pass 0'] ?? 0,
    after: spans['pass 1'] ?? 0,
    variant,
    repeat: 0,
  }
  return { data: fixture.data([gap]), spans }
}
