/**
 * Every page has an address of its own: as a file that any static host serves from any path, with
 * words for readers without JavaScript.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST } from '../cli/build-site.mjs'
import { serveSite, type SiteServer } from '../cli/static-server.mjs'
import { readLessons } from '../vite/words-md'
import { expect, test } from './fixtures'

let site: SiteServer | undefined
test.beforeAll(async () => {
  // The plainest of hosts: a path of its own, no headers; for what it has not, 404.html.
  site = await serveSite({ base: '/some/where/', isolated: false })
})
test.afterAll(async () => {
  await site?.close()
})
const at = (address: string) => `${site?.url ?? ''}${address}`

/** The files of the site's pages: 'lessons/sync-stalls/index.html'. */
const pages: readonly string[] = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('index.html'))
  .sort()
const textOf = (file: string) => readFileSync(join(DIST, file), 'utf8')
const words = (html: string) =>
  html
    .replaceAll(/<(script|style)[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

test('each page has a title, a description and a heading of its own', () => {
  expect(pages.length).toBeGreaterThan(40)
  const seen = { title: new Set<string>(), description: new Set<string>() }
  for (const file of pages) {
    const html = textOf(file)
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(html) ?? []
    const [, description = ''] =
      /<meta name="description" content="([^"]+)"/.exec(html.replaceAll(/\s+/g, ' ')) ?? []
    const [, heading = ''] = /<h1[^>]*>([^]*?)<\/h1>/.exec(html) ?? []
    expect(heading, file).not.toBe('')
    expect(title, file).not.toBe('')
    expect(description.length, file).toBeGreaterThan(20)
    expect(seen.title.has(title), `${file}: '${title}' is another page's too`).toBe(false)
    seen.title.add(title)
    seen.description.add(description)
    const depth = file.split('/').length - 1
    expect(html).toContain(`<base href="${'../'.repeat(depth) || './'}"`)
  }
  expect(seen.description.size).toBeGreaterThan(pages.length / 2)
})

test('a lesson can be read without JavaScript', async () => {
  for (const lesson of await readLessons()) {
    const text = words(textOf(`lessons/${lesson.id}/index.html`))
    expect(text).toContain(lesson.question)
    const headings = lesson.kind === 'experiment' ? lesson.steps.map(({ heading }) => heading) : []
    for (const heading of headings) expect(text, lesson.id).toContain(heading)
  }
})

test('a link between pages is followed without loading anything anew; back goes back', async ({ page }) => {
  await page.goto(at('lessons/sync-stalls/'))
  await expect(page.getByRole('button', { name: /Predict/ })).toBeVisible()
  await page.evaluate(() => {
    Object.assign(globalThis, { isStillHere: true })
  })
  await page.getByRole('link', { name: 'Method' }).first().click()
  await expect(page).toHaveURL(at('method/'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Method')
  await page.goBack()
  await expect(page).toHaveURL(at('lessons/sync-stalls/'))
  await expect(page.getByRole('button', { name: /Predict/ })).toBeVisible()
  expect(await page.evaluate(() => 'isStillHere' in globalThis)).toBe(true)
})

test('an address without its slash is written with it', async ({ page }) => {
  await page.goto(at('lessons/sync-stalls'))
  await expect(page).toHaveURL(at('lessons/sync-stalls/'))
  await expect(page.getByTestId('prediction')).toBeVisible()
})

test('a question leads to its step, with what it asks for', async ({ page }) => {
  await page.goto(at('q/map-async-latency/'))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('mapAsync')
  await page.getByRole('link', { name: 'Measure the wait in your browser' }).click()
  await expect(page).toHaveURL(at('lessons/sync-stalls/#change/longer'))
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
})

test('pages load their parts from any depth', async ({ page }) => {
  const missed: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) missed.push(response.url())
  })
  for (const address of [
    '',
    'q/item-is-slow/',
    'run/sync-stalls/',
    'trace/#?recording=torch-sync-stalls-stalled',
    'device/',
  ]) {
    await page.goto(at(address))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(missed).toEqual([])
})

test('what there is no page for is answered by one that says so, and leads on, at any depth', async ({
  page,
  errors,
}) => {
  // The page itself, and one request for each folder that is not the site's.
  errors.allow(/404/)
  for (const nowhere of ['nope', 'nope/', 'lessons/nope/nope/nope', 'q/nope/']) {
    const answer = await page.goto(at(nowhere))
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not found')
    await expect(page.getByRole('main')).toContainText(
      nowhere.split('/').findLast((part) => part !== '') ?? '',
    )
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(page).toHaveTitle('Not found · Host/Device Lab')
    // The whole site is behind it: its links lead, and its own program follows them.
    await expect.poll(() => page.evaluate(() => document.baseURI)).toBe(at(''))
    const links = page.getByRole('main').getByRole('link')
    // The program draws the same instead of what the file says.
    await expect
      .poll(() => links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href)))
      .toEqual([at(''), at('q/'), at('run/')])
    await links.nth(1).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Questions and answers')
    await expect(page).toHaveURL(at('q/'))
  }
})

test('it can be read without JavaScript, and is in no sitemap', () => {
  const html = textOf('404.html')
  expect(words(html)).toContain('There is no page here.')
  expect(/<title>([^<]+)/.exec(html)?.[1]).toBe('Not found · Host/Device Lab')
  expect(html).not.toMatch(/<script[^>]* src=|modulepreload/)
})

test('every question is reached from the home page, and every lesson leads to its own', () => {
  const linksIn = (file: string) =>
    [...textOf(file).matchAll(/<a [^>]*href="\.\/([^"]*)"/g)].map(([, href = '']) => href)
  expect(linksIn('index.html')).toContain('q/')
  const asked = pages.filter((file) => /^q\/.+\//.test(file)).map((file) => file.replace('index.html', ''))
  expect(asked.length).toBeGreaterThan(10)
  expect(linksIn('q/index.html')).toEqual(expect.arrayContaining(asked))
  const home = linksIn('index.html').filter((href) => /^q\/.+/.test(href))
  expect(home.length).toBeGreaterThan(3)
  for (const question of asked) {
    const [, lesson] =
      /class="button button-main" href="\.\/(lessons\/[^/"]+\/)/.exec(textOf(`${question}index.html`)) ?? []
    if (lesson !== undefined) expect(linksIn(`${lesson}index.html`), lesson).toContain(question)
  }
})

test('every page names the image by which other sites show a link to it', () => {
  for (const file of pages) {
    const html = textOf(file).replaceAll(/\s+/g, ' ')
    const [, address = ''] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? []
    // Whole, where the site is built for an address that is known (LAB_SITE_URL).
    expect(address, file).toMatch(/^(\.|http.*)\/preview\.png$/)
    expect(/<meta name="twitter:image" content="([^"]+)"/.exec(html)?.[1], file).toBe(address)
  }
  const bytes = readFileSync(join(DIST, 'preview.png'))
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
})
