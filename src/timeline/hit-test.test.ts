import { describe, expect, it } from 'vitest'
import { targetBox } from './navigate'
import { hitTest, lanesBetween, snapToEdge, mergedAt } from './hit-test'
import { makeLayout } from './layout'
import { makeScale, nsToPx } from './scale'
import { twoSubmissions, Fixture } from './testing/fixture'
import type { Target } from './types'

const setup = () => {
  const { data, spans } = twoSubmissions()
  const layout = makeLayout(data.placed, data.gaps, { widthPx: 1000 })
  const scale = makeScale({ startNs: 0, endNs: 600_000 }, layout.headerPx, 1000)
  const middle = (target: Target): readonly [number, number] => {
    const box = targetBox(data, layout, scale, target)
    if (!box) throw new Error('the target has no box')
    return [(box.leftPx + box.rightPx) / 2, box.topPx + box.heightPx / 2]
  }
  return { data, spans, layout, scale, middle }
}

describe('hitTest', () => {
  it('finds every span, band and gap where it is drawn', () => {
    const { data, layout, scale, middle } = setup()
    for (let span = 0; span < data.placed.trace.spans.length; span += 1) {
      const target: Target = { type: 'span', span }
      expect(hitTest(data, layout, scale, ...middle(target))).toEqual(target)
    }
    const gap: Target = { type: 'gap', gap: 0 }
    expect(hitTest(data, layout, scale, ...middle(gap))).toEqual(gap)
  })

  it('reaches for bars thinner than a hand can hit, and no further', () => {
    const { data, spans, layout, middle } = setup()
    const wide = makeScale({ startNs: 0, endNs: 600e6 }, layout.headerPx, 1000)
    const y = middle({ type: 'span', span: spans['pass 0'] ?? -1 })[1]
    expect(hitTest(data, layout, wide, layout.headerPx + 2, y)?.type).toBe('span')
    expect(hitTest(data, layout, wide, layout.headerPx + 30, y)).toBeNull()
  })

  it('reads the counter, and nothing in the header or between lanes', () => {
    const { data, layout, scale } = setup()
    const queue = layout.lanes.find(({ kind }) => kind === 'queue')
    const y = (queue?.counterTopPx ?? 0) + 5
    const valueAt = (timeNs: number) => {
      const target = hitTest(data, layout, scale, nsToPx(scale, timeNs), y)
      return target?.type === 'counter' ? [target.counter, target.value] : null
    }
    // Each sample holds until the next.
    expect([5000, 11_000, 285_000, 295_000].map(valueAt)).toEqual([null, [0, 1], [0, 1], [0, 0]])
    expect(hitTest(data, layout, scale, 50, y)).toBeNull()
    expect(hitTest(data, layout, scale, 400, layout.heightPx + 50)).toBeNull()
  })
})

describe('areas', () => {
  it('covers the lanes between two heights, in either direction', () => {
    const { layout } = setup()
    const [host, queue] = layout.lanes
    const from = (host?.topPx ?? 0) + 2
    const to = (queue?.topPx ?? 0) + 2
    expect(lanesBetween(layout, from, to)).toEqual([host?.lane?.id, queue?.lane?.id])
    expect(lanesBetween(layout, to, from)).toEqual([host?.lane?.id, queue?.lane?.id])
  })

  it('snaps to an edge within reach only', () => {
    const { layout, scale } = setup()
    const device = layout.lanes.at(-1) ?? null
    const edgePx = scale.leftPx + 30_000 * scale.pxPerNs
    expect(snapToEdge(device, scale, edgePx + 3)).toBe(30_000)
    expect(snapToEdge(device, scale, edgePx + 30)).not.toBe(30_000)
    expect(snapToEdge(null, scale, edgePx)).toBeCloseTo(30_000)
  })
})

describe('mergedAt', () => {
  const fixture = new Fixture()
  for (let at = 0; at < 2000; at += 1)
    fixture.span('device', 'compute', 10_000 + at * 1000, 10_600 + at * 1000)
  const data = fixture.data()
  const layout = makeLayout(data.placed, [], { widthPx: 1000 })

  it('counts what shares the pixel', () => {
    const whole = makeScale({ startNs: 0, endNs: 2_100_000 }, layout.headerPx, layout.headerPx + 210)
    const target = { type: 'span', span: 1000 } as const
    const px = nsToPx(whole, data.placed.startNs[1000] ?? 0)
    expect(mergedAt(data, layout, whole, 1, target, px)).toBe(10)
  })

  it('has nothing to say of what is drawn by itself', () => {
    const scale = makeScale({ startNs: 10_000, endNs: 20_000 }, layout.headerPx, 1000)
    expect(mergedAt(data, layout, scale, 1, { type: 'span', span: 2 }, 400)).toBe(1)
    expect(mergedAt(data, layout, scale, 1, { type: 'gap', gap: 0 }, 400)).toBe(1)
    expect(mergedAt(data, layout, scale, 1, null, 400)).toBe(1)
  })
})
