import { describe, expect, it } from 'vitest'
import { expectFault, fixture, takesOrRefuses } from './testing/fault'
import { NO_NAMES, NO_RECORDINGS } from './testing/no-recordings'
import { parseExercise } from './exercise'

const FILE = 'some/mend.md'
const GOOD = fixture('mend.md')

describe('mend.md', () => {
  it('is read whole', () => {
    expect(parseExercise(GOOD, FILE, NO_NAMES, NO_RECORDINGS)).toEqual({
      rungs: [
        {
          title: 'Mend one line',
          task: ['It waits.'],
          must: [{ id: 'work', text: 'It is done once.' }],
          hints: ['What?', 'Where?', 'Here.'],
          why: ['The queue is full.'],
        },
        {
          title: 'Mend the loop',
          task: ['It reads every step.', 'Change it.'],
          must: [
            { id: 'output', text: 'All is right.' },
            { id: 'time', text: 'It is faster, by half the way.' },
          ],
          hints: ['What waits?', 'Read later.', 'Read `every` fourth.'],
          why: ['A wait costs nothing while the queue is full.'],
        },
      ],
      pytorch: { before: ['As here:'], code: '# not a title\nloss.detach()', after: ['That is all.'] },
      names: '\n\n## On a device\n\n- `input`: What is given.\n',
    })
  })

  it.each([
    ['## Hints', '## Hunts', '## Hunts', "'Hunts' is none of"],
    ['- output: All is right.', '- All is right.', '- All is right.', 'check-id'],
    ['- output: All is right.', 'All is right.', 'All is right.', 'Only a list'],
    ['All is right.', '`All` is right.', '- output: `All` is right.', 'plain text'],
    ['3. Read `every` fourth.\n', '', '', 'has 3'],
    ['```python', '```js', '', 'fenced block'],
    ['# Mend the loop', 'Mend the loop', '', 'two rungs'],
    ['# In PyTorch', '# In CUDA', '', 'two rungs'],
    ['## Why it works', '## Hints', '## Hints', 'twice'],
  ] as const)('%s as %s is refused with its line', (...spoilt) =>
    expectFault((text) => parseExercise(text, FILE, NO_NAMES, NO_RECORDINGS), GOOD, spoilt),
  )

  it('names nothing beside a shader', () => {
    const without = GOOD.slice(0, GOOD.indexOf('# Names'))
    expect(parseExercise(without, FILE, NO_NAMES, NO_RECORDINGS).names).toBeNull()
  })

  it('is taken or refused with a line, whatever is cut out of it', () =>
    takesOrRefuses((text) => parseExercise(text, FILE, NO_NAMES, NO_RECORDINGS), GOOD))
})
