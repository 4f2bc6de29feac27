import { describe, expect, it, vi } from 'vitest'
import { PATH_OWNERS, type DrawnPath, type PathColumns } from '../analysis/types'
import { Highlights } from './highlights'
import { Fixture, twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'
import { eventually } from '../testing/eventually'

const { data, spans } = twoSubmissions()

function setup() {
  const on = setupViewModel(data)
  const moves = { showAny: vi.fn() }
  return { ...on, moves, highlights: new Highlights({ ...on, moves }) }
}
const segments: PathColumns = {
  length: 1,
  owners: PATH_OWNERS,
  ns: [],
  who: Uint8Array.of(PATH_OWNERS.indexOf('host')),
  span: Int32Array.of(spans['encode 0'] ?? -1),
  startNs: Float64Array.of(0),
  endNs: Float64Array.of(10_000),
}
const path: DrawnPath = { parts: [{ title: '', startNs: 0, endNs: 10_000, segments }], problems: [] }

describe('Highlights', () => {
  it('say how many were found and which of them is selected', async () => {
    const { highlights, selection, told, requests } = setup()
    highlights.tellRank()
    expect(told('search'), 'nothing is looked for').toEqual([])
    highlights.search('matmul')
    await eventually(() => expect(told('search')).toEqual([[{ query: 'matmul', count: 2, at: 0 }]]))
    expect(requests).toEqual([true])
    for (const [name, at] of [
      ['pass 0', 1],
      ['pass 1', 2],
      ['encode 0', 0],
    ] as const) {
      selection.select(spanTarget(spans[name]), data)
      highlights.tellRank()
      expect(told('search').at(-1)).toEqual([{ query: 'matmul', count: 2, at }])
    }
    highlights.search('')
    expect(told('search').at(-1)).toEqual([null])
    expect(highlights.found).toBeNull()
  })

  it('search once for what is typed in a go, at once for a step, and anew in a trace that has grown', () => {
    vi.useFakeTimers()
    const { highlights, viewModel, told } = setup()
    for (const query of ['m', 'ma', ' MatMul ', 'MatMul']) highlights.search(query)
    expect(highlights.found).toBeNull()
    vi.advanceTimersByTime(1000)
    expect(told('search')).toEqual([[{ query: 'MatMul', count: 2, at: 0 }]])
    highlights.search('encode')
    highlights.findNow()
    expect(highlights.found).toMatchObject({ query: 'encode' })
    const fixture = new Fixture()
    for (let at = 0; at < 5; at += 1)
      fixture.span('device', 'compute', at * 10, at * 10 + 5, { name: 'encode' })
    const grown = fixture.data()
    viewModel.show(grown)
    highlights.renew(data, grown)
    expect(highlights.found?.placed).toBe(grown.placed)
    expect(highlights.found?.spans).toHaveLength(5)
  })

  it('show a path and go to it, until other data take it away', () => {
    const { highlights, moves, told } = setup()
    highlights.showPath(path)
    expect(moves.showAny).toHaveBeenCalledWith(path.parts)
    expect(highlights.path).toHaveLength(1)
    // Gaps alone are new: the lanes are the same.
    highlights.renew(data, { ...data, gaps: [] })
    expect(highlights.path).toHaveLength(1)
    const other = new Fixture()
    other.span('host', 'encode', 0, 10)
    highlights.renew(data, other.data())
    expect(highlights.path).toEqual([])
    expect(told('path')).toEqual([[path], [null]])
    expect(moves.showAny).toHaveBeenCalledTimes(1)
  })
})
