import { describe, expect, it } from 'vitest'
import { parseProgram } from './syntax'

describe('what does not parse', () => {
  it.each([
    ['export default async function () {\n  const a = )\n}', 2, 12, '‘)’ is not expected here.'],
    ["const a = 'b\n", 1, 10, 'Unterminated string constant.'],
    ["f('b\n", 1, 2, 'Unterminated string constant.'],
    ['let a\nlet a', 2, 4, "Identifier 'a' has already been declared."],
    ['const x = await return', 1, 16, '‘return’ is not expected here.'],
    ['const a =', 1, 9, 'The program ends in the middle of a statement.'],
    ['function f() {\n  const = 1\n  g(a\n', 2, 8, '‘=’ is not expected here.'],
    ['f(a])', 1, 3, '‘]’ is not expected here.'],
    ['f(a b)', 1, 4, '‘b’ is not expected here.'],
    ['f([1, 2 3])', 1, 8, '‘3’ is not expected here.'],
    ['f()\n}', 2, 0, '‘}’ is not expected here.'],
  ])('is said at its place: %j', (source, line, column, message) =>
    expect(parseProgram(source)).toMatchObject({ ok: false, error: { line, column, message } }),
  )

  it.each([
    ['if (a) {\n', 1, 7, '{'],
    ['const a = [1, 2\n', 1, 10, '['],
    ['f(a, {\n  b: [1,\n  c: 2\n})\n', 2, 5, '['],
    // Told only by what comes in the next line.
    ['async function f() {\n  submit([a.finish()]\n  await g()\n}\n', 2, 8, '('],
    ['function f() {\n  if (a {\n    g()\n  }\n}\n', 2, 5, '('],
    ['f(() => {\n  g()\n)\n', 1, 8, '{'],
    // The last brace is there, the one of the block within is not.
    ['function f() {\n  for (const a of b) {\n    g(a)\n}\n', 2, 21, '{'],
    ['function f() {\n  for (const a of b) {\n    if (a) {\n      g(a)\n  }\n}\n', 3, 11, '{'],
    ['const a = `${f(b}`\n', 1, 14, '('],
    // Brackets in strings, comments and expressions close nothing.
    ["f('(', /[(]/, (1 /* ) */)\n", 1, 1, '('],
  ])('is said of a bracket where it was opened: %j', (source, line, column, bracket) => {
    const message = `Nothing closes this ‘${bracket}’.`
    expect(parseProgram(source)).toMatchObject({ ok: false, error: { line, column, message } })
  })

  it('is nothing in a program that does', () =>
    expect(parseProgram('export default async function ({ device }) { await device }').ok).toBe(true))
})
