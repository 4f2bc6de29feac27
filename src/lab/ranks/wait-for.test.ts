import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findStuck, stuckText, watchStuck, type RankState } from './wait-for'
import { forAllOf } from '../../testing/for-all'

const running: RankState = { status: 'running', sendsTo: [], recvsFrom: [] }
const ended: RankState = { status: 'ended', sendsTo: [], recvsFrom: [] }
const waits = (sendsTo: readonly number[], recvsFrom: readonly number[] = []): RankState => ({
  status: 'waiting',
  sendsTo,
  recvsFrom,
})

describe('findStuck', () => {
  it('finds two ranks that both send first', () => {
    expect(findStuck([waits([1]), waits([0])])).toEqual({
      ranks: [0, 1],
      edges: [
        { from: 0, to: 1, operation: 'send' },
        { from: 1, to: 0, operation: 'send' },
      ],
      ended: [],
    })
  })
  it('lets those go on whose calls match', () => {
    expect(findStuck([waits([1]), waits([], [0])])).toBeNull()
    expect(findStuck([waits([1], [1]), waits([0], [0])])).toBeNull()
  })
  it('waits for one that still runs, and with it for who waits for that one', () =>
    expect(findStuck([waits([1]), waits([2]), running])).toBeNull())
  it('finds who waits for a rank that has returned, and who waits for that one', () => {
    expect(findStuck([ended, waits([], [0]), waits([1]), running])).toMatchObject({
      ranks: [1, 2],
      ended: [0],
    })
  })
  it('finds a cycle of sends', () => {
    expect(findStuck([running, waits([2]), waits([3]), waits([1])])).toMatchObject({
      ranks: [1, 2, 3],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 3, to: 1 },
      ],
    })
  })
  it('goes on where one of several calls can be answered', () =>
    expect(findStuck([waits([1], [2]), waits([0]), running])).toBeNull())
})

/** A program: groups of calls, each made together and waited for together. */
type Call = readonly ['send' | 'recv', number]
type Program = readonly (readonly Call[])[]

/**
 * The truth: plays the programs as far as any call can be answered, in any order (with rendezvous
 * the order does not change what is left).
 */
function play(programs: readonly Program[]): readonly RankState[] {
  const at = programs.map(() => 0)
  const left = programs.map((program) => [...(program[0] ?? [])])
  const next = (rank: number) => {
    while (left[rank]?.length === 0 && (at[rank] ?? 0) < (programs[rank]?.length ?? 0)) {
      at[rank] = (at[rank] ?? 0) + 1
      left[rank] = [...(programs[rank]?.[at[rank]] ?? [])]
    }
  }
  programs.forEach((_, rank) => next(rank))
  for (let moved = true; moved;) {
    moved = false
    for (const [rank, calls] of left.entries())
      for (const [operation, to] of calls) {
        if (operation !== 'send') continue
        const answer = left[to]?.findIndex(([other, from]) => other === 'recv' && from === rank) ?? -1
        const own = calls.findIndex(([other, peer]) => other === 'send' && peer === to)
        if (answer < 0 || own < 0) continue
        calls.splice(own, 1)
        left[to]?.splice(answer, 1)
        next(rank)
        next(to)
        moved = true
        break
      }
  }
  return left.map((calls, rank) =>
    (at[rank] ?? 0) >= (programs[rank]?.length ?? 0)
      ? ended
      : {
          status: 'waiting',
          sendsTo: calls.flatMap(([operation, peer]) => (operation === 'send' ? [peer] : [])),
          recvsFrom: calls.flatMap(([operation, peer]) => (operation === 'recv' ? [peer] : [])),
        },
  )
}

it('names all that are left where nothing moves any more, and nobody where a rank still runs that all may wait for', () => {
  const programs = fc.integer({ min: 2, max: 4 }).chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, rank) => {
        const peer = fc.integer({ min: 0, max: size - 2 }).map((other) => (other >= rank ? other + 1 : other))
        const call = fc.tuple(fc.constantFrom('send' as const, 'recv' as const), peer)
        return fc.array(fc.array(call, { minLength: 1, maxLength: 2 }), { maxLength: 3 })
      }),
    ),
  )
  forAllOf(500)(programs, (all) => {
    const states = play(all)
    const waiting = states.flatMap(({ status }, rank) => (status === 'waiting' ? [rank] : []))
    expect(findStuck(states)?.ranks ?? []).toEqual(waiting)
    const one = states.map((state) => ({
      ...state,
      sendsTo: state.status === 'waiting' ? [...state.sendsTo, states.length] : state.sendsTo,
    }))
    expect(findStuck([...one, running])).toBeNull()
  })
})

describe('watchStuck', () => {
  const CYCLE = [waits([1]), waits([0])]

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
    expect(found).toHaveBeenCalledWith(expect.objectContaining({ ranks: [0, 1], ended: [] }))
    vi.advanceTimersByTime(5000)
    expect(found).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['not known', null],
    ['that one runs', [waits([1]), running]],
    ['another graph', [waits([1]), waits([0]), waits([0])]],
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
})

it('says who waits for whom, and who has returned', () => {
  const edge = (from: number, to: number, operation: 'send' | 'recv' = 'send') => ({ from, to, operation })
  const edges = [edge(0, 1), edge(1, 0, 'recv'), edge(2, 0)]
  expect(stuckText({ ranks: [0, 1, 2], edges, ended: [] })).toBe(
    'The ranks 0, 1, 2 wait for each other: rank 0 in send to rank 1, rank 1 in recv from rank 0, rank 2 in send to rank 0.',
  )
  expect(stuckText({ ranks: [1], edges: [edge(1, 0, 'recv')], ended: [0] })).toBe(
    'Nobody answers any more: rank 1 in recv from rank 0; rank 0 has returned.',
  )
})
