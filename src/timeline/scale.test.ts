import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clampView,
  fitView,
  frameView,
  makeScale,
  nsToPx,
  panView,
  pxToNs,
  revealView,
  safeExtent,
  viewWidthNs,
  zoomView,
} from './scale'
import { forAll } from '../testing/for-all'

const MIN_VIEW_NS = 1000

const extents = fc
  .tuple(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 1e6, max: 1e12, noNaN: true }))
  .map(([startNs, length]) => ({ startNs, endNs: startNs + length }))
const views = fc
  .tuple(fc.double({ min: -1e12, max: 2e12, noNaN: true }), fc.double({ min: 1, max: 3e12, noNaN: true }))
  .map(([startNs, length]) => ({ startNs, endNs: startNs + length }))

describe('scale', () => {
  it('maps the view onto the pixels and back', () =>
    forAll(views, fc.double({ min: 0, max: 1, noNaN: true }), ({ startNs, endNs }, share) => {
      // Views narrower than MIN_VIEW_NS are never shown; at 10^12 ns their pixels would be finer
      // than a double's step.
      const view = { startNs, endNs: Math.max(endNs, startNs + MIN_VIEW_NS) }
      const scale = makeScale(view, 100, 1100)
      const px = 100 + share * 1000
      expect(Math.abs(nsToPx(scale, pxToNs(scale, px)) - px)).toBeLessThan(0.01)
      expect(nsToPx(scale, view.startNs)).toBe(100)
    }))

  it('survives an empty trace', () => {
    for (const [start, end] of [
      [NaN, NaN],
      [Infinity, -Infinity],
      [0, 0],
    ] as const) {
      const extent = safeExtent(start, end)
      expect(extent.endNs).toBeGreaterThan(extent.startNs)
      expect(viewWidthNs(clampView({ startNs: NaN, endNs: NaN }, extent))).toBeGreaterThan(0)
    }
  })

  it('keeps every view within limits, and leaves a clamped one alone', () =>
    forAll(extents, views, (extent, view) => {
      const clamped = clampView(view, extent)
      const width = viewWidthNs(clamped)
      expect(width).toBeGreaterThanOrEqual(MIN_VIEW_NS * 0.999)
      expect(width).toBeLessThanOrEqual(viewWidthNs(fitView(extent)) * 1.001)
      // Some of the trace is always in sight.
      expect(clamped.startNs).toBeLessThan(extent.endNs)
      expect(clamped.endNs).toBeGreaterThan(extent.startNs)
      const again = clampView(clamped, extent)
      expect(Math.abs(again.startNs - clamped.startNs)).toBeLessThan(1e-3 + width * 1e-9)
    }))

  it('zooms about the anchor: it stays under its pixel where no limit is in the way', () => {
    const extent = { startNs: 0, endNs: 1e9 }
    const view = { startNs: 4e8, endNs: 6e8 }
    const scale = makeScale(view, 0, 1000)
    const anchor = pxToNs(scale, 300)
    const zoomed = zoomView(view, 3, anchor, extent)
    expect(nsToPx(makeScale(zoomed, 0, 1000), anchor)).toBeCloseTo(300, 6)
    expect(viewWidthNs(zoomed)).toBeCloseTo(viewWidthNs(view) / 3, 3)
    expect(viewWidthNs(zoomView(view, 1e12, anchor, extent))).toBe(MIN_VIEW_NS)
  })

  it('pans by what is asked', () => {
    const view = panView({ startNs: 10e6, endNs: 20e6 }, 5e6, { startNs: 0, endNs: 1e9 })
    expect(view).toEqual({ startNs: 15e6, endNs: 25e6 })
  })

  it('reveals with the least movement, and not at all what is in view', () => {
    const extent = { startNs: 0, endNs: 1e9 }
    const view = { startNs: 100e6, endNs: 200e6 }
    expect(revealView(view, 120e6, 130e6, extent)).toBe(view)
    const right = revealView(view, 240e6, 250e6, extent)
    expect(right.endNs).toBeGreaterThan(250e6)
    expect(viewWidthNs(right)).toBeCloseTo(100e6)
    expect(revealView(view, 10e6, 20e6, extent).startNs).toBeLessThan(10e6)
    const long = revealView(view, 300e6, 900e6, extent)
    expect(long.startNs).toBeLessThan(300e6)
    expect(long.endNs).toBeGreaterThan(300e6)
  })

  it('frames a range at the share asked for', () => {
    const view = frameView(100e6, 130e6, 0.3, { startNs: 0, endNs: 1e9 })
    expect(viewWidthNs(view)).toBeCloseTo(100e6)
    expect((view.startNs + view.endNs) / 2).toBeCloseTo(115e6)
  })
})
