import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlacedLane } from '../trace/place'
import { assignRows, bandLabels, lastRound, makeLayout, NARROW_PX, NO_ROW, shortLaneName } from './layout'
import { Fixture, twoSubmissions } from './testing/fixture'

const OPTIONS = { widthPx: 1000, compact: false, holdDeviceLane: true }

function laneOf(spans: readonly (readonly [number, number])[]): PlacedLane {
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])
  let furthest = -Infinity
  return {
    lane: 0,
    length: sorted.length,
    span: Uint32Array.from(sorted.keys()),
    startNs: Float64Array.from(sorted, ([start]) => start),
    endNs: Float64Array.from(sorted, ([, end]) => end),
    maxEndNs: Float64Array.from(sorted, ([, end]) => (furthest = Math.max(furthest, end))),
  }
}

describe('assignRows', () => {
  it('stacks what is nested and reuses rows', () => {
    const lane = laneOf([
      [0, 100],
      [10, 40],
      [20, 30],
      [50, 90],
      [100, 120],
    ])
    const rows = new Uint16Array(5).fill(NO_ROW)
    expect(assignRows(lane, 0, 6, () => true, rows)).toBe(3)
    expect([...rows]).toEqual([0, 1, 2, 1, 0])
  })

  it('never lets two spans of a row overlap by more than the tolerance, while rows last', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 60 }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 60 }), fc.integer({ min: 0, max: 5 }), (pairs, tolerance) => {
        const lane = laneOf(pairs.map(([start, length]) => [start, start + length]))
        const rows = new Uint16Array(lane.length).fill(NO_ROW)
        const used = assignRows(lane, tolerance, 100, () => true, rows)
        for (let row = 0; row < used; row += 1) {
          const own = [...rows.keys()].filter((index) => rows[index] === row)
          for (const [at, index] of own.entries()) {
            const next = own[at + 1]
            if (next === undefined) continue
            expect((lane.endNs[index] ?? 0) - (lane.startNs[next] ?? 0)).toBeLessThanOrEqual(tolerance)
          }
        }
        expect([...rows].every((row) => row < Math.max(1, used))).toBe(true)
      }),
    )
  })

  it('drops nothing when rows run out', () => {
    const lane = laneOf(Array.from({ length: 9 }, (_, index) => [index, 100]))
    const rows = new Uint16Array(9).fill(NO_ROW)
    expect(assignRows(lane, 0, 4, () => true, rows)).toBe(4)
    expect([...rows].filter((row) => row === 3)).toHaveLength(6)
  })
})

describe('makeLayout', () => {
  it('orders groups as the story goes and draws windows as bands only', () => {
    const { data, spans } = twoSubmissions()
    const layout = makeLayout(data.placed, data.gaps, OPTIONS)
    expect(layout.lanes.map(({ kind }) => kind)).toEqual(['host', 'queue', 'staging', 'device'])
    expect(layout.bands).toMatchObject([{ span: spans['window'], variant: 'every-step', repeat: 0 }])
    const host = layout.lanes[0]
    const windowAt = [...(host?.placed?.span ?? [])].indexOf(spans['window'] ?? -1)
    expect(host?.rowOf[windowAt]).toBe(NO_ROW)
    expect(host?.rows).toHaveLength(1)
  })

  it('gives lanes that do not overlap, rows within their lane, and all within the height', () => {
    const { data } = twoSubmissions()
    for (const widthPx of [320, 1000])
      for (const compact of [true, false]) {
        const layout = makeLayout(data.placed, data.gaps, { widthPx, compact, holdDeviceLane: true })
        expect(layout.headerPx === 0).toBe(widthPx < NARROW_PX)
        let bottom = layout.bandTopPx + layout.bandPx
        for (const lane of layout.lanes) {
          expect(lane.topPx).toBeGreaterThanOrEqual(bottom)
          bottom = lane.topPx + lane.heightPx
          for (const { topPx, barPx } of lane.rows) {
            expect(topPx).toBeGreaterThanOrEqual(lane.topPx)
            expect(topPx + barPx).toBeLessThanOrEqual(bottom)
          }
        }
        expect(layout.heightPx).toBeGreaterThanOrEqual(bottom)
      }
  })

  it('puts copies under passes, and forgives overlaps below the clock step', () => {
    const fixture = new Fixture()
    fixture.span('device', 'compute', 10_000, 20_000)
    fixture.span('device', 'transfer', 20_000, 30_000)
    fixture.span('device', 'compute', 20_000, 30_000)
    const { placed } = fixture.data()
    const device = makeLayout(placed, [], OPTIONS).lanes.find(({ kind }) => kind === 'device')
    expect(device?.rows).toHaveLength(2)
    expect([...(device?.rowOf ?? [])].sort()).toEqual([0, 0, 1])
  })

  it('holds a place for a device lane that has not come yet', () => {
    const { data } = twoSubmissions()
    const lanes = data.placed.trace.lanes.filter(({ kind }) => kind !== 'device')
    const placed = { ...data.placed, trace: { ...data.placed.trace, lanes } }
    expect(makeLayout(placed, [], OPTIONS).lanes.at(-1)).toMatchObject({ lane: null, kind: 'device' })
    expect(makeLayout(placed, [], { ...OPTIONS, holdDeviceLane: false }).lanes).toHaveLength(3)
  })

  it('says what the gaps of a repeat come to, against the time from first begin to last end', () => {
    const { data } = twoSubmissions()
    const device = makeLayout(data.placed, data.gaps, OPTIONS).lanes.at(-1)
    expect(device?.gapGroups).toMatchObject([
      { gaps: [0], startNs: 30_000, endNs: 430_000, idleNs: 200_000, cause: 'host-waited' },
    ])
  })

  it('is drawn without a single span', () => {
    const layout = makeLayout(new Fixture().data().placed, [], OPTIONS)
    expect(layout.bands).toEqual([])
    expect(layout.heightPx).toBeGreaterThan(0)
  })
})

describe('names', () => {
  it('says of a lane only what its group does not', () => {
    expect(shortLaneName('host (worker)', 'host')).toBe('worker')
    expect(shortLaneName('staging 2', 'staging')).toBe('2')
    expect(shortLaneName('queue', 'queue')).toBe('')
    expect(shortLaneName('rank 0', 'device')).toBe('rank 0')
  })

  it('counts repeats from 1 and names the warm-up', () => {
    const band = { span: 0, startNs: 0, endNs: 1, variant: 'never', repeat: 2, isWarmUp: false }
    expect(bandLabels(band)[0]).toBe('never, repeat 3')
    expect(bandLabels({ ...band, repeat: -2, isWarmUp: true })[0]).toBe('never, warm-up')
  })

  it('finds the last counted round', () => {
    const band = (startNs: number, repeat: number) => ({
      span: 0,
      startNs,
      endNs: startNs + 5,
      variant: 'a',
      repeat,
      isWarmUp: repeat < 0,
    })
    expect(lastRound([band(0, -2), band(10, 0), band(20, 0), band(30, 1), band(40, 1)])).toEqual({
      startNs: 30,
      endNs: 45,
    })
    expect(lastRound([band(0, -2)])).toEqual({ startNs: 0, endNs: 5 })
    expect(lastRound([])).toBeNull()
  })
})
