import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateTraceEventText, traceEventText } from '../src/trace/formats/testing/validate-trace-event'
import { decodeRun, encodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import { makeTrace } from './timeline-trace'
import { forAllOf } from '../src/testing/for-all'

describe('makeTrace', () => {
  const trace = makeTrace(5000)
  const placed = placeTrace(trace)

  it('has as many spans as asked for, whatever the number', () => {
    forAllOf(40)(fc.integer({ min: 200, max: 3000 }), (count) => {
      expect(makeTrace(count).spans.length).toBe(count)
    })
  })

  it('places every span, by a clock that fits', () => {
    expect(placed.unplaced).toEqual([])
    expect(placed.fitProblems.filter(Boolean)).toEqual([])
    const fit = placed.fits[1]
    expect(Math.abs((fit?.skew ?? NaN) * 1e6 + 15)).toBeLessThan(100)
  })

  it('is read back from its own format, and is valid Trace Event JSON', async () => {
    const read = await decodeRun(encodeRun({ trace, report: null }))
    expect(read.ok && read.value.trace.spans).toEqual(trace.spans)
    expect(validateTraceEventText(traceEventText(trace, null))).toEqual([])
  })
})
