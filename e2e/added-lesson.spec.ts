/**
 * A lesson and its experiment are added by their folders alone: a copy of the project gets the two folders of fixtures/added-lesson, no
 * other file is touched, and the site that is built of it lists, shows, runs and checks them.
 */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveSite } from '../cli/static-server.mjs'
import { DIST } from '../cli/build-site.mjs'
import { expect, test } from './fixtures'
import { homeScriptsKb } from './home-scripts'
import { missingForBuild } from './missing-for-build'

const ROOT = join(import.meta.dirname, '..')
const FIXTURE = join(import.meta.dirname, 'fixtures', 'added-lesson')
/** What the site is built of. */
const SOURCES = [
  'src',
  'shaders',
  'public',
  'vite',
  'cli',
  'index.html',
  'perfetto.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

let copy = ''
let site: Awaited<ReturnType<typeof serveSite>> | undefined
test.beforeAll(async () => {
  const missing = await missingForBuild()
  test.skip(missing !== null, missing ?? '')
  const { build } = await import('vite')
  copy = await mkdtemp(join(tmpdir(), 'added-lesson-'))
  for (const source of SOURCES) await cp(join(ROOT, source), join(copy, source), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const catalog of ['experiments', 'lessons'])
    await cp(join(FIXTURE, catalog), join(copy, 'src', catalog), { recursive: true })
  await build({ root: copy, configFile: join(copy, 'vite.config.ts'), logLevel: 'error' })
  site = await serveSite({ root: join(copy, 'dist') })
})
test.afterAll(async () => {
  await site?.close()
  if (copy !== '') await rm(copy, { recursive: true })
})

test('a lesson added as two folders is listed, and runs to a verdict on checked results', async ({
  lab,
  page,
}) => {
  await page.goto(site?.url ?? '')
  await page.getByRole('main').locator('a[href^="./lessons/tiny"]').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('how many submissions')
  await expect(page.getByTestId('prediction')).toContainText('How long does your host spend')

  await lab.predict()
  await lab.run()
  await lab.waitDone()
  const { report, trace } = await lab.savedRun()
  expect(report).toMatchObject({ experiment: 'tiny', validity: { valid: true, reasons: [] } })
  expect(report?.verification.checked).toBeGreaterThan(0)
  expect(report?.verification.failed).toBe(0)
  expect(['submitting-costs', 'no-difference']).toContain(report?.verdict.reason)
  expect(trace.strings).toEqual(expect.arrayContaining(['one-by-one', 'together']))
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-outcome', report?.verdict.outcome ?? '')
  await expect(page.getByTestId('headline')).toContainText('inside one submit()')
  const strips = page.getByTestId('story').locator('.story-strip')
  expect(await strips.evaluateAll((all) => all.map((strip) => strip.getAttribute('data-variant')))).toEqual([
    'one-by-one',
    'together',
  ])

  await page.goto(`${site?.url ?? ''}lessons/tiny/#instrument`)
  await expect(page.locator('.tab-panel')).toContainText('Each step is a submission of its own.')
  await page.goto(`${site?.url ?? ''}lessons/tiny/#why`)
  await expect(page.getByTestId('explanation')).toContainText('A step took')
  await expect(page.getByTestId('quiz').locator('.quiz-item')).toHaveCount(1)
})

/** Of gzipped JavaScript: its line in the list of lessons, and names of two files or three. */
const LESSON_KB = 0.3

test('the home page grows by its line alone', () => {
  const grown = homeScriptsKb(join(copy, 'dist')) - homeScriptsKb(DIST)
  expect(grown).toBeGreaterThan(0)
  expect(grown).toBeLessThan(LESSON_KB)
})

test('its experiment is on the bench, with its own controls', async ({ lab, page }) => {
  await page.goto(`${site?.url ?? ''}run/tiny/`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Tiny')
  await expect(page.getByLabel('Steps', { exact: true }).first()).toBeVisible()
  expect(await lab.runBare('tiny', { steps: '4', repeats: '2' })).toMatchObject({
    status: 'done',
    report: { validity: { valid: true } },
  })
})

test('there is no recording of it, and the page says so and stays usable', async ({ lab, page }) => {
  await page.goto(`${site?.url ?? ''}lessons/tiny/#see`)
  await page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'There is no recording of this yet.' }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'To the question' }).click()
  await expect(lab.runButton).toHaveAttribute('aria-disabled', 'false')
})
