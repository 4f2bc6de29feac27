import { describe, expect, it } from 'vitest'
import { NO_ROW } from '../trace/lane-rows'
import { bandLabels } from './band-labels'
import { makeLayout, NARROW_PX, shortLaneName } from './layout'
import { Fixture, twoSubmissions } from './testing/fixture'

const OPTIONS = { widthPx: 1000, compact: false, holdDeviceLane: true }

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
    expect([...(device?.gaps?.row.span ?? [])]).toEqual([0])
    expect(device?.gaps?.groups).toMatchObject([
      { count: 1, startNs: 30_000, endNs: 430_000, idleNs: 200_000, cause: 'host-waited' },
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
})
