import { describe, expect, it } from 'vitest'
import { plainGap } from '../analysis/testing/scene'
import { viewWidthNs } from './scale'
import { twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'

const { data, spans } = twoSubmissions()

describe('Moves', () => {
  it('shows the whole, one round, and what is zoomed to', () => {
    const { viewModel, moves } = setupViewModel(data)
    moves.fit()
    const whole = viewModel.camera.view
    expect(whole.startNs).toBeLessThan(viewModel.camera.extent.startNs)
    expect(whole.endNs).toBeGreaterThan(viewModel.camera.extent.endNs)
    moves.zoomTo(spanTarget(spans['pass 0']))
    const { startNs, endNs } = viewModel.camera.view
    expect([startNs < 30_000, endNs > 130_000]).toEqual([true, true])
    expect(viewWidthNs(viewModel.camera.view)).toBeCloseTo(100_000 / 0.8)
    moves.fitRound()
    expect(viewWidthNs(viewModel.camera.view)).toBeGreaterThanOrEqual(600_000)
  })

  it('zooms round the selection where it is in view, else round the middle', () => {
    const { viewModel, moves, selection } = setupViewModel(data)
    moves.zoomBy(2)
    expect((viewModel.camera.view.startNs + viewModel.camera.view.endNs) / 2).toBeCloseTo(500_000)
    viewModel.camera.jump({ startNs: 0, endNs: 600_000 })
    selection.select(spanTarget(spans['pass 0']), data)
    moves.zoomBy(4)
    const { startNs, endNs } = viewModel.camera.view
    // Its middle keeps its place: 80,000 of 600,000.
    expect((80_000 - startNs) / (endNs - startNs)).toBeCloseTo(80_000 / 600_000)
  })

  it('pans by shares of the view', () => {
    const { viewModel, moves } = setupViewModel(data)
    viewModel.camera.jump({ startNs: 100_000, endNs: 200_000 })
    moves.panBy(0.5)
    expect(viewModel.camera.view).toEqual({ startNs: 150_000, endNs: 250_000 })
  })

  it('reveals without zooming what has room, and zooms to a gap that has none', () => {
    const { viewModel, moves } = setupViewModel(data)
    viewModel.camera.jump({ startNs: 0, endNs: 100_000 })
    moves.reveal(spanTarget(spans['encode 1']))
    expect(viewWidthNs(viewModel.camera.view)).toBeCloseTo(100_000)
    expect(viewModel.camera.view.endNs).toBeGreaterThan(310_000)
    const short = {
      ...data,
      gaps: data.gaps.map((gap) => ({ ...plainGap(gap), endNs: gap.startNs + 2_000 })),
    }
    const narrow = setupViewModel(short)
    narrow.moves.reveal({ type: 'gap', gap: 0 })
    expect(viewWidthNs(narrow.viewModel.camera.view)).toBeCloseTo(2_000 / 0.3)
  })

  it('scrolls the row of what it reveals into sight, both ways', () => {
    const { viewModel, moves } = setupViewModel(data, 170)
    moves.reveal(spanTarget(spans['pass 0']))
    const down = viewModel.scrollPx
    expect(down).toBeGreaterThan(0)
    moves.revealRow(spanTarget(spans['encode 0']))
    expect(viewModel.scrollPx).toBeLessThan(down)
  })

  it('brings the first of several into view only where none is', () => {
    const { viewModel, moves } = setupViewModel(data)
    viewModel.camera.jump({ startNs: 0, endNs: 50_000 })
    const { view } = viewModel.camera
    moves.showAny([
      { startNs: 400_000, endNs: 500_000 },
      { startNs: 0, endNs: 10_000 },
    ])
    expect(viewModel.camera.view).toBe(view)
    moves.showAny([])
    expect(viewModel.camera.view).toBe(view)
    moves.showAny([{ startNs: 400_000, endNs: 480_000 }])
    expect(viewWidthNs(viewModel.camera.view)).toBeCloseTo(100_000)
  })

  it('begins a live run at its newest evidence, and an ended one with a round', () => {
    const { viewModel, moves } = setupViewModel(data)
    expect(moves.startView({ ...data, live: true, nowNs: 3e6 }).endNs).toBeGreaterThan(3e6)
    moves.fitRound()
    expect(moves.startView(data)).toEqual(viewModel.camera.view)
  })
})
