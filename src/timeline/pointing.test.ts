import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hitTest } from './hit-test'
import { mergedAt } from './merged'
import { Pointing } from './pointing'
import { twoSubmissions } from './testing/fixture'
import { makeBoard, setupViewModel, spanTarget } from './testing/view-model'

vi.mock('./hit-test', { spy: true })
vi.mock('./merged', { spy: true })

const { data, spans } = twoSubmissions()

function setup() {
  const on = setupViewModel(data)
  const board = makeBoard()
  const pointing = new Pointing(on.viewModel, on.measuring, on.emitter, board)
  const frame = (lanesWerePainted: boolean): void => {
    pointing.look(lanesWerePainted)
    pointing.tell()
  }
  return { ...on, board, pointing, frame, pass: on.placeOf(spans['pass 0'] ?? -1) }
}

beforeEach(() => {
  vi.mocked(hitTest).mockClear()
  vi.mocked(mergedAt).mockClear()
})
const looks = () => [vi.mocked(hitTest).mock.calls.length, vi.mocked(mergedAt).mock.calls.length]

describe('Pointing', () => {
  it('looks once a frame, however often the pointer moved and whatever else did', () => {
    const { pointing, viewModel, frame, pass, told } = setup()
    pointing.moveTo({ cssX: pass.cssX - 5, cssY: pass.cssY }, false)
    pointing.moveTo(pass, false)
    viewModel.camera.jump({ startNs: 0, endNs: 1.1e6 })
    pointing.rowsMoved()
    expect(looks()).toEqual([0, 0])
    frame(true)
    expect(looks()).toEqual([1, 1])
    expect(told('hover')).toEqual([[spanTarget(spans['pass 0']), pass, null]])
    frame(false)
    expect(looks(), 'nothing moved').toEqual([1, 1])
  })

  it('looks for nothing without a pointer, and where only what lies over the lanes is painted', () => {
    const { pointing, frame, pass } = setup()
    frame(true)
    pointing.moveTo(pass, false)
    pointing.leave()
    frame(true)
    frame(false)
    expect(looks()).toEqual([0, 0])
  })

  it('tells of what comes to lie under a pointer at rest, and only of what is new', () => {
    const { pointing, viewModel, frame, pass, told } = setup()
    pointing.moveTo(pass, false)
    frame(false)
    frame(true)
    expect(told('hover')).toHaveLength(1)
    viewModel.camera.jump({ startNs: 130_000, endNs: 330_000 })
    frame(true)
    expect(told('hover').at(-1)?.[0]).not.toEqual(spanTarget(spans['pass 0']))
    expect(told('hover')).toHaveLength(2)
    expect(pointing.hovered).toEqual(told('hover').at(-1)?.[0])
  })

  it('says at once that it left', () => {
    const { pointing, frame, pass, told, requests } = setup()
    pointing.moveTo(pass, false)
    frame(false)
    pointing.leave()
    expect(told('hover').at(-1)).toEqual([null, null, null])
    expect(pointing.hovered).toBeNull()
    expect(pointing.timePx).toBeNull()
    expect(requests, 'the lanes stay as they are').toEqual([false, false])
  })

  it('lights an edge in reach only where a press or the ruler would take it', () => {
    const { pointing, viewModel, measuring, placeOf } = setup()
    const { cssX, cssY } = placeOf(spans['pass 0'] ?? -1)
    const edge = { cssX: cssX + 50_000 * viewModel.scale.pxPerNs + 2, cssY }
    pointing.moveTo(edge, false)
    expect(pointing.snapped).toBeNull()
    pointing.moveTo(edge, true)
    expect(pointing.snapped).toEqual({ type: 'edge', span: spans['pass 0'], edge: 'end' })
    pointing.forgetEdge()
    expect(pointing.snapped).toBeNull()
    measuring.markTarget(data, spanTarget(spans['encode 0']))
    pointing.moveTo(edge, false)
    expect(measuring.ruler?.to).toEqual({ type: 'edge', span: spans['pass 0'], edge: 'end' })
  })

  it('gives the ruler the place of the pointer, else the middle of the view', () => {
    const { pointing, viewModel, pass } = setup()
    const { startNs, endNs } = viewModel.camera.view
    expect(pointing.rulerEnd()).toMatchObject({ type: 'free', timeNs: (startNs + endNs) / 2 })
    pointing.moveTo({ cssX: 3, cssY: pass.cssY }, false)
    expect(pointing.rulerEnd(), 'over the names there is no time').toMatchObject({
      timeNs: (startNs + endNs) / 2,
    })
    pointing.moveTo(pass, false)
    expect(pointing.rulerEnd()).toMatchObject({ type: 'free', timeNs: expect.closeTo(80_000, 0) as number })
  })

  it('shows a press over a pin, and knows the lane there', () => {
    const { pointing, viewModel, board, pass } = setup()
    const lane = viewModel.laneUnder(pass.cssY)
    pointing.moveTo({ cssX: (viewModel.layout?.headerPx ?? 0) - 5, cssY: pass.cssY }, false)
    expect(board.does).toBe(true)
    expect(pointing.header).toMatchObject({ does: 'pin', lane })
    expect(pointing.lane).toBe(lane?.lane?.id)
    pointing.moveTo(pass, false)
    expect(board.does).toBe(false)
    expect(pointing.header).toBeNull()
  })
})
