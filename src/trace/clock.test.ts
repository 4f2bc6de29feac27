import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bindingSnapshots,
  ClockFitter,
  hostBand,
  toHostNs,
  type ClockFit,
  type ClockResult,
  type ClockSteps,
} from './clock'
import type { ClockSnapshot } from './schema'
import { arbitraryClock, probe, trueHostNs } from './testing/arbitrary-clock'

/** The snapshots of one clock, all at once. Those of other clocks are passed over. */
function fitClock(clock: number, snapshots: readonly ClockSnapshot[], steps: ClockSteps): ClockResult {
  const fitter = new ClockFitter(clock, steps)
  for (const snapshot of snapshots) if (snapshot.clock === clock) fitter.add(snapshot)
  return fitter.result()
}

/** Doubles of 1e11 resolve 1.5e-5 ns; some are added up. */
const ROUNDING_NS = 0.01

function fitted(result: ClockResult): ClockFit {
  if (result.state !== 'fitted') throw new Error(`${result.state}: ${result.reason}`)
  return result.fit
}

/** Inside the brackets and far outside of them. */
function probedTicks(snapshots: readonly ClockSnapshot[]): readonly number[] {
  return [...snapshots.flatMap(({ beginTick, endTick }) => [beginTick, endTick]), -1e9, 0, 3e10, 1.2e11]
}

describe('fitClock', () => {
  it('holds the true clock at every tick, whatever the latencies, offsets, rates and clock steps', () => {
    fc.assert(
      fc.property(arbitraryClock, ({ truth, snapshots, ...steps }) => {
        const fit = fitted(fitClock(1, snapshots, steps))
        for (const tick of probedTicks(snapshots)) {
          const [low, high] = hostBand(fit, tick)
          const trueNs = trueHostNs(truth, tick)
          expect(low).toBeLessThanOrEqual(trueNs + ROUNDING_NS)
          expect(high).toBeGreaterThanOrEqual(trueNs - ROUNDING_NS)
          expect(toHostNs(fit, tick)).toBeGreaterThanOrEqual(low - ROUNDING_NS)
          expect(toHostNs(fit, tick)).toBeLessThanOrEqual(high + ROUNDING_NS)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('narrows the band or leaves it with every bracket', () => {
    fc.assert(
      fc.property(arbitraryClock, ({ snapshots, ...steps }) => {
        const fitter = new ClockFitter(1, steps)
        const ticks = probedTicks(snapshots)
        let before = ticks.map((): readonly [number, number] => [-Infinity, Infinity])
        for (const snapshot of snapshots) {
          fitter.add(snapshot)
          const fit = fitted(fitter.result())
          const after = ticks.map((tick) => hostBand(fit, tick))
          for (const [index, [low, high]] of after.entries()) {
            expect(low).toBeGreaterThanOrEqual((before[index]?.[0] ?? Number.NaN) - ROUNDING_NS)
            expect(high).toBeLessThanOrEqual((before[index]?.[1] ?? Number.NaN) + ROUNDING_NS)
          }
          before = after
        }
      }),
    )
  })

  it('gives the same polygon whatever the order of the brackets', () => {
    fc.assert(
      fc.property(arbitraryClock, ({ snapshots, ...steps }) => {
        const fitOf = (order: readonly ClockSnapshot[]) => fitted(fitClock(1, order, steps))
        const [a, b] = [fitOf(snapshots), fitOf([...snapshots].reverse())]
        for (const tick of [0, 5e9]) {
          const [[low, high], other] = [hostBand(a, tick), hostBand(b, tick)]
          expect(low).toBeCloseTo(other[0], 1)
          expect(high).toBeCloseTo(other[1], 1)
        }
      }),
    )
  })

  it('rests on few brackets: with those alone it is the same to the last bit', () => {
    fc.assert(
      fc.property(arbitraryClock, ({ snapshots, ...steps }) => {
        const binding = bindingSnapshots(1, snapshots, steps)
        const [all, few] = [snapshots, binding].map((some) => fitted(fitClock(1, some, steps)))
        const plain = ({ centreTick, offsetNs, skew, polygon }: ClockFit) => ({
          centreTick,
          offsetNs,
          skew,
          polygon,
        })
        expect(few && plain(few)).toEqual(all && plain(all))
        expect(bindingSnapshots(1, binding, steps)).toEqual(binding)
        expect(bindingSnapshots(0, snapshots, steps)).toEqual([])
      }),
    )
  })

  it('is infeasible when one bracket contradicts, and says which and by how much', () => {
    fc.assert(
      fc.property(arbitraryClock, fc.nat(), fc.boolean(), ({ snapshots, ...steps }, which, later) => {
        fc.pre(snapshots.length > 1)
        const bracket = 1 + (which % (snapshots.length - 1))
        // Beyond what any skew of the prior could explain: 2 · 500 ppm of 1e11 ns, and the longest
        // bracket.
        const byNs = (later ? 1 : -1) * 3e8
        const corrupted = snapshots.map((snapshot, index) =>
          index === bracket
            ? {
                ...snapshot,
                hostBeforeNs: snapshot.hostBeforeNs + byNs,
                hostAfterNs: snapshot.hostAfterNs + byNs,
              }
            : snapshot,
        )
        const result = fitClock(1, corrupted, steps)
        expect(result.state).toBe('infeasible')
        if (result.state !== 'infeasible') return
        expect(result.bracket).toBe(bracket)
        expect(result.missNs).toBeGreaterThan(1e7)
        expect(result.missNs).toBeLessThanOrEqual(3e8)
        expect(result.reason).toContain(`bracket ${String(bracket)} `)
      }),
    )
  })

  it('stays infeasible', () => {
    const steps = { hostStepNs: 5000, deviceStepNs: 1 }
    const fitter = new ClockFitter(0, steps)
    const good = { clock: 0, hostBeforeNs: 0, beginTick: 0, endTick: 10, hostAfterNs: 1e5 }
    fitter.add(good)
    fitter.add({ ...good, hostBeforeNs: 1e8, hostAfterNs: 1e8 + 1e5 })
    fitter.add(good)
    expect(fitter.result()).toMatchObject({ state: 'infeasible', bracket: 1 })
  })

  it('names a bracket that contradicts itself, or has no number', () => {
    const steps = { hostStepNs: 5000, deviceStepNs: 1 }
    const longer = { clock: 0, hostBeforeNs: 0, beginTick: 0, endTick: 1e7, hostAfterNs: 1e5 }
    const result = fitClock(0, [longer], steps)
    expect(result).toMatchObject({ state: 'infeasible', bracket: 0 })
    expect(result.state === 'infeasible' && result.reason).toContain('contradicts itself')
    const nothing = fitClock(0, [{ ...longer, endTick: Number.NaN }], steps)
    expect(nothing).toMatchObject({ state: 'infeasible', bracket: 0, missNs: Infinity })
  })

  it('has no fit without evidence, and takes only the clock asked for', () => {
    const steps = { hostStepNs: 5000, deviceStepNs: 1 }
    expect(fitClock(0, [], steps).state).toBe('no-timestamps')
    const other = { clock: 2, hostBeforeNs: 0, beginTick: 0, endTick: 1, hostAfterNs: 9 }
    expect(fitClock(1, [other], steps).state).toBe('no-timestamps')
  })

  it('from one bracket: as wide as the bracket and the clock steps there, wider by the prior elsewhere', () => {
    const steps = { hostStepNs: 5000, deviceStepNs: 32 }
    const fit = fitted(
      fitClock(0, [{ clock: 0, hostBeforeNs: 1e6, beginTick: 500, endTick: 500, hostAfterNs: 1.4e6 }], steps),
    )
    const width = (tick: number) => hostBand(fit, tick)[1] - hostBand(fit, tick)[0]
    expect(width(500)).toBeCloseTo(0.4e6 + 2 * 5000 + 32, 0)
    expect(width(500 + 1e9) - width(500)).toBeCloseTo(2 * 500e-6 * 1e9, -1)
    expect(fit.centreTick).toBe(500)
    expect(Math.abs(fit.skew)).toBeLessThan(1e-6)
  })

  it('keeps sub-nanosecond digits over minutes', () => {
    const truth = { offsetNs: -7.7e10, skew: 123.456e-6 }
    const probes = Array.from({ length: 50 }, (_, index) => ({
      begin: index * 2e9,
      length: 1000,
      submitNs: 0,
      hearNs: 0,
    }))
    const exact = probe(truth, { hostStepNs: 2 ** -12, deviceStepNs: 2 ** -12 }, probes)
    const fit = fitted(fitClock(1, exact, { hostStepNs: 2 ** -11, deviceStepNs: 2 ** -11 }))
    expect(Math.abs(fit.skew - truth.skew)).toBeLessThan(1e-12)
    for (const tick of [0, 5e10, 1e11]) {
      expect(Math.abs(toHostNs(fit, tick) - trueHostNs(truth, tick))).toBeLessThan(0.02)
      expect(hostBand(fit, tick)[1] - hostBand(fit, tick)[0]).toBeLessThan(0.05)
    }
  })

  it('keeps the polygon small over thousands of brackets', () => {
    let state = 7
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647
    const truth = { offsetNs: 5e9, skew: -20e-6 }
    const steps = { hostStepNs: 5000, deviceStepNs: 32 }
    const probes = Array.from({ length: 20_000 }, (_, index) => ({
      begin: index * 1e6,
      length: random() * 1e6,
      submitNs: random() * 1e6,
      hearNs: random() * 3e6,
    }))
    const fit = fitted(fitClock(1, probe(truth, steps, probes), steps))
    expect(fit.polygon.length).toBeLessThan(40)
    expect(hostBand(fit, 1e10)[1] - hostBand(fit, 1e10)[0]).toBeLessThan(50_000)
  })
})
