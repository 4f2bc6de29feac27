/** Files of rules: what a good one comes to, and that a bad one is refused with the line that is at fault. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCondition } from './condition'
import { expectFault, takesOrRefuses } from './testing/fault'
import { NO_RECORDINGS } from './testing/no-recordings'
import { parseVerdict } from './verdict'

const GOOD = `# What a run shows

Words for readers.

## Bounds

- enough = 1.5: below this nobody would notice.
- seldom = 1 / 4: less often than this.

## Conditions

- faster = a-ms x below a-ms y and
  not software

## Passages

### took

{$fastest} took {a-ms x}

### why

It is so.
{when faster} {>took}, of course.
{else when a-ms x / a-ms y at least enough} It is _not_ {b-ratio x | about}.
{else} It is open.

### drawn

So.

{show 2 steps of x, y}

## Rules

### it-is: shown when faster and (b-ratio x less than seldom or param read is item)

> Here {>took} and {a-ms y}.
> {when measured b-ratio x} Only then.
> Always.

{>why} Last.

{bars With x: a-ms x}

> Besides.

{>drawn}

### no-answer: inconclusive when always

> Nothing.
`
const BARS = '{bars With x: a-ms x}'
const parse = (text: string) => parseVerdict(text, 'some/verdict.md', NO_RECORDINGS.figure)

describe('a verdict', () => {
  it('is read whole', () => {
    const why = [
      'It is so.',
      {
        when: {
          op: 'all',
          of: [
            { op: 'below', left: 'a-ms x', right: 'a-ms y' },
            { op: 'not', of: { op: 'software' } },
          ],
        },
        text: '{$fastest} took {a-ms x}, of course.',
        otherwise: {
          when: { op: 'at-least', what: 'a-ms x / a-ms y', bound: '1.5', edge: 'value' },
          text: 'It is *not* {b-ratio x | about}.',
          otherwise: 'It is open.',
        },
      },
    ]
    const faster = {
      op: 'all',
      of: [
        { op: 'below', left: 'a-ms x', right: 'a-ms y' },
        { op: 'not', of: { op: 'software' } },
      ],
    }
    expect(parse(GOOD)).toEqual([
      {
        reason: 'it-is',
        outcome: 'shown',
        when: {
          op: 'all',
          of: [
            faster,
            {
              op: 'any',
              of: [
                { op: 'less-than', what: 'b-ratio x', bound: '0.25', edge: 'value' },
                { op: 'param', name: 'read', value: 'item' },
              ],
            },
          ],
        },
        text: [
          'Here {$fastest} took {a-ms x} and {a-ms y}.',
          { when: { op: 'all', of: [{ op: 'measured', what: 'b-ratio x' }] }, text: 'Only then.' },
          'Always.',
        ],
        explain: [
          {
            text: [why, 'Last.'],
            picture: { kind: 'bars', bars: [{ label: 'With x', value: 'a-ms x' }] },
            more: ['Besides.'],
          },
          { text: 'So.', picture: { kind: 'strips', steps: 2, variants: ['x', 'y'] }, more: [] },
        ],
      },
      { reason: 'no-answer', outcome: 'inconclusive', when: { op: 'always' }, text: 'Nothing.', explain: [] },
    ])
  })

  it('has flows of places, with a way between each two', () => {
    const flow = '{flow From; [[host:by hand]]: a-ms x / a-ms y; Half-way; unseen; To}'
    expect(parse(GOOD.replace(BARS, flow))[0]?.explain[0]?.picture).toEqual({
      kind: 'flow',
      from: 'From',
      ways: [
        { label: '[[host:by hand]]', value: 'a-ms x / a-ms y', to: 'Half-way' },
        { label: 'unseen', value: null, to: 'To' },
      ],
    })
  })

  // [what is wrong, the text that is replaced (its last occurrence), by what, the text of the line at fault, what the fault says]
  it.each([
    ['no title', '# What a run shows\n', '', '', 'begins with a title'],
    ['a section of another name', '## Bounds', '## Limits', '## Limits', 'none of Bounds'],
    ['a bound without a reason', ': less often than this', '', '- seldom', 'why so much'],
    ['a bound that is no number', '= 1.5', '= much', '- enough', 'why so much'],
    ['a bound that nothing uses', 'less than seldom', 'less than 1', '- seldom', 'Nothing uses'],
    [
      'a bound that is not there',
      'at least enough',
      'at least plenty',
      'at least plenty',
      "'plenty' is neither",
    ],
    [
      'a condition twice',
      '## Passages',
      '- faster = software\n\n## Passages',
      '- faster = software',
      'twice',
    ],
    ['a comparison that is none', 'a-ms x below', 'a-ms x beneath', '- faster', "after 'a-ms x'"],
    ['a condition cut off', 'less than seldom or', 'less than', '### it-is', 'neither a number nor a bound'],
    ['a bracket without partner', 'is item)', 'is item', '### it-is', "')' is missing"],
    ['words that are too much', 'is item)', 'is item) software', '### it-is', "'software' is too much"],
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
      '{when measured b-ratio x} Only then.',
      '{when software} Only\n> then.',
      '{when software} Only',
      'ends with',
    ],
    ['an else without when', '{when measured b-ratio x} Only', '{else} Only', '{else} Only', 'Before {else}'],
    [
      'an else after an else',
      '{else} It is open.',
      '{else} It is open.\n{else} Or not.',
      'Or not.',
      'Before {else}',
    ],
    ['a condition for nothing', '} Only then.', '}', '{when measured', 'before the words'],
    ['a condition badly written', '{else when a-ms x /', '{else if a-ms x /', '{else if', 'reads {when'],
    ['a figure that is none', '{a-ms y}', '{A-ms y}', '{A-ms y}', 'no metric'],
    ['a format that is none', '| about', '| roughly', '| roughly', 'unknown format'],
    ['a brace alone', '{a-ms y}', '{a-ms y', 'Here', 'no partner'],
    ['an outcome of no kind', ': shown when', ': seen when', '### it-is', 'A rule reads'],
    ['a rule without its verdict', '> Nothing.', 'Nothing.', '### no-answer', 'as a quote'],
    ['more of no card', '> Nothing.', '> Nothing.\n\n> Again.', '> Again.', 'begins with a paragraph'],
    ['a second picture', '> Besides.', '{show 2 steps of x}', '{show 2 steps of x}', 'one picture'],
    ['a bar without a label', 'With x: a-ms x', 'a-ms x', '{bars', 'A bar reads'],
    ['a flow without a way', BARS, '{flow From; To}', '{flow', 'between each two'],
    ['a flow that ends on its way', BARS, '{flow From; by: a-ms x; To; on}', '{flow', 'between each two'],
    ['a figure of a place', BARS, '{flow From: a-ms x; by: a-ms x; To}', '{flow', 'no figure'],
    ['a place without words', BARS, '{flow From; by: a-ms x;  }', '{flow', 'has its words'],
    ['a flow that measures nothing', BARS, '{flow From; by; To}', '{flow', 'one way at least'],
    ['a way of no expression', BARS, '{flow From; by: a-ms x /; To}', '{flow', 'ends too early'],
    ['a rule twice', 'no-answer: inconclusive', 'it-is: inconclusive', '### it-is: inc', 'twice'],
    ['no rule that always holds', 'when always', 'when software', '### no-answer', 'The last rule'],
    [
      'a rule after the one that always holds',
      'faster and (b-ratio x less than seldom or param read is item)',
      'always',
      '### it-is',
      'The last rule',
    ],
    ['no rules', GOOD.slice(GOOD.indexOf('## Rules')), '', '', 'Nothing uses'],
  ])('is refused for %s', (_, ...spoilt) => {
    expectFault(parse, GOOD, spoilt)
  })

  it('is taken or refused with a line, whatever is cut out of it', () => {
    const lines = GOOD.split('\n')
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.nat(8), (from, count) => {
        takesOrRefuses(parse, lines.toSpliced(from, count).join('\n'))
      }),
    )
  })
})

describe('a condition', () => {
  const known = { bound: () => undefined, condition: () => undefined }
  it.each([
    [
      'measured a, b x, c / d',
      { op: 'all', of: ['a', 'b x', 'c / d'].map((what) => ({ op: 'measured', what })) },
    ],
    ['(a + b x) / c overlaps d', { op: 'overlaps', left: '(a + b x) / c', right: 'd' }],
    ['min(a x, b) below (c)', { op: 'below', left: 'min(a x, b)', right: '(c)' }],
    ['a surely at least 2', { op: 'at-least', what: 'a', bound: '2', edge: 'low' }],
    ['a surely less than 0.5', { op: 'less-than', what: 'a', bound: '0.5', edge: 'high' }],
    ['param.steps at least 1', { op: 'at-least', what: 'param.steps', bound: '1', edge: 'value' }],
    ['param steps is 8', { op: 'param', name: 'steps', value: 8 }],
    [
      'not (a below b or software) and always',
      {
        op: 'all',
        of: [
          { op: 'not', of: { op: 'any', of: [{ op: 'below', left: 'a', right: 'b' }, { op: 'software' }] } },
          { op: 'always' },
        ],
      },
    ],
  ])('%s', (text, condition) => {
    expect(parseCondition(text, known)).toEqual(condition)
  })
})
