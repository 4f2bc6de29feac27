import { describe, expect, it } from 'vitest'
import { Fixture } from './testing/fixture'
import { setupStage } from './testing/stage'

describe('Stage', () => {
  it('lays out what it shows, and says so only where the rows need another height', () => {
    const { stage, told } = setupStage()
    const { data } = stage
    if (!data) throw new Error('there are data')
    expect(stage.laneIds).toHaveLength(data.placed.trace.lanes.length)
    stage.show(data)
    expect(told('layout')).toEqual([])
    const other = new Fixture()
    other.span('host', 'encode', 0, 10)
    stage.show(other.data())
    expect(told('layout')).toEqual([[stage.layout?.heightPx]])
    expect(stage.laneName(stage.laneIds[0] ?? -1)).toBe('host (worker)')
  })

  it('scrolls no further than its rows go, also where they get fewer', () => {
    const { stage, canvas, requests } = setupStage(undefined, 120)
    const heightPx = stage.layout?.heightPx ?? 0
    stage.scrollTo(1e6)
    expect(stage.scrollPx).toBe(heightPx - 120)
    expect(requests).toEqual([true])
    stage.scrollTo(1e6)
    expect(requests, 'nothing moved').toEqual([true])
    canvas.heightPx = 200
    stage.relayout()
    expect(stage.scrollPx).toBe(heightPx - 200)
    canvas.heightPx = heightPx + 50
    stage.relayout()
    expect(stage.scrollPx).toBe(0)
  })

  it('finds the lane under a place where its rows are drawn', () => {
    const { stage } = setupStage(undefined, 150)
    const { layout } = stage
    const last = layout?.lanes.at(-1)
    if (!layout || !last) throw new Error('there are lanes')
    expect(last.topPx, 'out of sight').toBeGreaterThan(150)
    stage.scrollTo(1e6)
    expect(stage.laneUnder(last.topPx + 1 - stage.scrollPx)).toBe(last)
    // Axis and bands do not scroll.
    expect(stage.contentYPx(3)).toBe(3)
  })

  it('tells of every view, and asks for the lanes to be painted', () => {
    const { stage, told, requests } = setupStage()
    stage.glide({ startNs: 100_000, endNs: 200_000 })
    expect(told('view')).toEqual([[{ startNs: 100_000, endNs: 200_000 }, false]])
    expect(requests).toContain(true)
    expect(stage.scale.view).toBe(stage.camera.view)
  })

  it('takes the newest evidence of a live run for a part of what there is to see', () => {
    const { stage } = setupStage()
    const { data } = stage
    if (!data) throw new Error('there are data')
    stage.show({ ...data, live: true, nowNs: 5e6 })
    expect(stage.camera.extent.endNs).toBe(5e6)
    stage.show({ ...data, live: false, nowNs: 5e6 })
    expect(stage.camera.extent.endNs).toBeLessThan(5e6)
  })
})
