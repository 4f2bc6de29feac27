import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TraceAssembler, TraceBuilder } from './builder'
import { edgeBoundNs, Placer, placeTrace, type PlacedTrace } from './place'
import { END_BEFORE_BEGIN } from './schema'
import { arbitraryClock, trueHostNs } from './testing/arbitrary-clock'
import { arbitrarySteps, arbitraryTrace, newBuilder, testInfo } from './testing/arbitrary-trace'

const HOST = 0
const DEVICE = 3
const hostSpan = { lane: HOST, kind: 'host-work', name: 'work' } as const

/** Everything but the closures. */
const plain = ({
  lanes,
  unplaced,
  startNs,
  endNs,
  startOfAllNs,
  endOfAllNs,
  fitProblems,
  fits,
}: PlacedTrace) => ({
  lanes,
  unplaced,
  startNs,
  endNs,
  startOfAllNs,
  endOfAllNs,
  fitProblems,
  fits: fits.map((fit) => fit && { offsetNs: fit.offsetNs, skew: fit.skew, polygon: fit.polygon }),
})

describe('placeTrace', () => {
  it('places nothing of an empty trace', () => {
    const placed = placeTrace(new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 }).freeze())
    expect(placed.lanes).toEqual([])
    expect([placed.startOfAllNs, placed.endOfAllNs]).toEqual([0, 0])
    expect(placed.fits).toEqual([null])
    expect(placed.unplaced).toEqual([])
  })

  it('places one span of no length', () => {
    const builder = newBuilder()
    builder.addSpan({ ...hostSpan, start: 7, end: 7 })
    const placed = placeTrace(builder.freeze())
    expect([placed.startOfAllNs, placed.endOfAllNs]).toEqual([7, 7])
    expect(placed.lanes[HOST]).toMatchObject({ lane: HOST, length: 1 })
    expect(edgeBoundNs(placed, 0, 'end')).toEqual([2500, 2500])
  })

  it('is plain data, its lanes in four buffers: another thread gets it as it is', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const placed = placeTrace(trace)
        expect(structuredClone(placed)).toEqual(placed)
        const columns = placed.lanes.flatMap(({ span, startNs, endNs, maxEndNs }) => [
          span,
          startNs,
          endNs,
          maxEndNs,
        ])
        expect(new Set(columns.map(({ buffer }) => buffer)).size).toBe(4)
      }),
    )
  })

  it('sorts each lane by start, containers first, with the running maximum of ends', () => {
    fc.assert(
      fc.property(arbitraryTrace, (trace) => {
        const placed = placeTrace(trace)
        const seen = new Set<number>()
        for (const lane of placed.lanes) {
          let lastEnd = -Infinity
          for (let index = 0; index < lane.length; index += 1) {
            const span = lane.span[index] ?? -1
            seen.add(span)
            expect(trace.spans.lane[span]).toBe(lane.lane)
            expect(lane.startNs[index]).toBe(placed.startNs[span])
            expect(lane.endNs[index]).toBe(placed.endNs[span])
            lastEnd = Math.max(lastEnd, lane.endNs[index] ?? Number.NaN)
            expect(lane.maxEndNs[index]).toBe(lastEnd)
            if (index === 0) continue
            const [before, start] = [lane.startNs[index - 1] ?? Number.NaN, lane.startNs[index] ?? Number.NaN]
            expect(before).toBeLessThanOrEqual(start)
            if (before === start)
              expect(lane.endNs[index - 1]).toBeGreaterThanOrEqual(lane.endNs[index] ?? NaN)
          }
        }
        const drawn = [...trace.spans.start.keys()].filter((span) => !Number.isNaN(placed.startNs[span]))
        expect(seen.size).toBe(drawn.length)
        for (const span of drawn) {
          expect(placed.startNs[span]).toBeGreaterThanOrEqual(placed.startOfAllNs)
          expect(placed.endNs[span]).toBeLessThanOrEqual(placed.endOfAllNs)
        }
      }),
    )
  })

  it('keeps the true time of every device edge within its bounds', () => {
    fc.assert(
      fc.property(arbitraryClock, ({ truth, snapshots, hostStepNs, deviceStepNs }) => {
        const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: hostStepNs })
        const clock = builder.addClock({
          kind: 'device',
          name: 'device',
          originMs: 0,
          originTick: '0',
          stepNs: deviceStepNs,
        })
        const lane = builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
        for (const snapshot of snapshots) {
          builder.addSnapshot({ ...snapshot, clock })
          builder.addSpan({
            lane,
            kind: 'compute',
            name: 'p',
            start: snapshot.beginTick,
            end: snapshot.endTick,
          })
        }
        const trace = builder.freeze()
        const placed = placeTrace(trace)
        for (let span = 0; span < trace.spans.length; span += 1)
          for (const edge of ['start', 'end'] as const) {
            const [before, after] = edgeBoundNs(placed, span, edge)
            const placedNs = (edge === 'start' ? placed.startNs : placed.endNs)[span] ?? Number.NaN
            // The stamp was floored: the edge lay anywhere in the step after it.
            for (const share of [0, 0.5, 0.999]) {
              const trueNs = trueHostNs(truth, (trace.spans[edge][span] ?? Number.NaN) + share * deviceStepNs)
              expect(trueNs).toBeGreaterThanOrEqual(placedNs - before - 0.01)
              expect(trueNs).toBeLessThanOrEqual(placedNs + after + 0.01)
            }
            expect(before).toBeGreaterThanOrEqual(0)
            expect(after).toBeGreaterThanOrEqual(0)
          }
      }),
    )
  })

  it('does not place a device lane without a fit, and says why', () => {
    const builder = newBuilder()
    builder.addSpan({ ...hostSpan, start: 1, end: 2 })
    builder.addSpan({ lane: DEVICE, kind: 'compute', name: 'pass', start: 10, end: 20 })
    const none = placeTrace(builder.freeze())
    expect(none.unplaced).toEqual([DEVICE])
    expect(none.lanes[DEVICE]?.length).toBe(0)
    expect(none.startNs[1]).toBeNaN()
    expect(none.endNs[1]).toBeNaN()
    expect(edgeBoundNs(none, 1, 'start')).toEqual([Infinity, Infinity])
    expect([none.startOfAllNs, none.endOfAllNs]).toEqual([1, 2])
    expect(none.fitProblems[1]).toContain('No submission')

    const bracket = { clock: 1, hostBeforeNs: 0, beginTick: 0, endTick: 1000, hostAfterNs: 1e6 }
    builder.addSnapshot(bracket)
    builder.addSnapshot({ ...bracket, hostBeforeNs: 1e9, hostAfterNs: 1e9 + 1e6 })
    const infeasible = placeTrace(builder.freeze())
    expect(infeasible.unplaced).toEqual([DEVICE])
    expect(infeasible.fitProblems[1]).toContain('bracket 1')
  })

  it('believes no clock that runs backwards within passes, though the brackets of the others fit', () => {
    const placedWith = (reversed: number) => {
      const builder = newBuilder()
      for (let pass = 0; pass < 200; pass += 1) {
        const at = 1e6 * (pass + 1)
        builder.addSpan({ lane: DEVICE, kind: 'compute', name: 'pass', start: at, end: at })
        builder.addSnapshot({
          clock: 1,
          hostBeforeNs: at - 1e5,
          beginTick: at,
          endTick: at,
          hostAfterNs: at + 1e5,
        })
      }
      if (reversed > 0) builder.reject(END_BEFORE_BEGIN, reversed)
      return placeTrace(builder.freeze())
    }
    expect(placedWith(0).fits[1]).not.toBeNull()
    expect(placedWith(1).fits[1]).not.toBeNull()
    const placed = placedWith(3)
    expect(placed.fits[1]).toBeNull()
    expect(placed.unplaced).toContain(DEVICE)
    expect(placed.fitProblems[1]).toContain('3 of 203 passes end before they begin')
  })

  it('leaves the trace as it was', () => {
    const builder = newBuilder()
    builder.addSnapshot({ clock: 1, hostBeforeNs: 5e6, beginTick: 0, endTick: 1000, hostAfterNs: 6e6 })
    builder.addSpan({ lane: DEVICE, kind: 'compute', name: 'pass', start: 10, end: 20 })
    const trace = builder.freeze()
    const placed = placeTrace(trace)
    expect(trace.spans.start[0]).toBe(10)
    expect(placed.startNs[0]).toBeGreaterThan(5e6 - 6000)
    expect(placed.startNs[0]).toBeLessThan(6e6 + 6000)
    // Durations are the device's own, but for the skew.
    expect((placed.endNs[0] ?? 0) - (placed.startNs[0] ?? 0)).toBeCloseTo(10, 1)
  })
})

describe('Placer', () => {
  it('places a growing trace as placeTrace places it whole', () => {
    fc.assert(
      fc.property(arbitrarySteps, fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (steps, cuts) => {
        const builder = newBuilder()
        const assembler = new TraceAssembler(testInfo)
        const placer = new Placer()
        for (const [index, step] of [...steps, () => undefined].entries()) {
          step(builder)
          if (!cuts[index] && index < steps.length) continue
          const chunk = builder.takeChunk()
          if (chunk) assembler.append(chunk)
          expect(plain(placer.place(assembler.trace()))).toEqual(plain(placeTrace(builder.freeze())))
        }
      }),
    )
  })

  it('starts over with another run', () => {
    const run = (offsetNs: number) => {
      const builder = newBuilder()
      const snapshot = {
        clock: 1,
        hostBeforeNs: offsetNs,
        beginTick: 0,
        endTick: 10,
        hostAfterNs: offsetNs + 1e6,
      }
      builder.addSnapshot(snapshot)
      return builder.freeze()
    }
    const placer = new Placer()
    placer.place(run(0))
    expect(placer.place(run(1e9)).fits[1]?.offsetNs).toBeGreaterThan(9e8)
  })
})
