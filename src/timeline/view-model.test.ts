import { describe, expect, it } from 'vitest'
import { Fixture } from './testing/fixture'
import { setupViewModel } from './testing/view-model'

describe('Stage', () => {
  it('lays out what it shows, and says so only where the rows need another height', () => {
    const { viewModel, told } = setupViewModel()
    const { data } = viewModel
    if (!data) throw new Error('there are data')
    expect(viewModel.laneIds).toHaveLength(data.placed.trace.lanes.length)
    viewModel.show(data)
    expect(told('layout')).toEqual([])
    const other = new Fixture()
    other.span('host', 'encode', 0, 10)
    viewModel.show(other.data())
    expect(told('layout')).toEqual([[viewModel.layout?.heightPx]])
    expect(viewModel.laneName(viewModel.laneIds[0] ?? -1)).toBe('host (worker)')
  })

  it('asks for the height that its rows have on the page, where text is larger than usual', () => {
    const { viewModel, canvas, told } = setupViewModel()
    const heightPx = viewModel.layout?.heightPx ?? 0
    canvas.zoom = 2
    viewModel.relayout()
    expect(told('layout')).toEqual([[2 * heightPx]])
  })

  it('scrolls no further than its rows go, also where they get fewer', () => {
    const { viewModel, canvas, requests } = setupViewModel(undefined, 120)
    const heightPx = viewModel.layout?.heightPx ?? 0
    viewModel.scrollTo(1e6)
    expect(viewModel.scrollPx).toBe(heightPx - 120)
    expect(requests).toEqual([true])
    viewModel.scrollTo(1e6)
    expect(requests, 'nothing moved').toEqual([true])
    canvas.heightPx = 200
    viewModel.relayout()
    expect(viewModel.scrollPx).toBe(heightPx - 200)
    canvas.heightPx = heightPx + 50
    viewModel.relayout()
    expect(viewModel.scrollPx).toBe(0)
  })

  it('finds the lane under a place where its rows are drawn', () => {
    const { viewModel } = setupViewModel(undefined, 150)
    const { layout } = viewModel
    const last = layout?.lanes.at(-1)
    if (!layout || !last) throw new Error('there are lanes')
    expect(last.topPx, 'out of sight').toBeGreaterThan(150)
    viewModel.scrollTo(1e6)
    expect(viewModel.laneUnder(last.topPx + 1 - viewModel.scrollPx)).toBe(last)
    // Axis and bands do not scroll.
    expect(viewModel.contentYPx(3)).toBe(3)
  })

  it('tells of every view, and asks for the lanes to be painted', () => {
    const { viewModel, told, requests } = setupViewModel()
    viewModel.glide({ startNs: 100_000, endNs: 200_000 })
    expect(told('view')).toEqual([[{ startNs: 100_000, endNs: 200_000 }, false]])
    expect(requests).toContain(true)
    expect(viewModel.scale.view).toBe(viewModel.camera.view)
  })

  it('takes the newest evidence of a live run for a part of what there is to see', () => {
    const { viewModel } = setupViewModel()
    const { data } = viewModel
    if (!data) throw new Error('there are data')
    viewModel.show({ ...data, live: true, nowNs: 5e6 })
    expect(viewModel.camera.extent.endNs).toBe(5e6)
    viewModel.show({ ...data, live: false, nowNs: 5e6 })
    expect(viewModel.camera.extent.endNs).toBeLessThan(5e6)
  })
})
