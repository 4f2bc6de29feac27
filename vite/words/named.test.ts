import { expect, it } from 'vitest'
import { metric, recording, word, all, ran } from '../../src/text/define-figures'
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
  expect(['often', 'step', 'every-step'].map(names.label)).toEqual(['$often', 'step', 'every-step'])
  expect(() => names.condition('toString')).toThrow('no condition')
  expect(() => names.quoted('both')).toThrow('no figure')
})

it('recordings are found in figures and in conditions', () => {
  expect(filesQuoted({ figures: FIGURES }).toSorted()).toEqual(['one', 'one', 'one', 'two', 'two'])
  expect(namesOf({ figures: FIGURES }).filesOf('ratio')).toEqual(['one', 'two'])
  expect(namesOf({ figures: FIGURES }).filesOf('nothing')).toEqual([])
})
