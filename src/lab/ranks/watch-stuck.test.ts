import { beforeEach, expect, it, vi } from 'vitest'
import type { RankState } from './wait-for'
import { stuckText } from './wait-for'
import { watchStuck } from './watch-stuck'

const waits = (...sendsTo: number[]): RankState => ({ status: 'waiting', sendsTo, recvsFrom: [] })
const running: RankState = { status: 'running', sendsTo: [], recvsFrom: [] }
const CYCLE = [waits(1), waits(0)]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})

it('says once what has stood for a second, within two', () => {
  const found = vi.fn()
  watchStuck(() => CYCLE, found)
  vi.advanceTimersByTime(950)
  expect(found).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1050)
  expect(found).toHaveBeenCalledTimes(1)
  expect(found).toHaveBeenCalledWith(expect.objectContaining({ cycle: [0, 1] }))
  vi.advanceTimersByTime(5000)
  expect(found).toHaveBeenCalledTimes(1)
})

it.each([
  ['not known', null],
  ['that one runs', [waits(1), running]],
  ['another graph', [waits(1), waits(0), waits(0)]],
])('begins anew where it is meanwhile seen: %s', (_, other) => {
  const found = vi.fn()
  let look = 0
  watchStuck(() => {
    look += 1
    return look % 8 === 0 ? other : CYCLE
  }, found)
  vi.advanceTimersByTime(20_000)
  expect(found).not.toHaveBeenCalled()
})

it('has ended where it was ended', () => {
  const found = vi.fn()
  const end = watchStuck(() => CYCLE, found)
  vi.advanceTimersByTime(500)
  end()
  vi.advanceTimersByTime(5000)
  expect(found).not.toHaveBeenCalled()
})

it('says who waits for whom: of a cycle the cycle alone, else for whom that has returned', () => {
  const edge = (from: number, to: number, operation: 'send' | 'recv' = 'send') => ({ from, to, operation })
  const edges = [edge(0, 1), edge(1, 0, 'recv'), edge(2, 0)]
  expect(stuckText({ ranks: [0, 1, 2], edges, cycle: [0, 1], ended: [] })).toBe(
    'The ranks 0, 1 wait for each other in a cycle: rank 0 in send to rank 1, rank 1 in recv from rank 0.',
  )
  expect(stuckText({ ranks: [1], edges: [edge(1, 0, 'recv')], cycle: [], ended: [0] })).toBe(
    'Nobody answers any more: rank 1 in recv from rank 0; rank 0 has returned.',
  )
})
