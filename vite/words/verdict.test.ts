/** Files of rules: what a good one comes to, and that a bad one is refused with the line that is at fault. */
import { describe, expect, it } from 'vitest'
import { all, any, measured, not, software } from '../../src/text/define-conditions'
import { metric, word } from '../../src/text/define-figures'
import { namesOf } from './named'
import { expectFault, fixture, takesOrRefuses } from './testing/fault'
import { NO_RECORDINGS } from './testing/no-recordings'
import { parseVerdict } from './verdict'

const GOOD = fixture('verdict.md')
const BARS = '{bars With x: ax}'
const a = metric('a-ms')
const b = metric('b-ratio')('x')
const faster = all(a('x').below(a('y')), not(software))
const enough = a('x').over(a('y')).atLeast(1.5)
const hasShare = measured(b)
const itIs = any(faster, b.lessThan(0.25))
const NAMES = namesOf({
  figures: {
    ax: a('x'),
    ay: a('y'),
    rate: a('x').over(a('y')),
    share: b.as('about'),
    fastest: word('fastest'),
    faster,
    enough,
    hasShare,
    itIs,
  },
})
const parse = (text: string) => parseVerdict(text, 'some/verdict.md', NAMES, NO_RECORDINGS.figure)
const [ax, ay] = [{ figure: a('x').figure }, { figure: a('y').figure }]

describe('a verdict', () => {
  it('is read whole', () => {
    const took = [word('fastest'), ' took ', ax]
    const why = [
      'It is so.',
      {
        when: faster,
        text: { parts: [...took, ', of course.'] },
        otherwise: {
          when: enough,
          text: { parts: ['It is *not* ', { figure: b.figure, as: 'about' }, '.'] },
          otherwise: 'It is open.',
        },
      },
    ]
    expect(parse(GOOD)).toEqual([
      {
        reason: 'it-is',
        outcome: 'shown',
        when: itIs,
        text: [
          { parts: ['Here ', ...took, ' and ', ay, '.'] },
          { when: hasShare, text: 'Only then.' },
          'Always.',
        ],
        explain: [
          {
            text: [why, 'Last.'],
            picture: { kind: 'bars', bars: [{ label: 'With x', value: a('x').figure }] },
            more: ['Besides.'],
          },
          { text: 'So.', picture: { kind: 'strips', steps: 2, variants: ['x', 'y'] }, more: [] },
        ],
      },
      { reason: 'no-answer', outcome: 'inconclusive', when: { op: 'always' }, text: 'Nothing.', explain: [] },
    ])
  })

  it('has flows of places, with a way between each two', () => {
    const flow = '{flow From; [[host:by hand]]: rate; Half-way; unseen; To}'
    expect(parse(GOOD.replace(BARS, flow))[0]?.explain[0]?.picture).toEqual({
      kind: 'flow',
      from: 'From',
      ways: [
        { label: '[[host:by hand]]', value: a('x').over(a('y')).figure, to: 'Half-way' },
        { label: 'unseen', value: null, to: 'To' },
      ],
    })
  })

  // [what is wrong, the text that is replaced (its last occurrence), by what, the text of the line at fault, what the fault says]
  it.each([
    ['no title', '# What a run shows\n', '', '', 'begins with a title'],
    ['a passage that is not there', '{>why}', '{>how}', '{>how}', "no passage 'how'"],
    ['a passage that stands below', '{>took}, of', '{>why}, of', '{>why}, of', "no passage 'why'"],
    ['a passage of two paragraphs', 'It is open.', 'It is open.\n\nMore.', 'More.', 'one paragraph'],
    ['a passage that nothing uses', '{>why} Last', 'Last', '### why', 'Nothing uses'],
    [
      'a passage with conditions amid a sentence',
      '{>why} Last',
      'So {>why} Last',
      'So {>why}',
      'ends with its sentence',
    ],
    [
      'a line that goes on',
      '{when hasShare} Only then.',
      '{when software} Only\n> then.',
      '{when software} Only',
      'ends with',
    ],
    ['an else without when', '{when hasShare} Only', '{else} Only', '{else} Only', 'Before {else}'],
    [
      'an else after an else',
      '{else} It is open.',
      '{else} It is open.\n{else} Or not.',
      'Or not.',
      'Before {else}',
    ],
    ['a brace alone', '{ay}', '{ay', 'Here', 'no partner'],
    ['an outcome of no kind', ': shown when', ': seen when', '### it-is', 'A rule reads'],
    ['a rule without its verdict', '> Nothing.', 'Nothing.', '### no-answer', 'as a quote'],
    ['more of no card', '> Nothing.', '> Nothing.\n\n> Again.', '> Again.', 'begins with a paragraph'],
    ['a second picture', '> Besides.', '{show 2 steps of x}', '{show 2 steps of x}', 'one picture'],
    ['a bar without a label', 'With x: ax', 'ax', '{bars', 'A bar reads'],
    ['a bar of a bare number', 'With x: ax', '8: ax', '{bars', 'what the bar is of'],
    ['a flow without a way', BARS, '{flow From; To}', '{flow', 'between each two'],
    ['a figure of a place', BARS, '{flow From: ax; by: ax; To}', '{flow', 'no figure'],
    ['a place without words', BARS, '{flow From; by: ax;  }', '{flow', 'has its words'],
    ['a flow that measures nothing', BARS, '{flow From; by; To}', '{flow', 'one way at least'],
    ['a way of no figure', BARS, '{flow From; by: aw; To}', '{flow', 'no figure'],
    ['a bar of a word', BARS, '{bars With x: fastest}', '{bars', 'is a word'],
    ['a rule twice', 'no-answer: inconclusive', 'it-is: inconclusive', '### it-is: inc', 'twice'],
    [
      'no rule that always holds',
      'inconclusive',
      'inconclusive when software',
      '### no-answer',
      'The last rule',
    ],
    ['a rule after the one that always holds', ' when itIs', '', '### it-is', 'The last rule'],
    ['no rules', GOOD.slice(GOOD.indexOf('## Rules')), '', '', 'Nothing uses'],
  ])('is refused for %s', (_, ...spoilt) => expectFault(parse, GOOD, spoilt))

  it('is taken or refused with a line, whatever is cut out of it', () => takesOrRefuses(parse, GOOD))
})
