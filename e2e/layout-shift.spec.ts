/** What comes late has its room from the start: nothing that can be read is pushed away. */
import type { Page } from '@playwright/test'
import { ALONE, expect, test } from './fixtures'
import { passes } from './in-page'

const LIMIT = 0.05

interface Shift {
  readonly value: number
  readonly of: readonly string[]
}
type Watched = typeof globalThis & { shifts: Shift[] }

const watch = (page: Page) =>
  page.addInitScript(() => {
    const here = globalThis as Watched
    here.shifts = []
    type Entry = PerformanceEntry & {
      readonly value: number
      readonly hadRecentInput: boolean
      readonly sources: readonly { readonly node: Node | null }[]
    }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[])
        if (!hadRecentInput)
          here.shifts.push({
            value,
            of: sources.map(({ node }) => (node instanceof Element ? node.className : 'text') || 'no class'),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/**
 * Each address, and what is in view once all of it has come: a bar, strips and canvas, an editor
 * and profiles.
 */
const VISITS: readonly (readonly [address: string, last: string])[] = [
  ['run/sync-stalls/', '.timeline-empty'],
  ['trace/#?recording=ranks', '.tl-canvas canvas'],
  ['lessons/sync-stalls/#change', '.change-others'],
  ['lessons/async-submission/#mend', '.cm-content'],
  ['lessons/read-a-profile/#find', '.tl-canvas canvas'],
]

test.use({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' })

async function visit(page: Page, address: string, last: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`./${address}`)
  await page.locator('html[data-answers]').waitFor()
  await page.locator(last).first().waitFor()
}

async function expectStill(page: Page, address: string): Promise<void> {
  // Entries come after their frame, and a page may go on for some more.
  await passes(page, 200)
  const shifts = await page.evaluate(() => (globalThis as Watched).shifts)
  const sum = shifts.reduce((all, { value }) => all + value, 0)
  expect(sum, `${address}: ${JSON.stringify(shifts)}`).toBeLessThan(LIMIT)
}

test('on a phone nothing in view is pushed by what comes late', async ({ page }) => {
  // Their swap is the next test's.
  await page.route('**/*.woff2', (route) => route.fulfill({ status: 200, body: '' }))
  await watch(page)
  for (const [address, last] of VISITS) {
    await visit(page, address, last)
    await expectStill(page, address)
  }
})

/** Those moved while one factor was used for all of Inter's letters (site/ui/theme.css). */
const ANSWERS = ['item-is-slow', 'read-a-profile']

// In the whole browser and alone, as before: side by side in the headless shell the figures of the
// first moved by 0.096.
test('on a phone an answer stays where it is when its typeface comes', ALONE, async ({ page }) => {
  await watch(page)
  for (const answer of ANSWERS) {
    await visit(page, `q/${answer}/`, '.question h1')
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status }) => family.includes('Inter Variable') && status === 'loaded',
      ),
    )
    await expectStill(page, answer)
  }
})
