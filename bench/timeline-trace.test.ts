import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../src/analysis/gaps'
import { validateTraceEventText } from '../src/trace/formats/testing/validate-trace-event'
import { decodeRun, encodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import { FLOW_KINDS, SPAN_KINDS, type Trace } from '../src/trace/schema'
import { makeTrace } from './timeline-trace'
import { traceEventText } from '../src/trace/formats/testing/whole-text'

const spansOf = (trace: Trace, lane: string, kind?: string): readonly (readonly [number, number])[] =>
  Array.from({ length: trace.spans.length }, (_, row) => row)
    .filter((row) => trace.lanes[trace.spans.lane[row] ?? -1]?.name === lane)
    .filter((row) => kind === undefined || SPAN_KINDS[trace.spans.kind[row] ?? -1] === kind)
    .map((row) => [trace.spans.start[row] ?? NaN, trace.spans.end[row] ?? NaN])

describe('makeTrace', () => {
  const trace = makeTrace(5000)
  const placed = placeTrace(trace)

  it('has as many spans as asked for, whatever the number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 3000 }), (count) => {
        expect(makeTrace(count).spans.length).toBe(count)
      }),
      { numRuns: 40 },
    )
  })

  it('is the same each time', () => {
    expect(makeTrace(5000)).toEqual(trace)
  })

  it('places every span, by a clock that fits', () => {
    expect(placed.unplaced).toEqual([])
    expect(placed.fitProblems.filter(Boolean)).toEqual([])
    const fit = placed.fits[1]
    expect(Math.abs((fit?.skew ?? NaN) * 1e6 + 15)).toBeLessThan(100)
  })

  it('has idle stretches of the device, most of them with a cause that is known', () => {
    const gaps = findGaps(placed)
    expect(gaps.length).toBeGreaterThan(200)
    expect(new Set(gaps.map(({ cause }) => cause)).size).toBeGreaterThan(1)
    expect(gaps.filter(({ cause }) => cause !== 'unknown').length).toBeGreaterThan(gaps.length / 2)
  })

  it('nests on the host, and overlaps on the queue alone', () => {
    const host = spansOf(trace, 'host (worker)').toSorted((a, b) => a[0] - b[0] || b[1] - a[1])
    const open: number[] = []
    let deepest = 0
    for (const [start, end] of host) {
      while ((open.at(-1) ?? Infinity) <= start) open.pop()
      expect(end).toBeLessThanOrEqual(open.at(-1) ?? Infinity)
      open.push(end)
      deepest = Math.max(deepest, open.length)
    }
    expect(deepest).toBe(3)
    for (const lane of ['staging 0', 'staging 1', 'staging 2', 'device']) {
      const spans = spansOf(trace, lane).toSorted((a, b) => a[0] - b[0])
      expect(spans.length).toBeGreaterThan(300)
      for (const [index, [start]] of spans.entries())
        expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? -Infinity)
    }
    const [depth] = trace.counters
    expect(Math.max(...(depth?.value ?? []))).toBe(3)
    expect(Math.min(...(depth?.value ?? []))).toBe(0)
    expect(depth?.timeNs).toEqual(depth?.timeNs.toSorted())
  })

  it('has flows of every kind but those between ranks, each forward in time', () => {
    const kinds = new Set(Array.from(trace.flows.kind, (kind) => FLOW_KINDS[kind]))
    expect(kinds).toEqual(new Set(FLOW_KINDS.filter((kind) => kind !== 'collective')))
    for (let row = 0; row < trace.flows.length; row += 1) {
      const [from = -1, to = -1] = [trace.flows.from[row], trace.flows.to[row]]
      expect(placed.endNs[to]).toBeGreaterThanOrEqual(placed.startNs[from] ?? Infinity)
    }
  })

  it('is read back from its own format, and is valid Trace Event JSON', async () => {
    const read = await decodeRun(encodeRun({ trace, report: null }))
    expect(read.ok && read.value.trace.spans).toEqual(trace.spans)
    expect(validateTraceEventText(traceEventText(trace, null))).toEqual([])
  })
})
