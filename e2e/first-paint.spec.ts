/**
 * index.html before any JavaScript: what can be read, by whom it is replaced, and how many bytes
 * the first page costs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DIST } from '../cli/build-site.mjs'
import { expect, test } from './fixtures'
import { lessonIds, lessonWords } from './lesson-folders'
import { passageOf } from '../src/text/card'

/**
 * Gzipped JavaScript up to the first usable question, kB: what it is today, 90.7, and a little
 * room. React is 68 of them.
 */
const BUDGET_KB = 92

const index = () => readFileSync(join(DIST, 'index.html'), 'utf8')
const gzippedKb = (text: string | Buffer): number => gzipSync(text).length / 1000

/**
 * The text of the entry's files, of those that the page asks for itself, and of what they import.
 */
function homeScripts(): ReadonlyMap<string, string> {
  const html = index()
  const found = new Map<string, string>()
  const add = (file: string) => {
    if (found.has(file)) return
    const code = readFileSync(join(DIST, file), 'utf8')
    found.set(file, code)
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      add(`assets/${name}`)
  }
  const asked = [
    ...html.matchAll(/<(?:script[^>]* src|link rel="modulepreload"[^>]* href)="\.\/([^"]+)"/g),
  ].map(([, file = '']) => file)
  if (asked.length < 2) throw new Error('index.html names no files for the home page')
  asked.forEach(add)
  return found
}

test('the home page costs no more bytes than it may', () => {
  const scripts = [...homeScripts().values()]
  expect(scripts.reduce((sum, code) => sum + gzippedKb(code), 0)).toBeLessThan(BUDGET_KB)
  expect(gzippedKb(index())).toBeLessThan(7)
  const [, sheet = ''] = /<link rel="stylesheet"[^>]* href="\.\/([^"]+)"/.exec(index()) ?? []
  expect(gzippedKb(readFileSync(join(DIST, sheet)))).toBeLessThan(18.5)
})

/** Of a text, words without a quotation mark: as they stand in a script, whatever its quotes. */
const inScript = (text: string): string => /[^'"`\\\n]{20,}/.exec(text)?.[0] ?? text

/** What of a lesson is not in its line of the list of lessons, nor in the first one's question. */
const elsewhere = (id: string): readonly string[] => {
  const words = lessonWords(id)
  const own =
    words.kind === 'experiment' ? words.steps.map(({ heading }) => heading) : passageOf(words.explanation)
  const asked = words.quiz.map(({ question }) => question)
  const texts = [...own, ...asked].filter((part) => typeof part === 'string')
  return [...texts, ...words.sources.map(({ url }) => url)].map(inScript)
}

test('no script of the home page has the words of a lesson, or declares an experiment', () => {
  const home = [...homeScripts()]
  const all = readdirSync(join(DIST, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(DIST, 'assets', file), 'utf8'))
  const expectElsewhere = (words: string, what: string) => {
    // Guards against words that are found nowhere.
    expect(
      all.some((code) => code.includes(words)),
      what,
    ).toBe(true)
    expect(
      home.filter(([, code]) => code.includes(words)).map(([file]) => file),
      what,
    ).toEqual([])
  }
  for (const id of lessonIds) {
    const texts = elsewhere(id)
    expect(texts.length, id).toBeGreaterThan(5)
    for (const text of texts) expectElsewhere(text, `${id}: ${text}`)
  }
  expectElsewhere('How many small kernels make up a step.', 'a declaration')
})

test('without JavaScript the home page can be read, and a question with its picture', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto(baseURL ?? '')
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('')
    await expect(page.locator('.prediction-question')).toBeVisible()
    expect(await page.locator('[data-lesson]').count()).toBe(lessonIds.length)
    await expect(page.locator('.no-script')).toBeVisible()
    await page.goto(`${baseURL ?? ''}q/item-is-slow/`)
    await expect(page.locator('figure dd')).toHaveText([/%/, /%/, /%/])
    const picture = page.locator('figure img')
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    const data: unknown = JSON.parse(await page.locator('script[type="application/ld+json"]').innerText())
    expect(data).toMatchObject({
      '@type': 'QAPage',
      mainEntity: { name: await page.getByRole('heading', { level: 1 }).innerText() },
    })
  } finally {
    await context.close()
  }
})

test('what replaces it looks the same, before its parts have come', async ({
  browser,
  baseURL,
  lab,
  page,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  await page.route(/assets\/FileButton-[^/]*\.js$/, () => undefined)
  try {
    const before = await context.newPage()
    await before.goto(baseURL ?? '')
    await lab.open('/')
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
    // What it will run on is known once the device has answered; all else stands as it stood.
    const wordsOf = async (of: typeof page) => {
      // Both at one moment: the device may answer between two.
      const [all, runsOn] = await of.locator('#main').evaluate((main: HTMLElement) => {
        const own = main.querySelector<HTMLElement>('[data-testid="runs-on"]')
        return [main.innerText, own?.innerText ?? ''] as const
      })
      expect(runsOn).toContain('Nothing is measured before you press.')
      return words(all).replace(words(runsOn), '')
    }
    expect(await wordsOf(before)).toBe(await wordsOf(page))
  } finally {
    await context.close()
  }
})

test('who has gone to a link by then is still there', async ({ lab, page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
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

test('a screen of its own shows its own heading first', async ({ browser, baseURL }) => {
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
    await page.goto('about:blank')
    await page.goto(`${baseURL ?? ''}lessons/${second}/#see`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(question).toHaveCount(0)
    expect(errors).toEqual([])
  } finally {
    await context.close()
  }
})
