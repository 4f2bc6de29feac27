import { describe, expect, it } from 'vitest'
import { NO_ROW } from './lod/lane-rows'
import { bandLabels } from './paint-frame'
import { contentYPx, fixedTopPx, screenYPx } from './frame'
import { namesOf, makeLayout } from './layout'
import { Fixture, twoSubmissions } from './testing/fixture'
import { analyseRanks } from '../analysis/ranks'
import { ALL_REDUCE, madeUpRanks } from '../analysis/ranks/testing/made-up-ranks'
import { placeTrace } from '../trace/place'

const OPTIONS = { widthPx: 1000 }

describe('makeLayout', () => {
  it('orders groups as the excerpt goes and draws windows as bands only', () => {
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
    for (const widthPx of [320, 1000]) {
      const layout = makeLayout(data.placed, data.gaps, { widthPx })
      expect(layout.headerPx === 0).toBe(widthPx < 560)
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

  it('has a row for each call of a deep thread, and no room for names of the outermost', () => {
    const fixture = new Fixture()
    const call = (depth: number, fromMs: number, toMs: number) =>
      fixture.span('host', 'host-work', 1e6 * fromMs + 1e5 * depth, 1e6 * toMs - 1e5 * depth)
    for (let depth = 0; depth < 20; depth += 1) call(depth, 0, 1000)
    for (let depth = 20; depth < 60; depth += 1) {
      call(depth, 10, 400)
      call(depth, 500, 900)
    }
    const [host] = makeLayout(fixture.data().placed, [], OPTIONS).lanes
    expect(host?.rows).toHaveLength(60)
    expect(host?.rows.map(({ spans }) => spans?.length).lastIndexOf(1)).toBe(19)
    const hasRoom = host?.rows.map(({ barPx }) => barPx >= 11) ?? []
    expect([hasRoom.indexOf(true), hasRoom.lastIndexOf(false)]).toEqual([20, 19])
  })

  it('holds a place for a device lane that has not come yet', () => {
    const { data } = twoSubmissions()
    const lanes = data.placed.trace.lanes.filter(({ kind }) => kind !== 'device')
    const placed = { ...data.placed, trace: { ...data.placed.trace, lanes } }
    expect(makeLayout(placed, [], OPTIONS).lanes.at(-1)).toMatchObject({ lane: null, kind: 'device' })
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
    expect(namesOf('host (worker)', 'host').label).toBe('worker')
    expect(namesOf('staging 2', 'staging').label).toBe('2')
    expect(namesOf('queue', 'queue').label).toBe('')
    expect(namesOf('rank 0', 'device').label).toBe('rank 0')
  })

  it('counts repeats from 1 and names the warm-up', () => {
    const band = { span: 0, startNs: 0, endNs: 1, variant: 'never', repeat: 2, isWarmUp: false }
    expect(bandLabels(band)[0]).toBe('never, repeat 3')
    expect(bandLabels({ ...band, repeat: -2, isWarmUp: true })[0]).toBe('never, warm-up')
  })
})

describe('lanes of several ranks', () =>
  it('are titled by their rank where the header has room for no more', async () => {
    const { joined } = analyseRanks(
      await madeUpRanks({
        ranks: 2,
        stepsUs: [1000, 1100],
        collectives: [ALL_REDUCE],
        transferUs: 100,
        laterUs: (rank) => 300 * rank,
      }),
    )
    if (!joined) throw new Error('nothing was joined')
    const placed = placeTrace(joined)
    const names = (widthPx: number) =>
      makeLayout(placed, [], { ...OPTIONS, widthPx })
        .lanes.filter(({ kind }) => kind === 'device')
        .map(({ groupTitle, label, loneLabel }) => [groupTitle, label, loneLabel])
    expect(names(1200)).toEqual([0, 1].map((rank) => [`rank ${rank}`, 'stream 7', `rank ${rank} stream 7`]))
    expect(names(390).map(([title]) => title)).toEqual(['rank 0 · device 0', 'rank 1 · device 0'])
  }))

describe('lanes of several devices', () =>
  it('are in the order of the devices, whichever had timestamps first', () => {
    const { data } = twoSubmissions()
    const { trace } = data.placed
    const device = trace.lanes.find(({ kind }) => kind === 'device')
    if (!device) throw new Error('the fixture has no device lane')
    const lanes = [
      ...trace.lanes.map((lane) => (lane === device ? { ...lane, name: 'device 2' } : lane)),
      ...['device 10', 'device'].map((name, more) => ({ ...device, name, id: trace.lanes.length + more })),
    ]
    const layout = makeLayout({ ...data.placed, trace: { ...trace, lanes } }, [], OPTIONS)
    expect(layout.lanes.filter(({ kind }) => kind === 'device').map(({ lane }) => lane?.name)).toEqual([
      'device',
      'device 2',
      'device 10',
    ])
  }))

it('turns a place on the canvas into one among the rows, and back', () => {
  const { data } = twoSubmissions()
  const layout = makeLayout(data.placed, data.gaps, OPTIONS)
  const fixedPx = fixedTopPx(layout)
  expect(layout.lanes.every(({ topPx }) => topPx >= fixedPx)).toBe(true)
  const below = fixedPx + 50
  expect(contentYPx(layout, 30, screenYPx(layout, 30, below))).toBe(below)
  expect(screenYPx(layout, 30, fixedPx - 1)).toBe(fixedPx - 1)
})
