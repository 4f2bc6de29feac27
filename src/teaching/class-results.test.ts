import { csvParseRows } from 'd3-dsv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classCsv, flagInWords, MAX_LINES, readClass, soundRows } from './class-results'
import { writeCode, type Completion } from './completion-code'

const LESSONS = ['sync-stalls', 'command-queue']
const one = (change: Partial<Completion> = {}): Completion => ({
  lesson: 'sync-stalls',
  assignment: 7,
  predicted: 75,
  measured: { value: 9, low: 8.5, high: 9.5 },
  unit: '%',
  outcome: 'shown',
  adapter: 'discrete',
  mended: 'mended',
  done: 4,
  asked: 4,
  day: '2026-11-23',
  name: 'A',
  ...change,
})
const code = (change: Partial<Completion> = {}) => writeCode(one(change))
const read = (lines: readonly string[], assignment: number | null = 7) =>
  readClass(lines.join('\n'), { lessons: LESSONS, assignment })
const flagsOf = (lines: readonly string[], assignment?: number | null) =>
  read(lines, assignment).rows.map(({ flags }) => flags.map(flagInWords).join('; '))

describe('what a class sent in', () => {
  it('is read line by line, blank lines between', () => {
    const results = read([code(), '', code({ name: 'B', predicted: 50 })])
    expect(results).toMatchObject({ lesson: 'sync-stalls', unit: '%', leftOver: 0 })
    expect(results.rows.map(({ line, predicted, measured }) => [line, predicted, measured])).toEqual([
      [1, 75, 9],
      [3, 50, 9],
    ])
    expect(soundRows(results)).toHaveLength(2)
  })

  it('says what is wrong, double, of another assignment, lesson or unit', () => {
    const good = code()
    const mistyped = good.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect(
      flagsOf([
        good,
        mistyped,
        good.toLowerCase(),
        code({ name: 'a', predicted: 10 }),
        code({ name: 'C', assignment: 8 }),
        code({ name: 'D', lesson: 'command-queue' }),
        code({ name: 'E', unit: '×' }),
        'hello',
        '3 apples 4 pears 5',
      ]),
    ).toEqual([
      '',
      expect.stringContaining('does not check') as string,
      'the same code as line 1',
      'the same name as line 1',
      'of another assignment',
      'of another lesson',
      'in another unit',
      expect.stringContaining('neither a code') as string,
      expect.stringContaining('no code') as string,
    ])
  })

  it('asks for no assignment where none was given, and names nobody double who gave no name', () => {
    expect(flagsOf([code({ name: '', assignment: 9 }), code({ name: '', predicted: 3 })], null)).toEqual([
      '',
      '',
    ])
  })

  it('may be plain numbers with their unit, predicted and measured or measured alone', () => {
    const results = read(['75 %; 9.1 %', '60%\t12%', '9.5 %', '-; 8 %', '80 %; -', '1e-3'])
    expect(results.rows.map(({ predicted, measured }) => [predicted, measured])).toEqual([
      [75, 9.1],
      [60, 12],
      [null, 9.5],
      [null, 8],
      [80, null],
      [null, 0.001],
    ])
    expect(soundRows(results)).toHaveLength(6)
    expect(flagsOf(['5 %', '6 %', '7 ms'])).toEqual(['', '', 'in another unit'])
    expect(flagsOf(['5 %; 7 ms'])).toEqual([expect.stringContaining('two units') as string])
  })

  it('has no result of a run that does not count', () => {
    expect(read([code({ outcome: 'invalid' })]).rows[0]).toMatchObject({
      predicted: 75,
      measured: null,
      flags: [],
    })
  })

  it('is read up to a bound, and says what is left', () => {
    const results = read(Array.from({ length: MAX_LINES + 3 }, () => '1 %'))
    expect(results.rows).toHaveLength(MAX_LINES)
    expect(results.leftOver).toBe(3)
  })

  it('whatever is pasted, every line that is not blank has a row', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constant(code()))), (lines) => {
        const text = lines.join('\n')
        const results = readClass(text, { lessons: LESSONS, assignment: null })
        const filled = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
        expect(results.rows).toHaveLength(filled.length)
        expect(csvParseRows(classCsv(results))).toHaveLength(filled.length + 1)
      }),
    )
  })

  it('is saved as CSV with a cell for everything, and no formula for a spreadsheet', () => {
    const [head, first] = csvParseRows(classCsv(read([code({ name: '=1+1' })])))
    expect(head?.join()).toBe(
      'line,name,day,lesson,done,asked,predicted,measured,low,high,unit,outcome,adapter,mended,flags',
    )
    expect(first?.slice(0, 14)).toEqual([
      '1',
      "'=1+1",
      '2026-11-23',
      'sync-stalls',
      '4',
      '4',
      '75',
      '9',
      '8.5',
      '9.5',
      '%',
      'shown',
      'discrete',
      'mended',
    ])
  })
})
