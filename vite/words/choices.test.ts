import { describe, expect, it } from 'vitest'
import { parseChoices } from './choices'
import { recording } from '../../src/text/define-figures'
import { namesOf } from './named'
import { NO_RECORDINGS } from './testing/no-recordings'
import { expectFault, fixture, takesOrRefuses } from './testing/fault'

const FILE = 'some/choices.md'
const SCRIPT = fixture('script.py')
const parse = (source: string) =>
  parseChoices(source, FILE, {
    lesson: 'some',
    names: namesOf({ figures: { isIdle: recording('torch-some-mended')('busy-ratio').lessThan(1) } }),
    textOf: (script) => (script === 'some.py' ? SCRIPT : undefined),
    isRecorded: (file) => /^torch-some-(?:stalled|mended|on-stream|made)\.json\.gz$/.test(file),
    recordings: NO_RECORDINGS,
  })

const GOOD = fixture('choices.md')

describe('choices.md', () => {
  it('takes the loop and its open place from the script that recorded them', () => {
    expect(parse(GOOD)).toEqual({
      question: 'which one?',
      script: 'some.py',
      intro: ['Each step multiplies.'],
      before: ['for step in range(16):', '    c.addmm_(a, b)'],
      open: [['c[0, 0].item()'], []],
      after: ['    log()'],
      choices: [
        { label: 'Read it', file: 'torch-some-stalled.json.gz', why: ['It waits.'] },
        { label: 'Read nothing', file: 'torch-some-mended.json.gz', why: ['It does not.'] },
      ],
    })
  })

  it('finds the function of a choice under another name, and keeps what is indented within it', () => {
    const { before, open, after } = parse(`${GOOD}\n## On a stream {#on-stream}\n\nIt may.\n`)
    expect(before).toEqual(['for step in range(16):'])
    expect(open).toEqual([
      ['c.addmm_(a, b)', 'c[0, 0].item()'],
      ['c.addmm_(a, b)'],
      ['with stream:', '    c.addmm_(a, b)'],
    ])
    expect(after).toEqual(['    log()'])
  })

  it.each([
    ['{#mended}', '{#unknown}', '{#unknown}', "no recording 'torch-some-unknown.json.gz'"],
    ['{#mended}', '', '## Read nothing', 'ends in its id'],
    ['some.py', 'none.py', '', "no script 'none.py'"],
    ['{#mended}', '{#stalled}', '## Read nothing', 'twice'],
    ['{#mended}', '{#made}', '{#made}', 'no function of a step'],
    ['It does not.', '', '{#mended}', 'Nothing is said'],
    ['It does not.', '{when isIdle} No.', '{when', 'no recording'],
    ['## Read nothing {#mended}', '', '', 'not 1'],
    ['question: which one?', 'asks: which one?', '', "'question' is missing"],
  ] as const)('%s as %s is refused with its line', (...spoilt) => expectFault(parse, GOOD, spoilt))

  it('is taken or refused with a line, whatever is cut out of it', () => takesOrRefuses(parse, GOOD))
})
