import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lessons } from '../lessons/testing/catalog'
import { MAX_CODE, nameToFit, readCode, writeCode, type Completion } from './completion-code'

const ids = lessons.map(({ id }) => id)

const PLAIN: Completion = {
  lesson: 'sync-stalls',
  assignment: 0x1234_5678,
  predicted: 75,
  measured: { value: 9.1, low: 8.9, high: 9.4 },
  unit: '%',
  outcome: 'shown',
  adapter: 'discrete',
  mended: 'mended',
  done: 3,
  asked: 4,
  day: '2026-11-23',
  name: 'Grace H.',
}

const MAX_NAME_BYTES = 60

/** A figure as a code holds it. */
function asHeld(value: number): number {
  const read = readCode(writeCode({ ...PLAIN, predicted: value }), ids)
  if (!read.ok || typeof read.value.predicted !== 'number') throw new Error('it held no figure')
  return read.value.predicted
}

const figure = fc.double({ min: -1e30, max: 1e30, noNaN: true }).map(asHeld)
const completions: fc.Arbitrary<Completion> = fc
  .record({
    lesson: fc.constantFrom(...ids),
    assignment: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    predicted: fc.oneof(figure, fc.constant('skipped' as const), fc.constant(null)),
    measured: fc.option(fc.tuple(figure, figure, figure)),
    unit: fc.constantFrom('%', '×', 'ms', 'n', '', 'GB/s'),
    outcome: fc.constantFrom<Completion['outcome'][]>(
      'none',
      'shown',
      'not-shown',
      'inconclusive',
      'invalid',
    ),
    adapter: fc.constantFrom<Completion['adapter'][]>(
      'unknown',
      'software',
      'integrated',
      'discrete',
      'recorded',
    ),
    mended: fc.constantFrom<Completion['mended'][]>('none', 'failed', 'mended', 'untold'),
    counts: fc.tuple(fc.nat(255), fc.nat(255)),
    day: fc.integer({ min: 0, max: 65_535 }),
    name: fc.string({ unit: 'grapheme', maxLength: 40 }).map(nameToFit),
  })
  .map(({ measured, counts, day, ...rest }) => {
    const [low = 0, value = 0, high = 0] = measured ? [...measured].sort((a, b) => a - b) : []
    return {
      ...rest,
      measured: measured && { low, value, high },
      done: Math.min(...counts),
      asked: Math.max(...counts),
      day: new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    }
  })

describe('a completion code', () => {
  it('says what went into it', () => {
    fc.assert(
      fc.property(completions, (completion) => {
        const code = writeCode(completion)
        expect(code.length).toBeLessThanOrEqual(MAX_CODE)
        expect(readCode(code, ids)).toEqual({ ok: true, value: completion })
      }),
      { numRuns: 500 },
    )
  })

  it('keeps five figures of a number, and whole numbers as they are', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (value) => {
        expect(Math.abs(asHeld(value) / value - 1)).toBeLessThan(2 ** -16)
      }),
    )
    for (const value of [0, 1, 64, 75, 800, 4096, 65_535]) expect(asHeld(value)).toBe(value)
  })

  it('is read as people type it: in small letters, without hyphens, with O for 0 and I or L for 1', () => {
    const code = writeCode(PLAIN)
    for (const typed of [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      code.replaceAll('-', ' '),
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
      code.replaceAll('1', 'I'),
    ])
      expect(readCode(typed, ids)).toEqual({
        ok: true,
        value: expect.objectContaining({ name: 'Grace H.' }) as unknown,
      })
  })

  /** Each way of getting one character wrong, on every place of the code. */
  const wrongs = (code: string): readonly string[] => {
    const at = Array.from(code).flatMap((character, index) => (character === '-' ? [] : [index]))
    const cut = (from: number, to: number, between: string) => code.slice(0, from) + between + code.slice(to)
    return [
      ...at.flatMap((index) =>
        Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZU?').map((letter) => cut(index, index + 1, letter)),
      ),
      ...at.map((index) => cut(index, index + 1, '')),
      ...at.flatMap((index) => Array.from('0A7').map((letter) => cut(index, index, letter))),
      // Two neighbours changed about.
      ...at.slice(1).map((index, place) => {
        const before = at[place] ?? 0
        return Array.from(code)
          .map((each, here) => (here === before ? code[index] : here === index ? code[before] : each))
          .join('')
      }),
    ].filter((each) => each !== code)
  }

  const alike = (text: string) => text.replaceAll('-', '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

  it('is found wrong with any one character changed, left out or added, and any two neighbours exchanged', () => {
    fc.assert(
      fc.property(completions, (completion) => {
        const code = writeCode(completion)
        for (const wrong of wrongs(code)) {
          // A letter typed for the digit that it looks like is the same code.
          const read = readCode(wrong, ids)
          if (read.ok) expect(alike(wrong)).toBe(alike(code))
        }
      }),
      { numRuns: 20 },
    )
    expect(wrongs(writeCode(PLAIN)).length).toBeGreaterThan(2000)
  })

  it.each([
    ['', 'does not begin'],
    ['75 %', 'does not begin'],
    ['HDL9-ABCDE', 'another version'],
    ['HDL1-', 'does not check'],
    ['HDL1-00000-00', 'does not check'],
    ['HDL1-'.padEnd(MAX_CODE + 1, '0'), 'longer than any'],
  ])('is none: %j', (line, why) => {
    expect(readCode(line, ids)).toEqual({ ok: false, error: expect.stringContaining(why) as string })
  })

  it('of a lesson that is not known says so', () => {
    const others = ids.filter((id) => id !== PLAIN.lesson)
    expect(readCode(writeCode(PLAIN), others)).toMatchObject({
      ok: false,
      error: expect.stringContaining('does not have') as string,
    })
  })

  it('is not written of what it cannot hold', () => {
    for (const broken of [
      { predicted: Number.NaN },
      { measured: { value: 1, low: 0, high: Number.POSITIVE_INFINITY } },
      { day: '2026-13-40' },
      { day: '1999-01-01' },
      { done: 256 },
      { unit: 'a unit that is far too long' },
    ])
      expect(() => writeCode({ ...PLAIN, ...broken })).toThrow(RangeError)
  })

  it('cuts a name between characters', () => {
    const name = nameToFit(`  ${'é'.repeat(40)}`)
    expect(name).toBe('é'.repeat(MAX_NAME_BYTES / 2))
    expect(nameToFit('x'.repeat(MAX_NAME_BYTES - 1) + 'é')).toBe('x'.repeat(MAX_NAME_BYTES - 1))
  })

  it('tells every two lessons apart', () => {
    for (const lesson of ids)
      expect(readCode(writeCode({ ...PLAIN, lesson }), ids)).toMatchObject({ value: { lesson } })
  })
})
