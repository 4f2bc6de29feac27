import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRun } from './codec'
import type { ClockSnapshot } from './schema'
import { tightSnapshots } from './tight-snapshots'
import { fitClock } from './testing/fit-clock'

const STEPS = { hostStepNs: 5000, deviceStepNs: 1 }

/** The fit of the tight ones is that of all: same state, and every tick placed within a thousandth of a ns. */
function expectSameFit(all: readonly ClockSnapshot[]): void {
  const [whole, tight] = [fitClock(0, all, STEPS), fitClock(0, tightSnapshots(all), STEPS)]
  expect(tight.state).toBe(whole.state)
  if (whole.state !== 'fitted' || tight.state !== 'fitted') return
  for (const { beginTick, endTick } of all)
    for (const tick of [beginTick, endTick]) {
      expect(Math.abs(tight.fit.toHostNs(tick) - whole.fit.toHostNs(tick))).toBeLessThan(0.1)
      for (const end of [0, 1] as const)
        expect(Math.abs(tight.fit.band(tick)[end] - whole.fit.band(tick)[end])).toBeLessThan(0.1)
    }
}

describe('the snapshots that a fit rests on', () => {
  it('fit as all do, whatever the latencies', () => {
    const latency = fc.integer({ min: 1000, max: 3_000_000 })
    const snapshot = fc.tuple(fc.integer({ min: 0, max: 5_000_000_000 }), latency, latency, latency)
    fc.assert(
      fc.property(fc.array(snapshot, { minLength: 1, maxLength: 80 }), (drawn) => {
        expectSameFit(
          drawn.map(([tick, before, length, after]) => ({
            clock: 0,
            beginTick: tick,
            endTick: tick + length,
            hostBeforeNs: 7e9 + tick * (1 + 30e-6) - before,
            hostAfterNs: 7e9 + (tick + length) * (1 + 30e-6) + after,
          })),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('are a small part of those of a recording', async () => {
    const folder = 'public/recordings'
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.hdl.gz'))) {
      const read = await decodeRun(readFileSync(`${folder}/${name}`))
      if (!read.ok) throw new Error(read.error.message)
      const { snapshots } = read.value.trace
      const clocks = [...new Set(snapshots.map(({ clock }) => clock))]
      expect(tightSnapshots(snapshots).length).toBeLessThan(snapshots.length / 4)
      for (const clock of clocks)
        expectSameFit(snapshots.filter((each) => each.clock === clock).map((each) => ({ ...each, clock: 0 })))
    }
  })

  it('are none of none', () => {
    expect(tightSnapshots([])).toEqual([])
  })
})
