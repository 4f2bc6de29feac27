import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lessons } from '../../../lessons/testing/catalog'
import { passageOf } from '../../../text/card'
import { allWords } from '../../../text/testing/all-words'
import { sections as glossary } from '../../../lessons/glossary.md'
import { sections as method } from '../../../lessons/method.md'
import { parseInline, plainText } from './parse-prose'
import { forAll } from '../../../testing/for-all'

describe('parseInline', () => {
  it('knows each mark', () =>
    expect(parseInline('a `b` *c* **d** [e](https://f.g/h) [[device:the device]] [k](#some-word).')).toEqual([
      { type: 'text', text: 'a ' },
      { type: 'code', text: 'b' },
      { type: 'text', text: ' ' },
      { type: 'emphasis', children: [{ type: 'text', text: 'c' }] },
      { type: 'text', text: ' ' },
      { type: 'strong', children: [{ type: 'text', text: 'd' }] },
      { type: 'text', text: ' ' },
      { type: 'link', url: 'https://f.g/h', children: [{ type: 'text', text: 'e' }] },
      { type: 'text', text: ' ' },
      { type: 'term', key: 'device', children: [{ type: 'text', text: 'the device' }] },
      { type: 'text', text: ' ' },
      { type: 'definition', id: 'some-word', children: [{ type: 'text', text: 'k' }] },
      { type: 'text', text: '.' },
    ]))

  it('nests: code in strong, emphasis in a term', () => {
    expect(plainText(parseInline('**call `submit()` now**'))).toBe('call submit() now')
    expect(parseInline('[[host:*the* host]]')).toMatchObject([{ children: [{ type: 'emphasis' }, {}] }])
  })

  it('takes code literally', () =>
    expect(parseInline('`a * b ** c [[x]]`')).toEqual([{ type: 'code', text: 'a * b ** c [[x]]' }]))

  it('leaves arithmetic, lone marks and unknown keys as text', () => {
    for (const text of ['C = A * B * 2', 'a *b', '`', '[x](javascript:alert(1))', '[[nobody:x]]', '****'])
      expect(parseInline(text)).toEqual([{ type: 'text', text }])
  })

  it('loses no word, whatever is written', () =>
    forAll(fc.array(fc.constantFrom('*', '**', '`', '[', ']', '[[', ']]', '(', ')', 'a', ' ')), (parts) => {
      const source = parts.join('')
      const letters = (text: string) => text.replaceAll(/[^a]/g, '')
      expect(letters(plainText(parseInline(source)))).toBe(letters(source))
    }))

  it('leaves no mark unread in the lessons', () => {
    for (const lesson of lessons) {
      const prose = [
        ...[...method, ...glossary]
          .flatMap(({ text }) => text)
          .flatMap((part) => (typeof part === 'string' ? part : [part.caption, ...part.rows.flat()])),
        ...allWords([...lesson.intro, ...passageOf([...lesson.inPyTorch, ...lesson.cannot])]),
        ...(lesson.kind === 'experiment'
          ? [
              ...lesson.steps.flatMap((step) => allWords([...step.text, ...(step.lookFor ?? [])])),
              ...lesson.tryNext.map(({ why }) => why),
            ]
          : [
              ...allWords(passageOf(lesson.explanation)),
              ...Object.values(lesson.suspects).flatMap((lines) => lines.map(({ words }) => words)),
            ]),
        ...lesson.quiz.flatMap((item) => [
          ...allWords([item.question]),
          ...item.options.flatMap((o) => allWords([o.text, ...o.explanation])),
        ]),
      ]
      const texts = (nodes: ReturnType<typeof parseInline>): readonly string[] =>
        nodes.flatMap((node) =>
          node.type === 'text' ? [node.text] : 'children' in node ? texts(node.children) : [],
        )
      for (const paragraph of prose)
        for (const text of texts(parseInline(paragraph))) expect(text).not.toMatch(/\*\*|`|\[\[|\]\]|\]\(/)
    }
  })
})
