import { expect, it } from 'vitest'
import { all, ran } from '../../src/text/define-conditions'
import { metric, recording, word } from '../../src/text/define-figures'
import { filesQuoted, namesOf, unsaid } from './named'

const step = metric('step-ms')('a')
const [one, two] = [recording('one')('some-ms'), recording('two')('some-ms')]
const FIGURES = {
  step,
  slower: step.below(one),
  both: all(ran, two.below(one)),
  often: word('often'),
  ratio: one.over(two).as('times'),
}

it('a figure is said in braces, in the heading of a rule, or in front matter, and nowhere else', () => {
  expect(
    unsaid({ figures: FIGURES }, ['{step}, {when not slower}', '### a: shown when both', '  figure: ratio']),
  ).toEqual(['often'])
  expect(
    unsaid({ figures: FIGURES }, ['{bars often: step; Else: ratio}', 'slower', '{else when both}']),
  ).toEqual(['slower'])
})

it('names are of conditions, of figures, or of words', () => {
  const names = namesOf({ figures: FIGURES })
  expect(names.condition('not slower')).toEqual({ op: 'not', of: FIGURES.slower })
  expect(names.condition('software')).toEqual({ op: 'software' })
  expect(names.quoted('step')).toEqual({ figure: step.figure })
  expect(names.quoted('ratio')).toMatchObject({ as: 'times' })
  expect(names.quoted('$often')).toEqual({ word: 'often' })
  expect(() => names.condition('toString')).toThrow('no condition')
  expect(() => names.quoted('both')).toThrow('no figure')
})

it('a metric and a recording that are exported are said with what is wanted of them', () => {
  const [time, some] = [metric('time-ms'), recording('some')]
  const defined = { figures: {}, time, some }
  const { quoted, quotationsOf } = namesOf(defined)
  expect(quoted('time')).toEqual({ figure: time().figure })
  expect(quoted('time $often as us')).toEqual({ figure: time('$often').figure, as: 'us' })
  expect(quoted('some points[n=2].aMs')).toEqual({ figure: some('points[n=2].aMs').figure })
  expect(() => quoted('time a as long')).toThrow("'long' is no format")
  expect(() => quoted('tim a')).toThrow('no figure')
  expect(quotationsOf('some a')).toMatchObject([{ file: 'some', figure: 'a' }])
  expect(filesQuoted(defined)).toEqual(['some'])
  expect(unsaid(defined, ['{time a}, some'])).toEqual(['some'])
})

it('recordings are found in figures and in conditions', () => {
  expect(filesQuoted({ figures: FIGURES }).toSorted()).toEqual(['one', 'one', 'one', 'two', 'two'])
  const { quotationsOf } = namesOf({ figures: FIGURES })
  expect(quotationsOf('ratio')).toMatchObject([{ file: 'one' }, { file: 'two' }])
  expect(quotationsOf('nothing')).toEqual([])
})
