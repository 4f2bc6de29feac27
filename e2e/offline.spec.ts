/**
 * The service worker: every lesson after one visit with the network cut, the rest once used or
 * asked for, isolation on a host that sends no headers, a deploy while a tab is open, and the way
 * to be rid of it. Every other spec has it blocked.
 */
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { DIST } from '../cli/build-site.mjs'
import { manifestOf, isOnUse, type StoredFile } from '../src/site/offline/site-files'
import { writeOffline, writeRemoval } from '../vite/offline'
import { expect, LONG } from './fixtures'
import { lessonIds, lessonWords } from './lesson-folders'
import { onHost as test } from './on-host'
import { flat } from './read-figures'

/** Words of the footer. */
const TODAY = 'Nothing you measure leaves this page.'
const TOMORROW = 'Tomorrow, too, nothing you measure leaves this page.'

test.use({ serviceWorkers: 'allow' })

const isReady = (page: Page) =>
  expect(page.getByRole('contentinfo')).toContainText(/Ready for offline use: [\d.]+ MB/, {
    timeout: 60_000,
  })
/**
 * Opens a page on a host without headers. Counted from outside: what is evaluated in a page counts
 * there as a press.
 */
async function openIsolated(page: Page, address: string): Promise<void> {
  let loads = 0
  const count = () => (loads += 1)
  page.on('domcontentloaded', count)
  await page.goto(address)
  await expect.poll(() => loads).toBe(2)
  await page.waitForFunction(() => crossOriginIsolated)
  await page.waitForLoadState('networkidle')
  expect(loads).toBe(2)
  page.off('domcontentloaded', count)
}
/** In the page. @param part of its address */
const storedSome = async (part: string): Promise<boolean> => {
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  return kept.flat().some(({ url }) => url.includes(part))
}
/**
 * Of what can be stored only the list, until somebody asks for more: for tests of something else.
 */
const saveData = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
const buildOf = (page: Page) => page.locator('meta[name="build"]').getAttribute('content')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('what is stored behind the first page costs less than 1.5 MB, and has the words of every lesson', async () => {
  const [, build = ''] =
    /<meta name="build" content="([^"]*)"/.exec(await readFile(join(DIST, 'index.html'), 'utf8')) ?? []
  const files = JSON.parse(await readFile(join(DIST, manifestOf(build)), 'utf8')) as readonly StoredFile[]
  const stored = files.filter(({ url }) => !isOnUse(url)).map(({ url }) => readFileSync(join(DIST, url)))
  expect(stored.length).toBeGreaterThan(100)
  // A part that is renamed would be stored behind the first page.
  for (const part of ['CodeEditor', 'choices', 'exercise-worker', 'model-exercise-worker', 'export-worker'])
    expect(
      files.some(({ url }) => isOnUse(url) && url.includes(`/${part}-`)),
      part,
    ).toBe(true)
  expect(stored.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(1.5e6)
  const texts = stored.map(String)
  for (const id of lessonIds) {
    const { quiz } = lessonWords(id)
    // A run of letters as it stands in a script, whatever its quotes.
    const [words = ''] = /[^'"`\\\n{}[\],:]{20,}/.exec(JSON.stringify(quiz)) ?? []
    expect(words, id).not.toBe('')
    expect(
      texts.some((text) => text.includes(words)),
      `${id}: ${words}`,
    ).toBe(true)
  }
})

test('after one visit every lesson opens with the network cut, and what was used is there', async ({
  lab,
  page,
  context,
  site,
  errors,
}) => {
  await page.goto(site.url)
  await isReady(page)
  await page.goto(`${site.url}trace/#?recording=torch-sync-stalls-stalled`)
  await expect(lab.timeline).toBeVisible()
  await expect.poll(() => page.evaluate(storedSome, 'recordings/torch-sync-stalls-stalled.')).toBe(true)
  await context.setOffline(true)
  errors.allow(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|Failed to fetch|404/)

  await page.reload()
  await isReady(page)
  await expect(lab.timeline).toBeVisible()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  // The first test finds the words of the others.
  await page.goto(`${site.url}lessons/sync-stalls/`)
  await expect(heading(page)).toHaveText(flat(lessonWords('sync-stalls').question))
  await expect(page.getByTestId('prediction')).toBeVisible()
  await page.goto(`${site.url}q/map-async-latency/`)
  await expect(heading(page)).toContainText('mapAsync')
  await page.goto(`${site.url}nowhere/`)
  await expect(page.getByRole('main')).toContainText('There is no page')
  // Other addresses: src/site/offline/serving.test; what 'Keep all' keeps: storing.test.
})

test('a host without headers: page and worker are isolated by one reload before any input', async ({
  page,
  lab,
  site,
}) => {
  await saveData(page)
  await openIsolated(page, `${site.url}run/sync-stalls/`)
  // The worker too. That a run there is valid, catalog.spec has, on a host with headers.
  expect(await lab.environment()).toMatchObject({ device: { crossOriginIsolated: true } })
})

test('what has been touched is not loaded again: the next page is isolated', async ({ page, site }) => {
  await saveData(page)
  await page.addInitScript(() => {
    const { serviceWorker } = navigator
    const register = serviceWorker.register.bind(serviceWorker)
    serviceWorker.register = async (...all) => {
      await new Promise((resolve) => Object.assign(globalThis, { letRegister: resolve }))
      return await register(...all)
    }
  })
  await page.goto(site.url)
  await page.waitForFunction(() => 'letRegister' in globalThis)
  await page.keyboard.press('Tab')
  await page.evaluate(async () => {
    const { letRegister } = globalThis as unknown as { letRegister: () => void }
    letRegister()
    await navigator.serviceWorker.ready
  })
  // It has got past the moment at which it would be loaded again.
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
  await page.goto(`${site.url}method/`)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
})

/**
 * The site of tomorrow: other words in a part that is loaded late, and every script has another
 * name, as after a change deep down.
 */
async function deployAnother(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  const scripts = new Set((await readdir(assets)).filter((file) => file.endsWith('.js')))
  const renamed = (text: string) =>
    text.replaceAll(/([\w.-]+)\.js\b/g, (whole, name: string) =>
      scripts.has(whole) ? `${name}_B.js` : whole,
    )
  for (const file of await readdir(folder, { recursive: true })) {
    if (!/(^_headers|\.js|\.html|\.css)$/.test(file) || file === 'sw.js') continue
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), renamed(text).replaceAll(TODAY, TOMORROW))
  }
  for (const file of scripts) await rename(join(assets, file), join(assets, renamed(file)))
  await writeOffline(folder)
}

const copied = test.extend<{ readonly folder: string }>({
  // Playwright asks for the pattern.
  // oxlint-disable-next-line no-empty-pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'lab-site-'))
    const isWanted = (path: string) => !path.endsWith('recordings')
    await cp(DIST, folder, { recursive: true, filter: isWanted })
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  host: async ({ folder }, use) => await use({ root: folder }),
})

// Which build answers what: src/site/offline/serving.test.
copied(
  'a deploy while a tab is open: the tab goes on as it is, the next visit has the new one whole',
  LONG,
  async ({ page, context, folder, site }) => {
    await page.goto(site.url)
    await isReady(page)
    const before = await buildOf(page)
    await deployAnother(folder)

    const next = await context.newPage()
    await next.goto(`${site.url}method/`)
    await expect(next.getByRole('contentinfo')).toContainText(TOMORROW)
    expect(await buildOf(next)).not.toBe(before)

    // A part of the old build that the host no longer has, and had not been loaded.
    await expect(page.getByText('A newer version of the lab is here.')).toBeVisible()
    await page.getByRole('link', { name: 'Method', exact: true }).first().click()
    await expect(heading(page)).toHaveText('Method')
    await expect(page.getByRole('contentinfo')).toContainText(TODAY)
  },
)

copied('a build without a service worker removes it', async ({ page, folder, site }) => {
  await saveData(page)
  await page.goto(site.url)
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBeGreaterThan(0)
  const index = join(folder, 'index.html')
  const built = await readFile(index, 'utf8')
  await writeFile(index, built.replace(/(<meta name="build" content=")[^"]*/, '$1'))
  await writeRemoval(folder)
  await page.reload()
  const left = () =>
    page.evaluate(
      async () => (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length,
    )
  await expect.poll(left).toBe(0)
})
