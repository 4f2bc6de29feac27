/** Programs as edits: what is changed is there once, or the test says so. */
import { expect, it } from 'vitest'
import { lessonsWithMend, rungsOf } from '../../../cli/mend-files'
import { programsIn } from '../edits'
import { absentIn } from './families'
import { lowerRungPrograms, wrongPrograms } from './programs'

const bases = { start: 'let a = 1\nlet b = 1\nuse(a)\n', reference: 'use(1)\n' }
const only = (edits: string) =>
  programsIn(`== x (start; constants) fails output: why.\n${edits}`, bases).others[0]

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

it('makes a rung of the mend, and its other programs of the rung', () => {
  const edits = `== start (reference; rung) fails output: why.
1 ⇒ 2
== x (start; mistake) fails output: why.
2 ⇒ 3`
  expect(programsIn(edits, bases)).toMatchObject({
    start: 'use(2)\n',
    reference: 'use(1)\n',
    startFails: 'output',
  })
  expect(programsIn(edits, bases).others.map(({ name, source }) => [name, source])).toEqual([
    ['x', 'use(3)\n'],
  ])
  expect(programsIn('', bases)).toEqual({ ...bases, startFails: null, others: [] })
})

/** As `diff` shows them: of each text, the lines that are not in what both have in common, in order; comments alone are none. */
function linesOfDiff(before: string, after: string): number {
  const [a, b] = [before, after].map((text) =>
    text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')),
  )
  let common = [0]
  for (const line of a ?? [])
    common = (b ?? []).reduce<number[]>(
      (row, other, at) => [
        ...row,
        line === other ? (common[at] ?? 0) + 1 : Math.max(common[at + 1] ?? 0, row[at] ?? 0),
      ],
      [0],
    )
  return (a?.length ?? 0) + (b?.length ?? 0) - 2 * (common.at(-1) ?? 0)
}

const lowerRungs = lessonsWithMend().flatMap((lesson) =>
  Array.from({ length: rungsOf(lesson) - 1 }, (_, index) => [lesson, index + 1] as const),
)
it.each(lowerRungs)('%s, rung %i: a few lines, and programs that try it', async (lesson, rung) => {
  const { start, reference, wrong, right } = await lowerRungPrograms(lesson, rung)
  expect(linesOfDiff(start, reference)).toBeGreaterThan(0)
  expect(linesOfDiff(start, reference)).toBeLessThanOrEqual(8)
  expect([wrong.length, right.length].every((count) => count > 0)).toBe(true)
})

it.each(lessonsWithMend())(
  '%s: every edit can be made, each program has a name of its own',
  async (lesson) => {
    const programs = await wrongPrograms(lesson)
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length)
    expect(programs.length).toBeGreaterThanOrEqual(6)
  },
)
