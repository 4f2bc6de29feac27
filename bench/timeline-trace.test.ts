import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGaps } from '../src/analysis/gaps'
import { validateTraceEventText } from '../src/trace/formats/testing/validate-trace-event'
import { decodeRun, encodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import { FLOW_KINDS } from '../src/trace/schema'
import { makeTrace } from './timeline-trace'
import { traceEventText } from '../src/trace/formats/testing/whole-text'

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
