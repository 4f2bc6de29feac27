import { expect, it } from 'vitest'
import { jsonBlocks, LongList } from './json-blocks'

it('writes what JSON.stringify writes, in whole lines', () => {
  const numbers = (length: number) => Array.from({ length }, (_, at) => at)
  const plain = (at: number) => ({ at, text: `"\n${String(at)}`, list: [] })
  const made = <T>(list: (numbers: readonly number[]) => T) => ({
    a: list([]),
    b: [{ c: list(numbers(2500)), d: undefined }, { c: list(numbers(1000)) }],
    e: { f: list([7]) },
    g: null,
  })
  const blocks = [...jsonBlocks(made((list) => new LongList(list, plain)))]
  expect(blocks.join('\n')).toBe(
    JSON.stringify(
      made((list) => list.map(plain)),
      null,
      2,
    ),
  )
  expect(blocks).toHaveLength(3 + 1 + 1 + 4)
})
