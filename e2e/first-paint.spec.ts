/** index.html before any JavaScript: what can be read, by whom it is replaced, and how many bytes the first page costs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DIST } from '../cli/build-site.mjs'
import { expect, test } from './fixtures'
import { lessonIds } from './lesson-folders'

/** Gzipped JavaScript up to the first usable question, kB: what it is today, and a little room. */
const BUDGET_KB = 153

const index = () => readFileSync(join(DIST, 'index.html'), 'utf8')
const gzipped = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length

/** The entry's files and what they import, of the built site. */
function entryScripts(html: string): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    const code = readFileSync(join(DIST, file), 'utf8')
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      add(`assets/${name}`)
  }
  for (const [, file = ''] of html.matchAll(/<script[^>]* src="\.\/([^"]+)"/g)) add(file)
  return found
}

/** What a page itself asks for besides the entry. */
const preloaded = (html: string): readonly string[] => {
  const files = [...html.matchAll(/<link rel="modulepreload"[^>]*href="\.\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  )
  if (files.length === 0) throw new Error('index.html names no files for the home page')
  return files
}

test('the home page costs no more bytes than it may', () => {
  const html = index()
  const scripts = new Set([...entryScripts(html), ...preloaded(html)])
  const kB = [...scripts].reduce((sum, file) => sum + gzipped(file), 0) / 1000
  expect(kB).toBeLessThan(BUDGET_KB)
  expect(gzipSync(html).length / 1000).toBeLessThan(16)
  // The words of the other lessons are not among them.
  const lessons = [...scripts].filter((file) => /lessons?-/.test(file))
  const words = lessons
    .map((file) => readFileSync(join(DIST, file), 'utf8'))
    .filter((code) => code.includes('quiz:['))
  expect(words).toHaveLength(1)
  // Nor are the declarations of the other experiments: the page is no larger for a lesson more.
  const declared = [...scripts]
    .map((file) => readFileSync(join(DIST, file), 'utf8'))
    .filter((code) => code.includes('presets:['))
  expect(declared).toHaveLength(1)
})

test('without JavaScript the home page can be read', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(baseURL ?? '')
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('')
    await expect(page.locator('.prediction-question')).toBeVisible()
    expect(await page.locator('[data-lesson]').count()).toBe(lessonIds.length)
    await expect(page.locator('.no-script')).toBeVisible()
  } finally {
    await context.close()
  }
})

test('what replaces it looks the same', async ({ browser, baseURL, lab, page }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const before = await context.newPage()
    await before.goto(baseURL ?? '')
    await lab.open('/')
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
    // What it will run on is known once the device has answered; all else stands as it stood.
    const wordsOf = async (of: typeof page) => {
      const runsOn = words(await of.getByTestId('runs-on').innerText())
      expect(runsOn).toContain('Nothing is measured before you press.')
      return words(await of.locator('#main').innerText()).replace(runsOn, '')
    }
    expect(await wordsOf(before)).toBe(await wordsOf(page))
  } finally {
    await context.close()
  }
})

test('who has gone to a link by then is still there', async ({ lab, page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/assets\/index-[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`lessons/${lessonIds[0] ?? ''}/`, { waitUntil: 'commit' })
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  await skip.focus()
  const before = await skip.evaluateHandle((element) => element)
  release()
  await expect.poll(() => before.evaluate((element) => element.isConnected)).toBe(false)
  await expect(lab.runButton).toBeVisible()
  await expect(skip).toBeFocused()
})

test('a screen of its own, or an address of old, shows its own heading first', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    // The page without its program: what its text makes of an address by itself.
    await page.route(/assets\/index-[^/]*\.js$/, (route) => route.abort())
    const [, second = ''] = lessonIds
    const question = page.locator('.prediction-question')
    await page.goto(`${baseURL ?? ''}lessons/${second}/`)
    await expect(question).toHaveCount(1)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    expect(await page.locator('link[rel=modulepreload][href*=LessonPage]').count()).toBe(1)
    for (const address of [`lessons/${second}/#see`, `#/lessons/${second}`, `#/lessons/${second}/see`]) {
      await page.goto('about:blank')
      await page.goto(`${baseURL ?? ''}${address}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(question).toHaveCount(0)
    }
    await page.goto('about:blank')
    await page.goto(`${baseURL ?? ''}#/method`)
    await expect(question).toHaveCount(0)
    expect(errors).toEqual([])
  } finally {
    await context.close()
  }
})
