import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TraceBuilder } from './builder'
import { placeTrace, type PlacedTrace } from './place'
import { packPlaced, unpackPlaced, type PackedPlaced } from './placed-columns'
import { arbitraryTrace, testInfo } from './testing/arbitrary-trace'

/**
 * Sends as between threads: a column that is not in the list of transfers would be copied, one that
 * cannot be cloned throws.
 */
const send = ({ columns, transfer }: PackedPlaced) => structuredClone(columns, { transfer: [...transfer] })

const functions = ({ trace, fits, edgeBoundNs }: PlacedTrace) => ({
  bounds: Array.from({ length: trace.spans.length }, (_, span) => [
    edgeBoundNs(span, 'start'),
    edgeBoundNs(span, 'end'),
  ]),
  fits: fits.map((fit) => fit && [0, 1e6, 1e11].map((tick) => [fit.toHostNs(tick), ...fit.band(tick)])),
})

const data = (placed: PlacedTrace): unknown =>
  JSON.parse(
    JSON.stringify({ ...placed, trace: null }, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value,
    ),
  )

describe('a placed trace as columns', () => {
  it('comes back as it was, functions and all', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const placed = placeTrace(trace)
        const back = unpackPlaced(trace, send(packPlaced(placed)))
        expect(data(back)).toEqual(data(placed))
        expect(functions(back)).toEqual(functions(placed))
      }),
    )
  })

  it('keeps infinite bounds and places that are not numbers where no clock fits', () => {
    const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
    const clock = builder.addClock({
      kind: 'device',
      name: 'device',
      originMs: 0,
      originTick: '0',
      stepNs: 32,
    })
    const lane = builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
    builder.addSpan({ lane, kind: 'compute', name: 'matmul', start: 1, end: 2 })
    const trace = builder.freeze()
    const back = unpackPlaced(trace, send(packPlaced(placeTrace(trace))))
    expect(back.startNs[0]).toBeNaN()
    expect(back.edgeBoundNs(0, 'end')).toEqual([Infinity, Infinity])
    expect(back.unplaced).toEqual([lane])
    expect(back.fitProblems[clock]).toMatch(/timestamps/)
  })

  it('transfers every column and leaves the placed trace whole', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const placed = placeTrace(trace)
        const packed = packPlaced(placed)
        const views = Object.values(packed.columns).filter((value) => ArrayBuffer.isView(value))
        expect(new Set(packed.transfer)).toEqual(new Set(views.map(({ buffer }) => buffer)))
        send(packed)
        expect(placed.startNs).toHaveLength(trace.spans.length)
      }),
      { numRuns: 20 },
    )
  })
})
