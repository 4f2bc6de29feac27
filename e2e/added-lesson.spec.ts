/**
 * What `npm run new -- lesson` writes is a lesson as it stands, and no other file is touched: in a copy of the project it passes the tests
 * of lessons and experiments, is built, listed, shown, run and checked.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serveSite } from '../cli/static-server.mjs'
import { DIST } from '../cli/build-site.mjs'
import type { Report } from '../src/trace/report'
import { expect, IS_LONG, LONG, test } from './fixtures'
import { homeScriptsKb } from './home-scripts'

const ROOT = join(import.meta.dirname, '..')
/** Not of the project: what was installed, built or written by tests. */
const LEFT_OUT = new Set(['.git', '.gpu', 'node_modules', 'dist', 'dist-bench', 'lab-out', 'test-results'])
const ID = 'added-here'
/** Each lesson has tests of its own in these. In short they are run for this one alone. */
const OF_A_LESSON = [
  'experiments/declared',
  'experiments/experiment',
  'experiments/programs',
  'experiments/remedies',
  'lessons/explain',
  'lessons/lessons',
  'lessons/play-words',
  'lessons/quizzes',
  'lessons/words',
].map((name) => `src/${name}.test.ts`)
/** With what TypeScript, YAML and HTML each write in another way. */
const QUESTION = 'What\'s a "wait": 1 < 2, or #3 & more?'

let copy = ''
let site: Awaited<ReturnType<typeof serveSite>> | undefined

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

// One copy, built once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'added-lesson-'))
  await cp(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  succeeds('cli/new.mjs', 'lesson', ID, QUESTION)
  // In short nothing looks at a site of it: what builds and shows any lesson shows one whose words and programs pass.
  if (!IS_LONG) return
  succeeds('cli/build.mjs')
  site = await serveSite({ root: join(copy, 'dist') })
})
test.afterAll(async () => {
  await site?.close()
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
  // Of both catalogs as wholes: what is within one lesson's folder knows no other.
  const all = ['src', 'src/lessons', 'src/experiments'].flatMap((folder) =>
    readdirSync(join(copy, folder))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file}`),
  )
  const tests = IS_LONG ? all : OF_A_LESSON
  const output = succeeds(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    ...(IS_LONG ? [] : ['-t', ID]),
    ...tests,
  )
  expect(output).toContain(ID)
  const formatted = [`src/lessons/${ID}`, `src/experiments/${ID}`]
  succeeds('node_modules/oxfmt/bin/oxfmt', '--check', ...formatted)
})

test('the command line lists it', () => {
  expect(succeeds('cli/lab.mjs', 'list')).toContain(ID)
})

test('from the command line it is a valid run with a verdict', LONG, async () => {
  const set = ['--set', 'steps=6', '--set', 'repeats=2']
  const adapter = test.info().project.name === 'gpu' ? 'gpu' : 'software'
  const out = test.info().outputPath('out')
  succeeds('cli/lab.mjs', 'run', ID, '--adapter', adapter, ...set, '--out', out)
  const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report
  expect(report).toMatchObject({ experiment: ID, validity: { valid: true }, verification: { failed: 0 } })
  expect(['waiting-costs', 'cannot-tell']).toContain(report.verdict.reason)
})

test('the page lists it, and runs it to a verdict on checked results', LONG, async ({ lab, page }) => {
  await page.goto(site?.url ?? '')
  await page.getByRole('main').locator(`a[href^="./lessons/${ID}"]`).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(QUESTION)
  await expect(page.getByTestId('prediction')).toContainText('How long does a step take?')

  await lab.predict()
  await lab.run()
  await lab.waitDone()
  const { report, trace } = await lab.savedRun()
  expect(report).toMatchObject({ experiment: ID, validity: { valid: true, reasons: [] } })
  expect(report?.verification.checked).toBeGreaterThan(0)
  expect(report?.verification.failed).toBe(0)
  expect(trace.strings).toEqual(expect.arrayContaining(['queued', 'awaited']))
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-outcome', report?.verdict.outcome ?? '')
  await expect(page.getByTestId('headline')).toContainText('where the host waits for each')
  const strips = page.getByTestId('strips').locator('.strips-strip')
  expect(await strips.evaluateAll((all) => all.map((strip) => strip.getAttribute('data-variant')))).toEqual([
    'queued',
    'awaited',
  ])

  await page.goto(`${site?.url ?? ''}lessons/${ID}/#instrument`)
  await expect(page.locator('.tab-panel')).toContainText('The host waits for each step')
  await page.goto(`${site?.url ?? ''}lessons/${ID}/#why`)
  await expect(page.getByTestId('explanation')).toContainText('A step took')
  await expect(page.getByTestId('quiz').locator('.quiz-item')).toHaveCount(3)
})

/** Of gzipped JavaScript: its line in the list of lessons, and names of two files or three. */
const LESSON_KB = 0.3

test('the home page grows by its line alone', LONG, () => {
  const grown = homeScriptsKb(join(copy, 'dist')) - homeScriptsKb(DIST)
  expect(grown).toBeGreaterThan(0)
  expect(grown).toBeLessThan(LESSON_KB)
})

test('its experiment is on the bench, with its own controls', LONG, async ({ lab, page }) => {
  await page.goto(`${site?.url ?? ''}run/${ID}/`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Added here')
  await expect(page.getByLabel('Steps', { exact: true }).first()).toBeVisible()
  expect(await lab.runBare(ID, { steps: '4', repeats: '2' })).toMatchObject({
    status: 'done',
    report: { validity: { valid: true } },
  })
})

test('there is no recording of it, and the page says so and stays usable', LONG, async ({ lab, page }) => {
  await page.goto(`${site?.url ?? ''}lessons/${ID}/#see`)
  await page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'There is no recording of this yet.' }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'To the question' }).click()
  await expect(lab.runButton).toHaveAttribute('aria-disabled', 'false')
})
