/** Other ways to mend: marked in words, laid out as they are shown. */
import { describe, expect, it } from 'vitest'
import { programsOfWays, waysIn } from './ways'

const BASES = {
  start: '// The loop as it was.\nexport default () => {\n  first()\n  second()\n}\n',
  reference: '// The loop mended.\nexport default () => {\n  both()\n}\n',
}
const entry = (name: string, head = ' shown', why = 'calls “them” apart.') =>
  `== ${name} (reference; a style)${head}: ${why}\nboth() ⇒ const a = first(); if (a) { second(a) }\n`

describe('the other ways of a mend', () => {
  it('are those that are marked, in words', () => {
    expect(waysIn(entry('one-by-one') + entry('other', ''), BASES)).toEqual([
      { name: 'One by one', why: 'Calls “them” apart.' },
    ])
    expect(waysIn(entry('other', ''), BASES)).toEqual([])
  })

  it.each([
    [entry('a') + entry('b') + entry('c'), 'a, b, c are marked as shown: a page shows 2.'],
    [entry('a', ' shown', ''), 'should read'],
    [entry('a', ' fails output shown'), 'should read'],
    [entry('a', ' shwon'), 'should read'],
  ])('are refused: %s', (edits, why) => {
    expect(() => waysIn(edits, BASES)).toThrow(why)
  })

  it('are laid out, named by their sentence, and counted in lines', async () => {
    const [way] = await programsOfWays(entry('one-by-one'), BASES, 'reference.js')
    expect(way).toMatchObject({ name: 'One by one', added: 4, gone: 1 })
    expect(way?.source).toBe(
      '// Calls “them” apart.\nexport default () => {\n  const a = first()\n  if (a) {\n    second(a)\n  }\n}\n',
    )
    const texts = way?.lines.map((line) =>
      line.map((token) => (typeof token === 'string' ? token : token[0])),
    )
    expect(texts?.map((line) => line.join('')).join('\n')).toBe(way?.source.trimEnd())
  })

  it('are refused where nothing can be made of them', async () => {
    const broken = entry('a').replace('}\n', '\n')
    await expect(programsOfWays(broken, BASES, 'reference.js')).rejects.toThrow()
  })
})
