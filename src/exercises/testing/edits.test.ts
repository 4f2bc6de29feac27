/** Programs as edits: what is changed is there once, or the test says so. */
import { expect, it } from 'vitest'
import { programsIn } from '../edits'
import { lessonsWithExercise, programsOf, RUNGS } from './programs'

const bases = { start: 'let a = 1\nlet b = 1\nuse(a)\n', reference: 'use(1)\n' }
const only = (edits: string) => programsIn(`== x (start) fails output: why.\n${edits}`, 1, bases).others[0]

it('replaces what occurs once, from one place to another, at both ends, or all', () => {
  expect(only('use(a) ⇒ use(b)\n+ use(2)')?.source).toBe('let a = 1\nlet b = 1\nuse(b)\nuse(2)\n')
  expect(only('let a … b = ⇒ let b =')?.source).toBe('let b = 1\nuse(a)\n')
  expect(only('^ ⇒ first()\n$ ⇒ last()')?.source).toBe('first()\nlet a = 1\nlet b = 1\nuse(a)\nlast()')
  expect(only('1⏎use ⇒ 2⏎use')?.source).toBe('let a = 1\nlet b = 2\nuse(a)\n')
  expect(only('⇒ none()')?.source).toBe('none()')
  expect(only('')).toMatchObject({ name: 'x', fails: 'output' })
})

it('is refused where that is not there, or twice, and where it is no edit', () => {
  expect(() => only('c ⇒ d')).toThrow("x: 'c' occurs not at all.")
  expect(() => only('= 1 ⇒ = 2')).toThrow("x: '= 1' occurs more than once.")
  expect(() => only('let b … let a ⇒ ')).toThrow('does not occur behind')
  expect(() => only('use(b)')).toThrow('is no edit')
  expect(() => programsIn('== x start: why.', 1, bases)).toThrow('should read')
})

it('makes a rung of the mend, and its other programs of the rung', () => {
  const edits = '== start (reference) fails output: why.\n1 ⇒ 2\n== x (start): why.\n2 ⇒ 3'
  expect(programsIn(edits, 1, bases)).toEqual({
    start: 'use(2)\n',
    reference: 'use(1)\n',
    startFails: 'output',
    others: [{ name: 'x', fails: null, source: 'use(3)\n' }],
  })
  expect(programsIn(`${edits}\n== start (start) fails work: why.\n`, 2, bases)).toEqual({
    ...bases,
    startFails: 'work',
    others: [],
  })
  expect(() => programsIn(edits, 2, bases)).toThrow('should read')
})

/**
 * Counts lines as `diff` shows them: the lines of each text that are not in both, in order.
 * Comments do not count.
 */
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

const rungs = lessonsWithExercise().flatMap((lesson) =>
  Array.from({ length: RUNGS }, (_, index) => [lesson, index + 1] as const),
)
it.each(rungs)(
  '%s, rung %i: three mistakes, and two right programs in other styles',
  async (lesson, rung) => {
    const { start, reference, wrong, right } = await programsOf(lesson, rung)
    expect([wrong.length, right.length]).toEqual([3, 2])
    const sources = [
      start,
      reference,
      ...wrong.map(({ source }) => source),
      ...right.map(({ source }) => source),
    ]
    expect(new Set(sources).size).toBe(7)
  },
)

it.each(rungs.filter(([, rung]) => rung < RUNGS))(
  '%s, rung %i: a few lines are to be changed',
  async (lesson, rung) => {
    const { start, reference } = await programsOf(lesson, rung)
    expect(linesOfDiff(start, reference)).toBeGreaterThan(0)
    expect(linesOfDiff(start, reference)).toBeLessThanOrEqual(8)
  },
)
