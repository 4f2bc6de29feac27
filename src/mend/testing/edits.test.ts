/** Programs as edits: what is changed is there once, or the test says so. */
import { expect, it } from 'vitest'
import { lessonsWithMend } from '../../../cli/mend-files'
import { absentIn, programsIn } from './edits'
import { wrongPrograms } from './programs'

const bases = { start: 'let a = 1\nlet b = 1\nuse(a)\n', reference: 'use(1)\n' }
const only = (edits: string) => programsIn(`== x (start; constants) fails output: why.\n${edits}`, bases)[0]

it('replaces what occurs once, from one place to another, at both ends, or all', () => {
  expect(only('use(a) ⇒ use(b)\n+ use(2)')?.source).toBe('let a = 1\nlet b = 1\nuse(b)\nuse(2)\n')
  expect(only('let a … b = ⇒ let b =')?.source).toBe('let b = 1\nuse(a)\n')
  expect(only('^ ⇒ first()\n$ ⇒ last()')?.source).toBe('first()\nlet a = 1\nlet b = 1\nuse(a)\nlast()')
  expect(only('1⏎use ⇒ 2⏎use')?.source).toBe('let a = 1\nlet b = 2\nuse(a)\n')
  expect(only('⇒ none()')?.source).toBe('none()')
  expect(only('')).toMatchObject({
    name: 'x',
    base: 'start',
    kind: 'constants',
    fails: 'output',
    why: 'why.',
  })
})

it('is refused where that is not there, or twice, and where it is no edit', () => {
  expect(() => only('c ⇒ d')).toThrow("x: 'c' occurs not at all.")
  expect(() => only('= 1 ⇒ = 2')).toThrow("x: '= 1' occurs more than once.")
  expect(() => only('let b … let a ⇒ ')).toThrow('does not occur behind')
  expect(() => only('use(b)')).toThrow('is no edit')
  expect(() => programsIn('== x start: why.', bases)).toThrow('should read')
})

it('says why a family does not apply', () => {
  expect([...absentIn('== a (start; timers) fails ended: why.\n-- patched clocks: it has none.')]).toEqual([
    ['patched clocks', 'it has none.'],
  ])
  expect(() => absentIn('-- good clocks: why.')).toThrow('names no family')
  expect(only('1⏎use ⇒ 2⏎use\n-- timers: why.')?.source).toBe('let a = 1\nlet b = 2\nuse(a)\n')
})

it.each(lessonsWithMend())(
  '%s: every edit can be made, each program has a name of its own',
  async (lesson) => {
    const programs = await wrongPrograms(lesson)
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length)
    expect(programs.length).toBeGreaterThanOrEqual(6)
  },
)
