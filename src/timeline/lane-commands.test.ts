import { describe, expect, it, vi } from 'vitest'
import { LaneCommands } from './lane-commands'
import { Fixture, twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import type { LanesState, TimelineData } from './types'

const { data, spans } = twoSubmissions()

function setup(shown: TimelineData = data, lane?: number) {
  const on = setupViewModel(shown)
  const pointing = { lane, rowsMoved: vi.fn() }
  const moves = { revealRow: vi.fn() }
  const commands = new LaneCommands({ ...on, states: on.laneStates, pointing, moves })
  const said = () => (on.told('lanes').at(-1)?.[0] as LanesState | undefined)?.said
  return { ...on, commands, pointing, moves, said }
}

describe('LaneCommands', () => {
  it('pin the lane of the selection on top, say so, and undo it', () => {
    const { commands, viewModel, selection, said, requests, pointing, moves } = setup()
    const target = spanTarget(spans['pass 0'])
    const device = data.placed.trace.spans.lane[spans['pass 0'] ?? -1]
    selection.select(target, data)
    commands.toggle('pin')
    expect(viewModel.laneIds[0]).toBe(device)
    expect(said()).toBe('device pinned on top')
    expect(requests).toContain(true)
    expect(pointing.rowsMoved).toHaveBeenCalledTimes(1)
    expect(moves.revealRow).toHaveBeenCalledWith(target)
    commands.toggle('pin')
    expect(viewModel.laneIds[0]).not.toBe(device)
    expect(said()).toBe('device unpinned')
  })

  it('mean the lane under the pointer where nothing is selected, and ask for one where there is none', () => {
    const none = setup()
    none.commands.toggle('fold')
    expect(none.said()).toMatch(/^Select a bar first/)
    const host = setup(data, 0)
    host.commands.toggle('pin')
    expect(host.said()).toBe('host (worker) pinned on top')
    host.commands.toggle('fold')
    expect(host.said()).toBe('host (worker) has nothing to fold')
  })

  it('fold a lane of several rows into one, and unfold it', () => {
    const fixture = new Fixture()
    for (let depth = 0; depth < 4; depth += 1)
      fixture.span('host', 'host-work', depth * 1e6, (20 - depth) * 1e6)
    const deep = fixture.data()
    const { commands, viewModel, said } = setup(deep, fixture.lanes.host)
    const fold = () => viewModel.layout?.lanes.find(({ lane }) => lane?.id === fixture.lanes.host)?.fold
    const before = fold()
    expect(before).not.toBe('none')
    commands.toggle('fold')
    const first = fold()
    expect(first).not.toBe(before)
    expect(said()).toBe(`host (worker) ${first === 'folded' ? 'folded into one row' : 'unfolded'}`)
    commands.toggle('fold')
    expect(fold()).toBe(before)
  })

  it('forget all of it with another run', () => {
    const { commands, laneStates, said } = setup()
    commands.pin(0, true)
    commands.startOver(data)
    expect(laneStates.pinned).toEqual([])
    expect(said()).toBe('')
  })
})
