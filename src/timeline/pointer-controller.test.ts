import { describe, expect, it, vi } from 'vitest'
import { PointerController } from './pointer-controller'
import { Pointing } from './pointing'
import { Fixture, twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import type { TimelineData } from './types'

const { data, spans } = twoSubmissions()

function setup(shown: TimelineData = data) {
  const on = setupViewModel(shown)
  const pointing = new Pointing(on.viewModel, on.emitter, () => undefined)
  const timeline = {
    select: vi.fn(),
    selectArea: vi.fn(),
    zoomTo: vi.fn(),
  }
  const foldLane = vi.fn()
  const pointers = new PointerController({ ...on, pointing, timeline, foldLane })
  return { ...on, pointing, timeline, foldLane, pointers }
}

describe('PointerController', () => {
  it('zoom at a place, which stays where it is', () => {
    const { pointers, viewModel, placeOf } = setup()
    const { cssX } = placeOf(spans['pass 0'] ?? -1)
    pointers.zoomAt(2, cssX)
    expect(placeOf(spans['pass 0'] ?? -1).cssX).toBeCloseTo(cssX)
    // Over the names: at the begin of the view.
    const { startNs } = viewModel.camera.view
    pointers.zoomAt(2, 3)
    expect(viewModel.camera.view.startNs).toBeCloseTo(startNs)
  })

  it('move the picture with them, and let go of a run that is followed', () => {
    const { pointers, viewModel, placeOf } = setup()
    viewModel.camera.jump({ startNs: 0, endNs: 300_000 })
    viewModel.camera.follow(true)
    const { cssX } = placeOf(spans['pass 0'] ?? -1)
    pointers.panBy(40, 0)
    expect(placeOf(spans['pass 0'] ?? -1).cssX).toBeCloseTo(cssX + 40)
    expect(viewModel.camera.following).toBe(false)
  })

  it('scroll the rows until they are at their end', () => {
    const { pointers, viewModel, canvas } = setup()
    expect(pointers.scrollBy(20)).toBe(false)
    canvas.heightPx = 120
    expect(pointers.scrollBy(20)).toBe(true)
    expect(viewModel.scrollPx).toBe(20)
    pointers.panBy(0, 20)
    expect(viewModel.scrollPx).toBe(0)
  })

  it('know the axis and the names', () => {
    const { pointers, viewModel } = setup()
    const { headerPx = 0, axisPx = 0 } = viewModel.layout ?? {}
    expect([
      pointers.isAxis({ cssX: headerPx, cssY: 3 }),
      pointers.isAxis({ cssX: headerPx - 1, cssY: 3 }),
      pointers.isAxis({ cssX: headerPx, cssY: axisPx }),
    ]).toEqual([true, false, false])
    expect([pointers.isHeader(headerPx - 1), pointers.isHeader(headerPx)]).toEqual([true, false])
  })

  it('drag over an area, from edge to edge, and tell of it at the end only', () => {
    const { pointers, viewModel, pointing, selection, told, placeOf } = setup()
    const { cssX, cssY } = placeOf(spans['pass 0'] ?? -1)
    const half = 50_000 * viewModel.scale.pxPerNs
    pointers.areaTo({ cssX, cssY })
    expect(selection.area, 'none was begun').toBeNull()
    pointing.moveTo({ cssX, cssY })
    pointers.areaFrom({ cssX: cssX - half + 2, cssY })
    expect(pointing.timePx, 'the area follows the pointer, nothing else does').toBeNull()
    pointers.areaTo({ cssX: cssX + half - 2, cssY })
    const lane = viewModel.laneUnder(cssY)?.lane?.id
    expect(selection.area).toEqual({ startNs: 30_000, endNs: 130_000, lanes: [lane] })
    expect(told('area')).toEqual([])
    pointers.areaEnd()
    expect(told('area')).toEqual([[selection.area]])
    // Along the axis: all lanes, to the left too.
    pointers.areaFrom({ cssX, cssY: 3 })
    pointers.areaTo({ cssX: cssX - 40, cssY })
    expect(selection.area?.lanes).toEqual(viewModel.laneIds)
    expect(selection.area?.startNs).toBeLessThan(selection.area?.endNs ?? 0)
  })

  it('select what they click', () => {
    const { pointers, selection, timeline, placeOf } = setup()
    const { cssX, cssY } = placeOf(spans['pass 0'] ?? -1)
    pointers.clickAt({ cssX, cssY })
    expect(timeline.select).toHaveBeenLastCalledWith(spanTarget(spans['pass 0']))
    expect(timeline.selectArea).not.toHaveBeenCalled()
    selection.selectArea({ startNs: 0, endNs: 10, lanes: [] })
    // Nothing is drawn there: the area goes.
    pointers.clickAt({ cssX: 995, cssY })
    expect(timeline.select).toHaveBeenLastCalledWith(null)
    expect(timeline.selectArea).toHaveBeenCalledWith(null)
  })

  it('fold by a lane’s name, and select nothing by it', () => {
    const fixture = new Fixture()
    for (let depth = 0; depth < 4; depth += 1)
      fixture.span('host', 'host-work', depth * 1e6, (20 - depth) * 1e6)
    const { pointers, timeline, foldLane, placeOf } = setup(fixture.data())
    pointers.clickAt({ cssX: 20, cssY: placeOf(0).cssY })
    expect(foldLane).toHaveBeenCalledWith(fixture.lanes.host, true)
    expect(timeline.select).not.toHaveBeenCalled()
  })

  it('zoom by a double click to what is drawn', () => {
    const { pointers, timeline, placeOf } = setup()
    const at = placeOf(spans['pass 0'] ?? -1)
    pointers.doubleClickAt(at)
    expect(timeline.zoomTo).toHaveBeenCalledWith(spanTarget(spans['pass 0']))
    pointers.doubleClickAt({ cssX: 995, cssY: at.cssY })
    expect(timeline.zoomTo).toHaveBeenCalledTimes(1)
  })
})
