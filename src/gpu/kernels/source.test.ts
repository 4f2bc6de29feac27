import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinSource } from './source'
import { forAll } from '../../testing/for-all'

const line = fc.stringMatching(/^[a-z ]{0,6}$/)
const files = fc.array(
  fc.record({
    file: fc.stringMatching(/^[a-z]{1,4}$/),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
)

it('finds file and line of every line of the joined text', () => {
  forAll(files, fc.boolean(), (parts, ends) => {
    const { code, locate } = joinSource(
      parts.map(({ file, lines }) => ({ file, text: lines.join('\n') + (ends ? '\n' : '') })),
    )
    const joined = code.split('\n')
    let at = 0
    for (const { file, lines } of parts) {
      // A text that ends in an empty line and has no final newline is that newline: the line is
      // not a line.
      const kept = !ends && lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines
      kept.forEach((text, index) => {
        expect(joined[at]).toBe(text)
        expect(locate(at + 1)).toBe(`${file}:${String(index + 1)}`)
        at += 1
      })
    }
  })
})

it('takes Windows line ends, and names the kernel where the compiler knows no line', () => {
  const { code, locate } = joinSource([
    { file: 'lib', text: 'a\r\nb\r\n' },
    { file: 'kernel', text: 'c\n' },
  ])
  expect(code).toBe('a\nb\nc\n')
  expect(locate(3)).toBe('kernel:1')
  expect(locate(0)).toBe('kernel')
})
