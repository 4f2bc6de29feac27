/**
 * Files of words: what a good one comes to, and that a bad one is refused with the line that is at
 * fault.
 */
import type { ExperimentWords } from '../../src/lessons/lesson'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lessons } from '../../src/lessons/testing/catalog'
import { readLessons } from '../words-md'
import { readBlocks } from './blocks'
import { parseLesson } from './lesson'
import { namesOf } from './named'
import { parseSections } from './sections'
import {
  metric,
  ms,
  recording,
  all,
  any,
  not,
  reason,
  software,
  timestamps,
  pair,
} from '../../src/text/define-figures'
import { NO_FACTS } from '../../src/text/facts'
import type { Recordings } from '../../src/text/recorded'
import { expectFault, faultsIn, fixture, takesOrRefuses } from './testing/fault'
import { NO_NAMES, NO_RECORDINGS } from './testing/no-recordings'

const ORIGIN = { device: 'A GPU', date: '2026-11-24' }
/** There is one, `one`, and `some`: the lesson's own run. */
const RECORDINGS: Recordings = {
  figure: (file, ...more) =>
    file === 'one' ? { value: 5, low: 4, high: 6, unit: 'ms' } : NO_RECORDINGS.figure(file, ...more),
  origin: (file) => (file === 'one' || file === 'some' ? ORIGIN : NO_RECORDINGS.origin(file)),
  facts: (file) => (file === 'some' ? NO_FACTS : NO_RECORDINGS.facts(file)),
}

const GOOD = fixture('lesson.md')
const some = recording('one')('some-ms')
const NAMES = namesOf({
  figures: {
    some,
    once: some.over(some),
    gone: recording('two')('some-ms'),
    quicker: metric('step-ms')('serial').below(some),
    blind: all(not(software), not(timestamps)),
    asItsReason: reason('a-reason'),
  },
  evidence: { waits: pair(some, some) },
})
const parseAny = (text: string) => parseLesson(text, 'some/lesson.md', 'some', RECORDINGS, NAMES)
function parse(text: string): ExperimentWords {
  const words = parseAny(text)
  if (words.kind !== 'experiment') throw new Error('It is of profiles.')
  return words
}
const OF_PROFILES = fixture('profiles.md')

describe('a lesson of profiles', () => {
  it('is read whole', () => {
    expect(parseAny(OF_PROFILES)).toEqual({
      kind: 'profiles',
      number: 14,
      question: 'What is wrong?',
      measures: 'Much.',
      minutes: 9,
      part: null,
      recommended: '',
      objectives: ['Say this.', 'Do that.'],
      mends: [],
      intro: ['Words.'],
      ask: '',
      prediction: {
        question: 'How much?',
        unit: '%',
        min: 0,
        max: 100,
        step: 1,
        start: 50,
        scale: 100,
        ends: ['none', 'all'],
        result: 'of it.',
      },
      shown: { recording: 'one', rank: 1 },
      profiles: [
        { recording: 'one', script: 'a.py' },
        { recording: 'two', script: 'b.py' },
      ],
      explanation: [{ text: 'It was 5 ms.', picture: null, more: [] }],
      suspects: {
        'a.py': [
          { name: 'method', code: 'y = 1', words: 'It does this.' },
          { name: 'none', code: '', words: 'Look again.' },
        ],
        'b.py': [{ name: 'f', code: 'x = f(2)', words: 'It does that.' }],
      },
      inPyTorch: [{ text: 'There.', picture: null, more: [] }],
      cannot: [{ text: 'Not this.', picture: null, more: [] }],
      quiz: [],
      quoted: [],
      sources: [{ label: 'A label', url: 'https://example.org/' }],
    })
  })

  it.each([
    ['a line without words', '- `f` `x = f(2)` It does that.', '- `f` `x = f(2)`', 'A line reads'],
    ['a function without its line', '- `f` `x = f(2)` It does that.', '- `f` It does that.', 'A line reads'],
    ['a section of the other kind', '## Cannot', '## Steps', "'Steps' is none of"],
    ['a field of the other kind', 'minutes: 9', 'minutes: 9\nvalues: { a: 1 }', "'values' is not known"],
    ['no list of profiles', 'scripts:', 'script:', "'scripts' is missing"],
  ])('%s is a fault', (_, good, bad, message) => {
    expect(OF_PROFILES).toContain(good)
    expect(() => parseAny(OF_PROFILES.replace(good, bad))).toThrow(message)
  })
})

describe('a lesson', () => {
  it.each(['×', 'times'])('says a factor of PyTorch in %s', (unit) => {
    const asked = GOOD.replace('unit: ms', `unit: ${unit}`).replace('figure: some', 'figure: once')
    expect(parse(asked).prediction.pytorch).toMatchObject({ text: `1 ${unit}`, onScale: 1 })
  })

  it('is read whole', () => {
    const words = parse(GOOD)
    expect(words).toMatchObject({ number: 3, experiment: 'some', values: { steps: 8, rings: ['1', '2'] } })
    expect(words.prediction).toMatchObject({
      metric: { name: 'step-ms', variant: 'serial' },
      min: 0,
      max: 10,
    })
    expect(words.prediction.result).toBe('a step took.')
    expect(words.prediction.pytorch).toEqual({
      text: '5 ms',
      onScale: 5,
      words: 'in PyTorch, 5 ms.',
      origin: ORIGIN,
    })
    expect(words.ask).toBe('y = f(x)\n')
    expect(words.excerpt).toEqual({
      variants: ['serial'],
      steps: 3,
      isSteady: true,
      staging: true,
      figure: 'step-ms',
      words: 'takes',
    })
    expect(words.intro).toEqual([
      'The introduction in two lines, with *emphasis* and `code_with_bars_in_it`.',
      {
        when: {
          op: 'all',
          of: [
            { op: 'not', of: { op: 'software' } },
            { op: 'not', of: { op: 'timestamps' } },
          ],
        },
        text: 'Only sometimes.',
        otherwise: 'Else that.',
      },
    ])
    expect(words.steps).toEqual([
      {
        id: 'run',
        heading: 'Run it',
        text: ['First this.'],
        action: { label: 'Run all', values: {}, run: true },
        compare: [],
        lookFor: ['Where?', { when: { op: 'reason', reason: 'a-reason' }, text: 'There.' }],
      },
      {
        id: 'dial',
        heading: 'Turn a dial',
        text: ['Then that.'],
        action: { label: 'Two rings', values: { rings: ['2'] }, run: true, dial: 'rings' },
        compare: [
          { name: 'step-ms', variant: 'serial' },
          { name: 'total-ms', variant: '' },
        ],
        guess: {
          name: 'total-ms',
          variant: '',
          question: 'Is it longer?',
          answers: { more: 'longer', same: 'as long', less: 'shorter' },
          than: { name: 'step-ms', variant: 'serial' },
        },
        chart: 'time-by-rings',
        show: { steps: 2, variants: ['serial', 'ring'] },
        before: ['serial', 'old-ring'],
      },
    ])
    expect(words.quiz).toEqual([
      {
        id: 'why-so',
        question: 'Why?',
        premise: {
          when: {
            op: 'below',
            left: { is: 'metric', name: 'step-ms', variant: 'serial' },
            right: { is: 'number', value: 5, low: 4, high: 6, unit: 'ms' },
          },
          recorded: { ...ORIGIN, facts: NO_FACTS },
        },
        options: [
          {
            text: 'Because.',
            correct: true,
            explanation: ['It is so.', { when: { op: 'outcome', is: 'shown' }, text: 'As your run shows.' }],
          },
          {
            text: 'For another reason.',
            correct: false,
            explanation: ['No, it is not.'],
            misconception: 'M1',
          },
        ],
      },
    ])
    expect(words.tryNext).toEqual([
      { label: 'More steps', values: { steps: 16, kernel: 'naive' }, why: 'And why that is worth it.' },
    ])
    expect(words.sources).toEqual([{ label: 'A label', url: 'https://example.org/a_b' }])
  })

  it.each(faultsIn('lesson.faults'))('is refused for $what', ({ spoilt }) => expectFault(parse, GOOD, spoilt))

  it('is taken or refused with a line, whatever is cut out of it', () => takesOrRefuses(parse, GOOD))
})

describe('the blocks', () => {
  it('lose no word', () => {
    const line = fc.constantFrom('', 'a b', '> a', '- a', '  a', '### a', '{when shown} a')
    fc.assert(
      fc.property(fc.array(line), (texts) => {
        const words = (text: string) => text.replaceAll(/[^ab]/g, '')
        const found = readBlocks(texts.join('\n'), 'f')
          .map((block) =>
            block.type === 'item'
              ? block.paragraphs.map(({ text }) => text).join(' ')
              : block.type === 'table'
                ? [
                    block.table.caption,
                    ...block.table.columns.map(({ head }) => head),
                    ...block.table.rows.flat(),
                  ].join(' ')
                : block.text,
          )
          .join(' ')
        expect(words(found)).toBe(words(texts.join('\n')))
      }),
    )
  })
})

it('an apostrophe is shown as one, outside code and expressions', () => {
  const typed = "The GPU's clock, `it's`, {when a of x'y > 1}, 'quoted'."
  expect(readBlocks(typed, 'f')).toMatchObject([{ text: typed.replace("GPU's", 'GPU’s') }])
})

describe('tables', () => {
  const CAPTION = 'Table: What _it_ is.'
  const at = (lines: readonly string[]) => readBlocks([...lines, ''].join('\n'), 'some/lesson.md')
  const TABLE = [CAPTION, '', '| A | `b` |', '| --- | --: |', '| one | **1** |', '| two | [2](https://c.d) |']

  it('have a caption, heads with their alignment, and rows of inline markup', () => {
    expect(at(['Before.', '', ...TABLE, '', 'After.'])).toEqual([
      expect.objectContaining({ type: 'paragraph', text: 'Before.' }),
      {
        type: 'table',
        line: 5,
        table: {
          caption: 'What *it* is.',
          columns: [
            { head: 'A', align: 'start' },
            { head: '`b`', align: 'end' },
          ],
          rows: [
            ['one', '**1**'],
            ['two', '[2](https://c.d)'],
          ],
        },
      },
      expect.objectContaining({ type: 'paragraph', text: 'After.' }),
    ])
  })

  it('take a bar that is escaped, all three alignments, and an end of the file', () => {
    const [block] = at([CAPTION, '', '| A | B | C |', '| :-: | :-- | --: |', '| a \\| b | `x \\| y` | _c_ |'])
    expect(block).toMatchObject({
      table: {
        columns: [{ align: 'center' }, { align: 'start' }, { align: 'end' }],
        rows: [['a | b', '`x | y`', '*c*']],
      },
    })
  })

  it.each([
    ['no caption', TABLE.slice(2), 1, 'Before a table'],
    ['a paragraph that is none', ['Words.', ...TABLE.slice(1)], 3, 'Before a table'],
    ['a caption of no table', [CAPTION, '', 'Words.'], 1, 'A table follows'],
    ['no rows', TABLE.slice(0, 4), 3, 'and rows'],
    ['no line below the heads', TABLE.toSpliced(3, 1), 4, 'Below the heads'],
    ['a cell too few', TABLE.with(4, '| one |'), 5, 'has 1 cells'],
    ['a cell too many', TABLE.with(5, '| a | b | c |'), 6, 'has 3 cells'],
    ['a row that is open', TABLE.with(4, '| one | 1'), 5, "ends in '|'"],
    ['a cell with nothing', TABLE.with(4, '| one | |'), 5, 'is empty'],
    ['alignments too few', TABLE.with(3, '| --- |'), 4, 'has 1 cells'],
  ])('are refused with %s', (_, lines, line, what) => {
    expect(() => at(lines)).toThrow(`some/lesson.md:${String(line)}: `)
    expect(() => at(lines)).toThrow(what)
  })
})

describe('sections', () => {
  it('have an id and paragraphs', () => {
    expect(parseSections('## A word {#a-word}\n\nOne.\n\nTwo.\n', 'f', NO_NAMES, NO_RECORDINGS)).toEqual([
      { id: 'a-word', heading: 'A word', text: ['One.', 'Two.'] },
    ])
  })
  it('may stand in groups', () => {
    expect(
      parseSections('## One\n\n### A {#a}\n\nText.\n\n## Two\n\n### B {#b}\n', 'f', NO_NAMES, NO_RECORDINGS),
    ).toEqual([
      { id: 'a', heading: 'A', group: 'One', text: ['Text.'] },
      { id: 'b', heading: 'B', group: 'Two', text: [] },
    ])
  })
  it.each([
    ['## A word\n', 1],
    ['## A word\n\nText.\n', 1],
    ['## A group\n\n## B {#b}\n', 3],
    ['### A {#a}\n', 1],
    ['## One\n\n### A {#a}\n\n## Two\n', 5],
    ['## A {#a}\n\n## B {#a}\n', 3],
    ['stray\n', 1],
    ['## A {#a}\n\n- item\n', 3],
    ['## A {#a}\n\n{when shown} It is so.\n', 3],
    ['## A {#a}\n\n{when ofRun} It is so.\n', 3],
    ['## A {#a}\n\nIt takes {ofRun}.\n', 3],
  ])('%j is refused', (text, line) => {
    const step = metric('step-ms')('a')
    const names = namesOf({ figures: { ofRun: text.includes('{when') ? step.below(ms(2)) : step } })
    expect(() => parseSections(text, 'f', names, NO_RECORDINGS)).toThrow(`f:${String(line)}:`)
  })
})

describe('sections with more than words', () => {
  const read = (text: string, can: 'code' | 'tables') =>
    parseSections(text, 'f', NO_NAMES, NO_RECORDINGS, can)
  const CODE = '## A {#a}\n\nText.\n\n```python\n# No heading\nx = 1\n```\n\nMore.\n'
  const TABLE = '## A {#a}\n\nTable: Links.\n\n| Link | Rate |\n| --- | --: |\n| PCIe | 63 |\n'

  it('may have one block of code each', () => {
    expect(read(`${CODE}\n## B {#b}\n\nText.\n`, 'code')).toEqual([
      {
        id: 'a',
        heading: 'A',
        text: ['Text.', 'More.'],
        code: { language: 'py', text: '# No heading\nx = 1' },
      },
      { id: 'b', heading: 'B', text: ['Text.'] },
    ])
  })
  it('may have tables', () =>
    expect(read(TABLE, 'tables')[0]?.text).toMatchObject([{ caption: 'Links.', rows: [['PCIe', '63']] }]))
  it.each([
    [CODE, 'tables', 5],
    [TABLE, 'code', 5],
    ['```python\nx\n```\n\n## A {#a}\n', 'code', 1],
    ['## A {#a}\n\n```c\nx\n```\n', 'code', 3],
    ['## A {#a}\n\n```js\nx\n', 'code', 3],
    ['## A {#a}\n\n```js\nx\n```\n\n```js\ny\n```\n', 'code', 7],
  ] as const)('%j is refused where %s may stand', (text, can, line) =>
    expect(() => read(text, can)).toThrow(`f:${String(line)}:`),
  )
})

describe('sections that quote recordings', () => {
  const figure = (_file: string, name: string) => {
    const value = Number.parseInt(name.slice(1), 10)
    const whole = name.startsWith('p') ? { low: null, high: null } : { low: value - 1, high: value + 1 }
    return { name, variant: 'v', value, ...whole, unit: 'ms' as const }
  }
  const one = recording('one')
  const [a3, a5, a6, a8, a9] = [one('a3Ms'), one('a5Ms'), one('a6Ms'), one('a8Ms'), one('a9Ms')]
  const names = namesOf({
    figures: {
      a5,
      a8,
      apart: a5.below(a8),
      less: a5.below(a6),
      alike: a5.overlaps(a6),
      open: one('p5Ms').below(one('p6Ms')),
      neither: any(not(a9.over(a3).atLeast(2)), a9.atLeast(ms(10))),
    },
  })
  const read = (text: string) => parseSections(`## A {#a}\n\n${text}\n`, 'f', names, { figure })[0]?.text

  it('decide conditions over whole intervals, and have no paragraph where none holds', () => {
    expect(read('It took {a5}.\n{when apart} That is less than {a8}.')).toEqual([
      'It took 5 ms. That is less than 8 ms.',
    ])
    expect(read('{when less} Less.\n{else when alike} As much.')).toEqual(['As much.'])
    expect(read('{when open} Less.\n{else when not open} Not.'), 'an unknown end leaves it open').toEqual([])
    expect(read('{when neither} No.\n\nAnd.')).toEqual(['And.'])
  })
})

describe('the folder of lessons', () => {
  it('is read by the home page as the lessons themselves are', async () => {
    expect((await readLessons()).map(({ id, question }) => [id, question])).toEqual(
      lessons.map(({ id, question }) => [id, question]),
    )
  })
})
