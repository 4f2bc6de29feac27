import { describe, expect, it, vi } from 'vitest'
import { RulerCommands } from './ruler-commands'
import { twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import type { AreaSelection, RulerEnd } from './types'

const { data, spans } = twoSubmissions()
const POINTED: RulerEnd = { type: 'free', timeNs: 77, toleranceNs: 1 }

function setup() {
  const on = setupViewModel(data)
  const timeline = {
    selectArea: vi.fn((area: AreaSelection | null) => on.selection.selectArea(area)),
  }
  const pointing = { rulerEnd: () => POINTED }
  return { ...on, timeline, commands: new RulerCommands({ ...on, timeline, pointing }) }
}

describe('RulerCommands', () => {
  it('mark the begin of the selection, then its end, and without one where the pointer is', () => {
    const { commands, selection, measuring } = setup()
    commands.mark('selection')
    expect(measuring.ruler?.from).toEqual(POINTED)
    selection.select(spanTarget(spans['pass 0']), data)
    commands.mark('selection')
    expect(measuring.ruler?.from).toEqual({ type: 'edge', span: spans['pass 0'], edge: 'start' })
    commands.mark('selection')
    expect(measuring.ruler?.from).toMatchObject({ edge: 'end' })
    commands.mark('pointer')
    expect(measuring.ruler?.from).toEqual(POINTED)
  })

  it('measure to an edge of the selection, and sum what is measured over all lanes', () => {
    const { commands, viewModel, selection, measuring, timeline } = setup()
    selection.select(spanTarget(spans['pass 0']), data)
    commands.sum()
    expect(timeline.selectArea, 'nothing is measured').not.toHaveBeenCalled()
    commands.mark('selection')
    commands.measureTo('end')
    expect(measuring.ruler?.to).toMatchObject({ edge: 'end' })
    commands.sum()
    expect(timeline.selectArea).toHaveBeenCalledWith({
      startNs: 30_000,
      endNs: 130_000,
      lanes: viewModel.laneIds,
    })
    expect(measuring.ruler).toBeNull()
  })

  it('make the selection an area, else the view, and take it away again', () => {
    const { commands, viewModel, selection } = setup()
    commands.toggleArea()
    expect(selection.area).toEqual({ ...viewModel.camera.view, lanes: viewModel.laneIds })
    selection.select(spanTarget(spans['pass 0']), data)
    commands.toggleArea()
    expect(selection.area).toMatchObject({ startNs: 30_000, endNs: 130_000 })
    commands.toggleArea()
    expect(selection.area).toBeNull()
  })

  it('put the ruler away, and paint no lane for it', () => {
    const { commands, measuring, requests } = setup()
    commands.mark('pointer')
    commands.clear()
    expect(measuring.ruler).toBeNull()
    expect(requests).toEqual([false, false])
  })
})
