import { describe, expect, it } from 'vitest'
import { answerLines, bareWorkerText, workerText } from './program'
import { ENTRY } from './types'

const MAX_SOURCE_CHARACTERS = 64 * 1024

const URL = 'https://lab.example/assets/mend.js'
const PROGRAM = 'export default async function ({ device }) {\n  return 1\n}\n'

/** Evaluates the worker's text as the worker does, and returns what it hands over. */
async function handedOver(source: string): Promise<unknown> {
  const text = workerText(source, URL)
  if (!text.ok) throw new Error(text.error[0]?.message)
  const withoutImport = text.value.replace(/^import "[^"]*";/, '')
  let load: () => Promise<unknown> = () => Promise.resolve()
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- a test's own text, in Node
  new Function(ENTRY, withoutImport)((given: typeof load) => (load = given))
  return await load()
}

describe('a source as the text of a worker', () => {
  it('imports the lab’s half first, and hands over the exported function', async () => {
    const text = workerText(PROGRAM, URL)
    expect(text.ok && text.value.startsWith(`import ${JSON.stringify(URL)};`)).toBe(true)
    const program = await handedOver(PROGRAM)
    expect(await (program as (scope: object) => Promise<number>)({})).toBe(1)
  })

  it('keeps every line where it is', () => {
    const source = '// one\n// two\nexport default () => {\n  throw 1\n}\nfunction after() {}\n'
    const text = workerText(source, URL)
    const lines = (text.ok ? text.value : '').split('\n')
    expect(lines[3]).toBe('  throw 1')
    expect(lines[1]).toBe('// two')
    expect(lines[5]).toBe('function after() {}')
  })

  it.each([
    ['const x = 3\nexport default () => x\n', 3],
    ['const x = 3 // no semicolon\nexport default () => x', 3],
    ['export default () => x\nconst x = 4 // declared after', 4],
    ['export default () => x;\nfunction y() {}\nconst x = 5', 5],
    ['const late = await Promise.resolve(6)\nexport default () => late', 6],
    ['export default function () { return 7 } // the end', 7],
    ['export default function mend() { return again() }\nconst again = () => 10\nmend.at = 1', 10],
    ['export  /* two\nlines */ default () => 11', 11],
    ['export default function () { return 12 }\n(1, 2)', 12],
    ['export default function mend() { return 1 }\nmend = () => 15', 15],
    ['mend.at = 17\nexport default function mend() { return mend.at }', 17],
    ['export default mend\nfunction mend() { return typeof this }', 'undefined'],
    ['// #! no script\nexport default () => 19 // <!-- no comment', 19],
  ])('%j', async (source, result) => {
    const program = (await handedOver(source)) as () => unknown
    expect(program()).toBe(result)
  })

  it.each([
    ['', 'no `export default'],
    ['export default () => {', 'Nothing closes this ‘{’.'],
    ['}); fetch("/"); (() => {\nexport default 1', '‘}’ is not expected here.'],
    ['return 1\nexport default 1', "'return' outside of function"],
    ["import x from './x.js'\nexport default 1", 'import nothing'],
    ["export default () => import('./x.js')", 'import nothing'],
    ['export default () => import.meta', 'import.meta'],
    ['export const x = 1\nexport default 1', 'one function'],
    ['export * from "x"\nexport default 1', 'one function'],
    ['export {}\nexport default () => 1', 'one function'],
    ['const mend = 1\nexport { mend as default }', 'by `export default`'],
    ['\uFEFF#!/usr/bin/env node\nexport default 1', '#!'],
    ['#!/usr/bin/env node\nexport default 1', 'no line `#!`'],
    ["export { default } from 'x'", 'one function'],
    ['<!-- a comment of old\nexport default 1', '‘<’ is not expected here.'],
  ])('refuses %j', (source, sentence) => {
    const text = workerText(source, URL)
    expect(text.ok).toBe(false)
    expect(!text.ok && text.error[0]?.message).toContain(sentence)
  })

  it('says at which line', () => {
    const text = workerText('export default () => {\n  const = 1\n}', URL)
    expect(!text.ok && text.error[0]).toMatchObject({ line: 2, column: 8, severity: 'error' })
  })

  it('reads a source that nests as deeply as it is long', () => {
    const nested = workerText(`export default (b) => b${'.b'.repeat(15_000)}`, URL)
    expect(nested.ok || nested.error[0]?.severity === 'error').toBe(true)
    const brackets = workerText(`export default ${'['.repeat(30_000)}`, URL)
    expect(!brackets.ok && brackets.error[0]?.message).toContain('Not enough stack space')
  })

  it('refuses a source that is too long, and says how long it is', () => {
    const text = workerText(' '.repeat(MAX_SOURCE_CHARACTERS + 1), URL)
    expect(!text.ok && text.error[0]?.message).toContain(String(MAX_SOURCE_CHARACTERS + 1))
  })

  it('of another language is the lab’s half alone', () =>
    expect(bareWorkerText(URL)).toBe(`import ${JSON.stringify(URL)};${ENTRY}(null);\n`))
})

it.each([
  ['export default function f(n) {\n  if (n) return 1\n  return 2\n}', [2, 3]],
  ['export default (n) =>\n  n', []],
  ['export default {', []],
])('%j answers in lines %j', (source, lines) => expect(answerLines(source)).toEqual(lines))
