/**
 * Files of rules: what a good one comes to, and that a bad one is refused with the line that is at
 * fault.
 */
import { describe, expect, it } from 'vitest'
import { metric, word, all, any, measured, not, software } from '../../src/text/define-figures'
import { namesOf } from './named'
import { expectFault, faultsIn, fixture, takesOrRefuses } from './testing/fault'
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

  it.each(faultsIn('verdict.faults'))('is refused for $what', ({ spoilt }) =>
    expectFault(parse, GOOD, spoilt),
  )

  it('is taken or refused with a line, whatever is cut out of it', () => takesOrRefuses(parse, GOOD))
})
