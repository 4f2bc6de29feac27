/** Lines of a program that are at fault, and those that mend them: read from both, and nothing else. */
import { expect, it } from 'vitest'
import { questionMends } from 'virtual:question-mends'
import { mendOf, rungsOf } from '../src/lessons/mends'
import { lessons } from '../src/lessons/testing/catalog'
import { textOf } from '../src/site/ui/source/lines'
import { linesOfMend } from './mend-lines'

const between = (before: readonly string[], after: readonly string[]): readonly string[] =>
  linesOfMend([before, after], [before, after]).map((row) => (row ? `${row.sign}${row.line}` : '⋯'))

it('has a change with what stands next to it and round it', () => {
  const before = ['start()', '', 'for (a) {', '  one()', '  two()', '  three()', '  wait()', '}', 'end()']
  const after = ['start()', '', 'for (a) {', '  one()', '  two()', '  three()', '}', 'wait()', 'end()']
  expect(between(before, after)).toEqual(['  three()', '-  wait()', '}', '+wait()', 'end()'])
})

it('names the loops that a change stands in, but not the function', () => {
  const before = ['function f() {', '  for (a) {', '    x()', '    if (b) {', '      y()', '      z()']
  const after = [...before.slice(0, -1), '      new()']
  expect(between(before, after)).toEqual([
    '  for (a) {',
    '⋯',
    '    if (b) {',
    '      y()',
    '-      z()',
    '+      new()',
  ])
})

it('takes an empty line for no change', () => {
  expect(between(['a', '', 'b', 'c'], ['a', 'b', 'd'])).toEqual(['b', '-c', '+d'])
})

const withMend = lessons.filter(({ id }) => rungsOf(id) > 0)

it.each(withMend.map(({ id }) => id))('%s: its lines are those of its first rung', async (id) => {
  const { start, reference, words } = await mendOf(id, 1)
  const shown = questionMends[id]
  expect(shown?.title).toBe(words.title)
  const of = (...signs: readonly string[]) =>
    (shown?.lines ?? []).flatMap((row) => (row && signs.includes(row.sign) ? [textOf([row.line])] : []))
  expect(of('-', '+')).not.toEqual([])
  for (const [text, lines] of [
    [start, of('', '-')],
    [reference, of('', '+')],
  ] as const) {
    const all = text.split('\n')
    let at = -1
    // In their order.
    for (const line of lines) {
      at = all.indexOf(line, at + 1)
      expect(at, line).toBeGreaterThanOrEqual(0)
    }
  }
})
