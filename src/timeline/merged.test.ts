import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeLayout } from './layout'
import { mergedAt, shareToTellApart, summarisePixel } from './merged'
import { makeScale, nsToPx } from './scale'
import { Fixture } from './testing/fixture'
import { makePyramid } from './lod/pyramid'

/** Spans one after the other: [gap before, length]. */
const row = (extents: readonly (readonly [number, number])[]) => {
  let at = 0
  const starts = extents.map(([gap, length]) => {
    const start = at + gap
    at = start + length
    return start
  })
  return makePyramid({
    length: extents.length,
    span: Uint32Array.from(extents, (_, index) => index),
    startNs: Float64Array.from(starts),
    endNs: Float64Array.from(starts, (start, index) => start + (extents[index]?.[1] ?? 0)),
    bucket: new Uint8Array(extents.length),
  })
}

describe('summarisePixel', () => {
  it('counts those that share the pixel, names the longest, and takes what of them lies within', () => {
    const merged = summarisePixel(
      row([
        [90, 20], // reaches 10 into the pixel
        [10, 30],
        [0, 5],
        [40, 20], // 15 of it beyond
      ]),
      { startNs: 100, endNs: 200 },
      150,
    )
    expect(merged).toMatchObject({ count: 4, longestSpan: 1, longestNs: 30, startNs: 90, endNs: 215 })
    expect(merged?.share).toBeCloseTo((10 + 30 + 5 + 5) / 100)
  })

  it('leaves bars out that end or begin in the same pixel', () => {
    const bars = row([
      [0, 110],
      [5, 10],
      [5, 10],
      [5, 500],
    ])
    expect(summarisePixel(bars, { startNs: 100, endNs: 200 }, 100)).toMatchObject({ count: 2, longestNs: 10 })
    expect(summarisePixel(row([[0, 110]]), { startNs: 100, endNs: 200 }, 100)).toBeNull()
    expect(summarisePixel(row([[120, 10]]), { startNs: 100, endNs: 200 }, 100)).toBeNull()
  })

  it('agrees with a look at every span', () => {
    const extent = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 140 }))
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 0, max: 800 }),
        (all, startNs) => {
          const endNs = startNs + 100
          const spans = row(all)
          const narrow = [...spans.startNs.keys()].filter((at) => {
            const [start, end] = [spans.startNs[at] ?? 0, spans.endNs[at] ?? 0]
            return end >= startNs && start <= endNs && end - start < 120
          })
          const merged = summarisePixel(spans, { startNs, endNs }, 120)
          if (narrow.length < 2) {
            expect(merged).toBeNull()
            return
          }
          const inside = (at: number) =>
            Math.min(endNs, spans.endNs[at] ?? 0) - Math.max(startNs, spans.startNs[at] ?? 0)
          expect(merged?.count).toBe(narrow.length)
          expect(merged?.longestNs).toBe(
            Math.max(...narrow.map((at) => (spans.endNs[at] ?? 0) - (spans.startNs[at] ?? 0))),
          )
          expect(merged?.share).toBeCloseTo(narrow.reduce((sum, at) => sum + inside(at), 0) / 100, 5)
        },
      ),
    )
  })
})

describe('mergedAt', () => {
  const fixture = new Fixture()
  for (let at = 0; at < 2000; at += 1)
    fixture.span('device', 'compute', 10_000 + at * 1000, 10_600 + at * 1000)
  const data = fixture.data()
  const layout = makeLayout(data.placed, [], { widthPx: 1000, compact: false })

  it('tells of what shares the pixel, and zooms to where it no longer does', () => {
    const whole = makeScale({ startNs: 0, endNs: 2_100_000 }, layout.headerPx, layout.headerPx + 210)
    const target = { type: 'span', span: 1000 } as const
    const px = nsToPx(whole, data.placed.startNs[1000] ?? 0)
    const merged = mergedAt(data, layout, whole, 1, target, px)
    if (!merged) throw new Error('ten spans share a pixel')
    expect(merged.count).toBeGreaterThanOrEqual(10)
    expect(merged.count).toBeLessThanOrEqual(12)
    expect(merged.share).toBeCloseTo(0.6, 1)
    const width = (merged.endNs - merged.startNs) / shareToTellApart(merged, whole)
    const near = makeScale(
      { startNs: merged.startNs, endNs: merged.startNs + width },
      whole.leftPx,
      whole.rightPx,
    )
    expect(mergedAt(data, layout, near, 1, target, nsToPx(near, data.placed.startNs[1000] ?? 0))).toBeNull()
  })

  it('has nothing to say of what is drawn by itself', () => {
    const scale = makeScale({ startNs: 10_000, endNs: 20_000 }, layout.headerPx, 1000)
    expect(mergedAt(data, layout, scale, 1, { type: 'span', span: 2 }, 400)).toBeNull()
    expect(mergedAt(data, layout, scale, 1, { type: 'gap', gap: 0 }, 400)).toBeNull()
    expect(mergedAt(data, layout, scale, 1, null, 400)).toBeNull()
  })
})
