import { describe, expect, it, vi } from 'vitest'
import { foldLane, toggleFold } from './timeline'
import { Fixture, twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import type { TimelineData } from './types'

const { data } = twoSubmissions()

function setup(shown: TimelineData = data, lane?: number) {
  const on = setupViewModel(shown)
  const pointing = { lane, rowsMoved: vi.fn() }
  const moves = { revealRow: vi.fn() }
  const parts = { ...on, pointing, moves }
  const commands = {
    toggle: () => toggleFold(parts),
    fold: (id: number, folds: boolean) => foldLane(parts, id, folds),
  }
  const said = () => on.told('lanes').at(-1)?.[0]
  return { ...on, commands, pointing, moves, said }
}

describe('a command to fold', () => {
  it('means the lane under the pointer where nothing is selected, and asks for one where there is none', () => {
    const none = setup()
    none.commands.toggle()
    expect(none.said()).toMatch(/^Select a bar first/)
    const host = setup(data, 0)
    host.commands.toggle()
    expect(host.said()).toBe('host (worker) has nothing to fold')
  })

  it('folds a lane of several rows into one, and unfolds it', () => {
    const fixture = new Fixture()
    for (let depth = 0; depth < 4; depth += 1)
      fixture.span('host', 'host-work', depth * 1e6, (20 - depth) * 1e6)
    const deep = fixture.data()
    const { commands, viewModel, said, requests, pointing, moves, selection } = setup(
      deep,
      fixture.lanes.host,
    )
    selection.select(spanTarget(0), deep)
    const fold = () => viewModel.layout?.lanes.find(({ lane }) => lane?.id === fixture.lanes.host)?.fold
    const before = fold()
    expect(before).not.toBe('none')
    commands.toggle()
    const first = fold()
    expect(first).not.toBe(before)
    expect(said()).toBe(`host (worker) ${first === 'folded' ? 'folded into one row' : 'unfolded'}`)
    expect(requests).toContain(true)
    expect(pointing.rowsMoved).toHaveBeenCalledTimes(1)
    expect(moves.revealRow).toHaveBeenCalledWith(spanTarget(0))
    commands.toggle()
    expect(fold()).toBe(before)
  })
})
