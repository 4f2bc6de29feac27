/** What is kept of a recorded grading: all that the checks read, exactly, and nothing that they do not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packTable, unpackTable } from './packed-columns'
import { fullAgain, noteReads } from './read-entries'

const SPEC = { time: 'f64', index: 'i32' } as const
const whole = { min: -(2 ** 45), max: 2 ** 45 }

describe('a packed table', () => {
  it('gives whole numbers back as they were', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer(whole), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))),
        (rows) => {
          const table = {
            length: rows.length,
            time: Float64Array.from(rows, ([time]) => time * 16),
            index: Int32Array.from(rows, ([, index]) => index),
          }
          expect(unpackTable(SPEC, packTable(SPEC, table))).toEqual(table)
        },
      ),
    )
  })
  it('takes the noise off a time, and keeps what is no number', () => {
    const index = Int32Array.of(-1, 7)
    const noisy = { length: 2, time: Float64Array.of(123_364_999.999_990_69, 5000.000_01), index }
    expect(unpackTable(SPEC, packTable(SPEC, noisy)).time).toEqual(Float64Array.of(123_365_000, 5000))
    const none = { length: 2, time: Float64Array.of(Number.NaN, 0.5), index }
    expect(unpackTable(SPEC, packTable(SPEC, none))).toEqual(none)
  })
})

describe('what is read of long lists', () => {
  const long = (count: number) => Array.from({ length: count }, (_, at) => at + 0.5)

  it('is what is left of them', () => {
    const noted = noteReads([
      { output: { result: long(1000), name: 'a' }, found: { words: Float32Array.from(long(500)) } },
    ])
    const [run] = noted.value
    expect(run?.output.result).toHaveLength(1000)
    expect(run?.output.result[999]).toBe(999.5)
    expect(run?.found.words.length).toBe(500)
    expect(run?.found.words[3]).toBe(3.5)
    const [again] = fullAgain(noted.read())
    expect(again?.output.name).toBe('a')
    expect(Array.isArray(again?.output.result)).toBe(true)
    expect(again?.output.result).toHaveLength(1000)
    expect(again?.output.result.filter((entry) => !Number.isNaN(entry))).toEqual([999.5])
    expect(again?.found.words).toBeInstanceOf(Float32Array)
    expect([...(again?.found.words ?? [])].filter((entry) => !Number.isNaN(entry))).toEqual([3.5])
  })

  it('is all, where somebody goes through them, and of a short list always', () => {
    const data = { plain: long(300), words: Uint32Array.from(long(300)), short: long(4), none: null }
    const noted = noteReads(data)
    expect(Math.max(...noted.value.plain)).toBe(299.5)
    expect(noted.value.words.reduce((sum, each) => sum + each, 0)).toBe((299 * 300) / 2)
    expect(fullAgain(noted.read())).toEqual(data)
  })
})
