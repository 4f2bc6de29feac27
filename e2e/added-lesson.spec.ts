/**
 * `npm run new -- lesson` writes a whole lesson and touches no other file: in a copy of the project
 * it passes the tests of lessons and experiments, and is listed. What builds, shows and runs any
 * lesson shows one whose words and programs pass.
 */
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from './fixtures'

const ROOT = join(import.meta.dirname, '..')
/** Not of the project: what was installed, built or written by tests. */
const LEFT_OUT = new Set(['.git', '.gpu', 'node_modules', 'dist', 'dist-bench', 'lab-out', 'test-results'])
const ID = 'added-here'
/** Each lesson has tests of its own in these. They are run for this one alone. */
const OF_A_LESSON = [
  'experiments/declared',
  'experiments/programs',
  'lessons/explain',
  'lessons/lessons',
  'lessons/words',
].map((name) => `src/${name}.test.ts`)
/** With what TypeScript, YAML and HTML each write in another way. */
const QUESTION = 'What\'s a "wait": 1 < 2, or #3 & more?'

let copy = ''

/** Runs a command in the copy. */
function inCopy(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}
function succeeds(...args: readonly string[]): string {
  const { status, output } = inCopy(...args)
  expect(status, output).toBe(0)
  return output
}

// One copy for all tests.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'added-lesson-'))
  await cp(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  succeeds('cli/new.mjs', 'lesson', ID, QUESTION)
})
test.afterAll(async () => {
  if (copy !== '') await rm(copy, { recursive: true })
})

test('what is no id, no question, or there already is one line, and nothing is written', () => {
  for (const [args, words] of [
    [[], 'Usage: npm run new -- lesson ID "Question"'],
    [['lesson', 'Two Words', QUESTION], 'small letters, digits and hyphens'],
    [['lesson', '../out', QUESTION], 'small letters, digits and hyphens'],
    [['lesson', 'another'], 'one line of plain words'],
    [['lesson', 'another', 'ends a comment */'], 'one line of plain words'],
    [['lesson', ID, QUESTION], 'is there already'],
    [['lesson', 'declare', QUESTION], 'is there already'],
    [['lesson', 'new-lesson', QUESTION], 'is there already'],
  ] as const) {
    const { status, output } = inCopy('cli/new.mjs', ...args)
    expect(status, output).toBe(2)
    expect(output).toContain(words)
    expect(output.trim().split('\n')).toHaveLength(1)
  }
})

test('it passes what lessons and experiments are tested for', () => {
  const output = succeeds(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    '-t',
    ID,
    ...OF_A_LESSON,
  )
  expect(output).toContain(ID)
  const formatted = [`src/lessons/${ID}`, `src/experiments/${ID}`]
  succeeds('node_modules/oxfmt/bin/oxfmt', '--check', ...formatted)
})

test('the command line lists it', () => expect(succeeds('cli/lab.mjs', 'list')).toContain(ID))
