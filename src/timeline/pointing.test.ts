import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hitTest, mergedAt } from './hit-test'
import { Pointing } from './pointing'
import { Fixture, twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'

vi.mock('./hit-test', { spy: true })

const { data, spans } = twoSubmissions()

function setup(shown = data) {
  const on = setupViewModel(shown)
  const board = { does: false }
  const pointing = new Pointing(on.viewModel, on.emitter, (does) => (board.does = does))
  const frame = (lanesWerePainted: boolean): void => {
    pointing.look(lanesWerePainted)
    pointing.tell()
  }
  return { ...on, board, pointing, frame, pass: on.placeOf(shown === data ? (spans['pass 0'] ?? -1) : 0) }
}

beforeEach(() => {
  vi.mocked(hitTest).mockClear()
  vi.mocked(mergedAt).mockClear()
})
const looks = () => [vi.mocked(hitTest).mock.calls.length, vi.mocked(mergedAt).mock.calls.length]

describe('Pointing', () => {
  it('looks once a frame, however often the pointer moved and whatever else did', () => {
    const { pointing, viewModel, frame, pass, told } = setup()
    pointing.moveTo({ cssX: pass.cssX - 5, cssY: pass.cssY })
    pointing.moveTo(pass)
    viewModel.camera.jump({ startNs: 0, endNs: 1.1e6 })
    pointing.rowsMoved()
    expect(looks()).toEqual([0, 0])
    frame(true)
    expect(looks()).toEqual([1, 1])
    expect(told('hover')).toEqual([[spanTarget(spans['pass 0']), pass, 1]])
    frame(false)
    expect(looks(), 'nothing moved').toEqual([1, 1])
  })

  it('looks for nothing without a pointer, and where only what lies over the lanes is painted', () => {
    const { pointing, frame, pass } = setup()
    frame(true)
    pointing.moveTo(pass)
    pointing.leave()
    frame(true)
    frame(false)
    expect(looks()).toEqual([0, 0])
  })

  it('tells of what comes to lie under a pointer at rest, and only of what is new', () => {
    const { pointing, viewModel, frame, pass, told } = setup()
    pointing.moveTo(pass)
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
    pointing.moveTo(pass)
    frame(false)
    pointing.leave()
    expect(told('hover').at(-1)).toEqual([null, null, 1])
    expect(pointing.hovered).toBeNull()
    expect(pointing.timePx).toBeNull()
    expect(requests, 'the lanes stay as they are').toEqual([false, false])
  })

  it('shows a press over the name of a lane that folds', () => {
    const fixture = new Fixture()
    for (let depth = 0; depth < 4; depth += 1)
      fixture.span('host', 'host-work', depth * 1e6, (20 - depth) * 1e6)
    const { pointing, board, placeOf } = setup(fixture.data())
    const { cssX, cssY } = placeOf(0)
    pointing.moveTo({ cssX: 20, cssY })
    expect(board.does).toBe(true)
    expect(pointing.lane).toBe(fixture.lanes.host)
    pointing.moveTo({ cssX, cssY })
    expect(board.does).toBe(false)
  })
})
