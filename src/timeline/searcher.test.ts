import { describe, expect, it, vi } from 'vitest'
import type { Found } from './search'
import { Searcher } from './highlights'
import { Fixture, twoSubmissions } from './testing/fixture'
import { eventually } from '../testing/eventually'

const { placed } = twoSubmissions().data

describe('Searcher', () => {
  it('answers, ends on nothing, and asks the same only once', async () => {
    const answers: (Found | null)[] = []
    const searcher = new Searcher((found) => answers.push(found))
    searcher.search(' MatMul ', placed)
    await eventually(() => expect(answers).toHaveLength(1))
    expect(answers[0]).toMatchObject({ query: 'MatMul', count: 2 })
    searcher.search('MatMul', placed)
    expect(answers).toHaveLength(1)
    searcher.search('', placed)
    expect(answers).toEqual([answers[0], null])
    expect(searcher.found).toBeNull()
  })

  it('searches a trace anew that has grown, and never shows what it found in another', async () => {
    const answers: (Found | null)[] = []
    const searcher = new Searcher((found) => answers.push(found))
    const fixture = new Fixture()
    for (let at = 0; at < 5; at += 1)
      fixture.span('device', 'compute', 10_000 + at * 10, 10_005 + at * 10, { name: 'matmul' })
    const other = fixture.data().placed
    searcher.search('matmul', placed)
    searcher.renew(other)
    expect(searcher.found === null || searcher.found.placed === other).toBe(true)
    await eventually(() => expect(searcher.found?.placed).toBe(other))
    expect(searcher.found?.count).toBe(5)
    expect(answers.at(-1)).toBe(searcher.found)
  })

  it('drops the older question for the newer', async () => {
    const answers: (Found | null)[] = []
    // No time at all a turn: each stretch of the scan is one.
    const clock = vi.spyOn(performance, 'now')
    let nowMs = 0
    clock.mockImplementation(() => (nowMs += 100))
    const fixture = new Fixture()
    for (let at = 0; at < 70_000; at += 1)
      fixture.span('device', 'compute', 10_000 + at * 10, 10_005 + at * 10, {
        name: at === 7 ? 'one' : 'many',
      })
    const long = fixture.data().placed
    const searcher = new Searcher((found) => answers.push(found))
    searcher.search('many', long)
    expect(answers).toHaveLength(0)
    searcher.search('one', long)
    await eventually(() => expect(answers.length).toBeGreaterThan(0))
    clock.mockRestore()
    expect(answers).toHaveLength(1)
    expect(answers[0]).toMatchObject({ query: 'one', count: 1 })
  })
})
