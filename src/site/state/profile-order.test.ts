import fc from 'fast-check'
import { expect, it } from 'vitest'
import { notFirst, orderOf } from './find-day'
import { forAll } from '../../testing/for-all'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f']

it('every place is as likely for each', () => {
  // All ways that six can be drawn one after the other.
  const firsts = new Map<string, number>()
  const steps = [6, 5, 4, 3, 2].reduce<readonly (readonly number[])[]>(
    (all, n) => all.flatMap((draws) => Array.from({ length: n }, (_, at) => [...draws, at / n])),
    [[]],
  )
  for (const draws of steps) {
    let next = 0
    const order = orderOf([], IDS, () => draws[next++] ?? 0)
    expect([...order].sort()).toEqual(IDS)
    firsts.set(order[0] ?? '', (firsts.get(order[0] ?? '') ?? 0) + 1)
  }
  expect([...firsts.values()]).toEqual(IDS.map(() => 120))
})

it('what is kept stays, what is new comes behind it, what is gone is left out', () =>
  forAll(fc.shuffledSubarray([...IDS, 'gone']), (kept) => {
    const order = orderOf(kept, IDS)
    const known = kept.filter((id) => id !== 'gone')
    expect(order.slice(0, known.length)).toEqual(known)
    expect([...order].sort()).toEqual(IDS)
    expect(orderOf(order, IDS)).toEqual(order)
  }))

it('what was solved before is not the first', () => {
  expect(notFirst(['a', 'b', 'c'], 'a')).toEqual(['b', 'c', 'a'])
  expect(notFirst(['b', 'a', 'c'], 'a')).toEqual(['b', 'a', 'c'])
})
