/** Tests where the parts of a strip lie, how they look, and whose idle time it is. */
import { describe, expect, it } from 'vitest'
import { GAP_CAUSES } from '../trace/gaps'
import type { Excerpt, ExcerptStrip } from './excerpt'
import { type Mark, keyOf } from './marks'
import { gutterOf, heightsFor, nameMarks, sceneOf, type SceneCut } from './scene'
import { bar, excerpt, idle, row, strip } from './testing/made'

const CUT: SceneCut = { width: 100, lanes: 'all', heights: heightsFor(800), labels: null }
const draw = (one: ExcerptStrip, cut: Partial<SceneCut> = {}, of: Excerpt = excerpt(1000, one)) =>
  sceneOf(one, of, { ...CUT, ...cut })
const partsOf = (marks: readonly Mark[], part: Mark['part']) => marks.filter((mark) => mark.part === part)
const DEPTH = [{ atNs: 0, value: 1 }]

describe('bands', () => {
  const whole = strip(
    [row('host'), row('staging', { name: 'one' }), row('staging', { name: 'two' }), row('device')],
    {
      depth: DEPTH,
    },
  )
  const kindsOf = (...of: Parameters<typeof draw>) => draw(...of).bands.map(({ kind }) => kind)

  it('lie from host to device, none over another, and fill the height', () => {
    const { bands, height } = draw(whole)
    expect(bands.map(({ kind }) => kind)).toEqual(['host', 'queue', 'staging', 'staging', 'device'])
    let before = 0
    for (const { top, height: own } of bands) {
      expect(top).toBeGreaterThanOrEqual(before)
      before = top + own
    }
    expect(before).toBe(height)
  })

  it('give the device the most room', () => {
    const { bands } = draw(whole)
    const device = bands.find(({ kind }) => kind === 'device')?.height ?? 0
    for (const { kind, height } of bands) if (kind !== 'device') expect(height).toBeLessThan(device)
  })

  it('leave out staging buffers where the lesson is not about them, and a queue without depth', () => {
    expect(kindsOf(whole, { lanes: 'no-staging' })).toEqual(['host', 'queue', 'device'])
    expect(kindsOf(strip([row('host')]))).toEqual(['host'])
  })

  it('are the devices alone in a small picture, or the hosts where no device was timed', () => {
    const small = { lanes: 'work', heights: 22 } as const
    const ranks = [0, 1].flatMap((rank) =>
      (['host', 'device'] as const).map((kind) => row(kind, { name: `rank ${String(rank)} · ${kind}` })),
    )
    expect(kindsOf(strip(ranks), small)).toEqual(['device', 'device'])
    expect(kindsOf(strip(ranks.filter(({ kind }) => kind === 'host')), small)).toEqual(['host', 'host'])
    expect(draw(strip(ranks), small).height).toBeCloseTo(22)
    // Two streams are one device.
    expect(kindsOf(strip([row('device'), row('device')]), small)).toEqual(['device'])
  })

  it('of nothing take no room', () => expect(draw(strip([]))).toEqual({ bands: [], height: 0, marks: [] }))
})

describe('bars', () => {
  const barsOf = (...bars: readonly Parameters<typeof bar>[]) =>
    partsOf(draw(strip([row('device', { bars: bars.map((each) => bar(...each)) })])).marks, 'bar')

  it('are as wide as they were long', () => expect(barsOf([200, 700])).toMatchObject([{ x: 20, width: 50 }]))

  it('that began before the zero are cut there, not moved', () =>
    expect(barsOf([-300, 700])).toMatchObject([{ x: 0, width: 70 }]))

  it('too short to be seen are drawn so that they are, where they were', () => {
    const [mark] = barsOf([500, 501])
    expect(mark).toMatchObject({ x: 50, width: expect.closeTo(1.2) as number })
  })

  it('that wait are outlined and dotted; work is filled', () => {
    const [work, wait] = barsOf([0, 100, { kind: 'submit' }], [0, 100, { kind: 'host-wait' }])
    expect(work?.edge).toBeUndefined()
    expect(wait?.edge?.dash).toEqual([2, 2])
  })
})

describe('idle time', () => {
  const two = strip([
    row('device', { name: 'rank 0 · device', bars: [bar(200, 1000)], idle: [idle(0, 200)] }),
    row('device', { name: 'rank 1 · device', bars: [bar(0, 600)], idle: [idle(600, 1000)] }),
  ])

  it.each(['all', 'work'] as const)('lies in the lane of its own device, of %s', (lanes) => {
    const { bands, marks } = draw(two, { lanes })
    const drawn = partsOf(marks, 'idle').map((mark) => [mark.x, mark.y])
    expect(drawn).toEqual([
      [0, bands[0]?.top],
      [60, bands[1]?.top],
    ])
  })

  it('never lies over what its device did', () => {
    const boxes = draw(two).marks.filter((mark) => mark.shape === 'box')
    for (const gap of boxes.filter(({ part }) => part === 'idle'))
      for (const work of boxes.filter(({ part, y }) => part === 'bar' && y === gap.y))
        expect(gap.x + gap.width <= work.x || work.x + work.width <= gap.x).toBe(true)
  })

  it('is filled where it is two pixels wide or more', () => {
    const one = strip([row('device', { idle: [idle(0, 20), idle(30, 49), idle(60, 100)] })])
    expect(partsOf(draw(one).marks, 'idle').map(({ x }) => x)).toEqual([0, 6])
  })

  it('has the hue of what caused it, whatever that was', () => {
    for (const cause of GAP_CAUSES) {
      const [mark] = partsOf(draw(strip([row('device', { idle: [idle(0, 500, cause)] })])).marks, 'idle')
      expect(['idle', 'staging', 'text-2']).toContain(mark?.fill?.hue)
    }
  })
})

it('of many short spans the area is their share, and gaps between them are not lost', () => {
  // Kernels of 3 ns every 10 ns: at 0.1 px a ns no gap is a pixel wide.
  const bars = Array.from({ length: 100 }, (_, at) => bar(at * 10, at * 10 + 3))
  const gaps = bars.map(({ endNs }) => idle(endNs, endNs + 7, null))
  const { marks } = draw(strip([row('device', { bars, idle: gaps })]), {
    lanes: 'work',
    heights: 20,
    asShares: true,
  })
  const [area] = partsOf(marks, 'bar')
  const heights = [...(area?.shape === 'path' ? area.d : '').matchAll(/V([\d.]+)H/g)].map(
    ([, y]) => 20 - Number(y),
  )
  expect(heights.length).toBe(50)
  expect(heights.reduce((sum, each) => sum + each, 0) / (50 * 20)).toBeCloseTo(0.3, 2)
})

describe('the queue', () => {
  const pathOf = (depth: ExcerptStrip['depth']) =>
    partsOf(draw(strip([], { depth })).marks, 'queue').map((mark) => (mark.shape === 'path' ? mark.d : ''))

  it('is a stepped area from the ground, as high as it is deep', () => {
    const depth = [
      { atNs: 0, value: 0 },
      { atNs: 100, value: 2 },
      { atNs: 300, value: 1 },
    ]
    expect(pathOf(depth)).toEqual(['M0 12H0.0V12.0H10.0V0.0H30.0V6.0H100.0V12Z'])
  })

  it('begins at the zero with what was in it before', () =>
    expect(pathOf([{ atNs: -50, value: 1 }])).toEqual(['M0 12H0.0V0.0H100.0V12Z']))

  it('that was empty throughout is no path', () => expect(pathOf([{ atNs: 0, value: 0 }])).toEqual([]))
})

describe('labels', () => {
  const textsOf = (one: ExcerptStrip, labels: readonly string[]) =>
    draw(one, { labels, width: 500 }).marks.flatMap((mark) => (mark.shape === 'text' ? [mark.text] : []))

  it('are inside a bar only where all of it fits', () => {
    const texts = (lengthNs: number) =>
      textsOf(strip([row('device', { idle: [idle(0, lengthNs, null)] })]), [])
    expect([texts(72), texts(70)]).toEqual([['idle'], []])
  })

  it('say the share of the whole run once, and then the cause', () => {
    const one = strip([
      row('device', { idle: [idle(0, 300), idle(500, 700)], bars: [bar(300, 500, { step: 2 })] }),
    ])
    expect(textsOf(one, ['idle 92 %'])).toEqual(['idle 92 %', 'host waited', 'step 3'])
    expect(draw(one).marks.some(({ shape }) => shape === 'text')).toBe(false)
  })

  it('name one wait of several at once, and each of those one after another', () => {
    const wait = (name: string, startNs: number, endNs: number) =>
      bar(startNs, endNs, { kind: 'host-wait', name })
    const bars = [wait('c', 200, 600), wait('a', 0, 400), wait('b', 400, 500)]
    expect(textsOf(strip([row('host', { bars })]), [])).toEqual(['a', 'b'])
  })
})

describe('what was not measured', () => {
  const picture = (basis: ExcerptStrip['basis']) =>
    draw(strip([row('device', { bars: [bar(0, 500)], idle: [idle(500, 900)] })], { basis })).marks

  it('has lines over every lane, each kind its own, and nothing measured has any', () => {
    const lines = (['modelled', 'predicted'] as const).map((basis) => partsOf(picture(basis), 'texture'))
    expect(lines.map(({ length }) => length)).toEqual([1, 1])
    expect(lines[0]).not.toEqual(lines[1])
    expect(partsOf(picture('measured'), 'texture')).toEqual([])
  })
})

describe('the names of ranks', () => {
  const named = (name: string) => row('host', { name })
  const ranks = strip([named('rank 0 · host'), named('rank 12 · host')])
  const of = excerpt(1000, strip([row('host')]), ranks)

  it('have room of their own beside the rows, the number alone on a phone', () => {
    expect(gutterOf(of, 800)).toBeGreaterThan(6.2 * 'rank 12'.length)
    expect(gutterOf(of, 358)).toBeLessThan(gutterOf(of, 800))
    expect(gutterOf(of, 358)).toBeGreaterThan(6.2 * '12'.length)
    expect(gutterOf(excerpt(1000, strip([row('host')])), 800)).toBe(0)
  })

  it('are those of the lanes', () => {
    const { bands } = draw(ranks)
    const texts = (width: number) =>
      nameMarks(bands, 50, width).map((mark) => (mark.shape === 'text' ? mark.text : ''))
    expect(texts(800)).toEqual(['rank 0', 'rank 12'])
    expect(texts(358)).toEqual(['0', '12'])
    expect(nameMarks(draw(strip([row('host')])).bands, 50, 800)).toEqual([])
  })
})

it('a key has what is drawn, from host to device', () => {
  const one = strip([
    row('host', { bars: [bar(0, 500, { kind: 'host-wait' }), bar(500, 600, { kind: 'submit' })] }),
    row('device', { bars: [bar(0, 500)], idle: [idle(500, 900)] }),
  ])
  expect(keyOf(draw(one).marks).map(({ name }) => name)).toEqual(['host', 'wait', 'device', 'idle'])
  expect(keyOf(draw(strip([row('device')])).marks)).toEqual([])
})
