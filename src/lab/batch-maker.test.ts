import { describe, expect, it } from 'vitest'
import { createBatchMaker, MAX_AUGMENTATIONS } from './batch-maker'

const options = { words: 500, count: 4, seed: 3, augmentations: [5] }

describe('a batch maker', () => {
  it.each([[[0]], [[1]], [[5]], [[MAX_AUGMENTATIONS]], [[1, 0, 9]]])(
    'makes, with %j augmentations, what it says of each number, bit for bit',
    (augmentations) => {
      const maker = createBatchMaker({ ...options, augmentations })
      const into = new Float32Array(options.words)
      for (let index = 0; index < options.count; index += 1) {
        maker.make(index, into)
        const said = Float64Array.from(into, (_, position) => maker.valueAt(index, position))
        expect([...said]).toEqual([...into])
        expect(Math.max(...into.map(Math.abs))).toBeLessThan(2)
      }
    },
  )

  it('makes the same in another thread, and another batch for each index', () => {
    const [one, other] = [createBatchMaker(options), createBatchMaker(options)]
    const batches = [0, 1, 1].map((index, at) => {
      const into = new Float32Array(options.words)
      ;(at === 2 ? other : one).make(index, into)
      return into
    })
    const [first, second, again] = batches
    expect(again).toEqual(second)
    const equal = [...(first ?? [])].filter((value, at) => value === second?.[at]).length
    expect(equal).toBeLessThan(options.words / 20)
  })

  it('says nothing of numbers that a wrong batch would have', () => {
    const maker = createBatchMaker(options)
    const into = new Float32Array(options.words)
    maker.make(2, into)
    const right = [...into].filter((value, at) => value === maker.valueAt(1, at)).length
    expect(right).toBeLessThan(options.words / 20)
  })
})
