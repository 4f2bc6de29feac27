import { describe, expect, it } from 'vitest'
import { makeLayout } from './layout'
import { mergedAt, shareToTellApart } from './merged'
import { makeScale, nsToPx } from './scale'
import { Fixture } from './testing/fixture'

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
    expect(merged.count).toBe(10)
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
