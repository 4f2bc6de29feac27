/**
 * Moving in the timeline, seen through its table twin: what is in view is what the table lists. On a recorded run, so that the data are
 * the same on every machine; following needs a run that goes on, and has one.
 */
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import type { Lab } from './lab'

const RECORDING = join(import.meta.dirname, '..', 'public', 'recordings', 'sync-stalls.hdl.gz')

class TimelineVerbs {
  readonly canvas: Locator
  readonly details: Locator
  readonly announcer: Locator
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    this.canvas = page.getByRole('application', { name: /^Timeline/ })
    this.details = page.getByRole('region', { name: 'Selection' })
    this.announcer = page.getByTestId('timeline-announcer')
  }
  async press(...keys: readonly string[]): Promise<void> {
    await this.canvas.focus()
    for (const key of keys) await this.#page.keyboard.press(key)
  }
  button(name: string): Locator {
    return this.#page.getByRole('toolbar', { name: 'Timeline view' }).getByRole('button', { name })
  }
  /** Spans and gaps in view, all of them. */
  async countInView(): Promise<number> {
    const text = await this.#page.locator('.tl-twin').getByRole('status').innerText()
    const counts = (text.match(/\d[\d\s,.]*/g) ?? ['0']).map((each) => Number(each.replaceAll(/\D/g, '')))
    return Math.max(...counts)
  }
  /** A point of the canvas, as shares of its width and height. */
  async at(x: number, y: number): Promise<readonly [number, number]> {
    const box = await this.canvas.boundingBox()
    if (!box) throw new Error('The timeline is not on the page.')
    return [box.x + x * box.width, box.y + y * box.height]
  }
  async drag(from: number, to: number, key?: 'Shift'): Promise<void> {
    const { mouse, keyboard } = this.#page
    await mouse.move(...(await this.at(from, 0.5)))
    if (key) await keyboard.down(key)
    await mouse.down()
    await mouse.move(...(await this.at((from + to) / 2, 0.5)))
    await mouse.move(...(await this.at(to, 0.5)))
    await mouse.up()
    if (key) await keyboard.up(key)
  }
}

/** What is read, once it has stopped changing: words beside the picture follow it a few times a second only. */
async function settled<T extends string | number>(page: Page, read: () => Promise<T>): Promise<T> {
  for (let last = await read(); ;) {
    await page.waitForTimeout(500)
    const now = await read()
    if (now === last) return now
    last = now
  }
}

async function openRecording(lab: Lab): Promise<TimelineVerbs> {
  const { page } = lab
  await lab.open('/run/sync-stalls')
  await page.getByLabel('Open a saved run').setInputFiles(RECORDING)
  const timeline = new TimelineVerbs(page)
  await expect(timeline.canvas).toBeVisible()
  await page.getByText('What is in view, as a table').click()
  // It opens on one round.
  await expect.poll(() => timeline.countInView()).toBeGreaterThan(0)
  const round = await settled(page, () => timeline.countInView())
  await timeline.button('Whole run').click()
  await expect.poll(() => timeline.countInView()).toBeGreaterThan(round)
  await settled(page, () => timeline.countInView())
  return timeline
}

/** The latest start in view; grows when the view moves on. */
async function latestStart(page: Page): Promise<string> {
  return await page.locator('.tl-table tbody tr').first().locator('td').first().innerText()
}

test('keys zoom in and out, and back to the whole run', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  const whole = await timeline.countInView()
  await timeline.press('w', 'w', 'w', 'w')
  await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
  const zoomed = await settled(page, () => timeline.countInView())
  await timeline.press('s', 's')
  await expect.poll(() => timeline.countInView()).toBeGreaterThan(zoomed)
  await timeline.press('0')
  await expect.poll(() => timeline.countInView()).toBe(whole)
})

test('the wheel zooms with Ctrl, and without it the page scrolls', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  const whole = await timeline.countInView()
  await timeline.canvas.scrollIntoViewIfNeeded()
  await page.mouse.move(...(await timeline.at(0.6, 0.5)))
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -600)
  await page.keyboard.up('Control')
  await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
  const zoomed = await settled(page, () => timeline.countInView())
  const scrolledBefore = await page.evaluate(() => window.scrollY)
  await page.mouse.move(...(await timeline.at(0.6, 0.5)))
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolledBefore)
  expect(await timeline.countInView()).toBe(zoomed)
})

test('dragging and keys pan', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  await page.getByRole('columnheader', { name: 'start' }).getByRole('button').click() // latest first
  await timeline.press('w', 'w', 'w', 'w', 'w')
  await timeline.press('Home')
  const before = await settled(page, () => latestStart(page))
  await timeline.press('d', 'd', 'd')
  await expect.poll(() => latestStart(page)).not.toBe(before)
  await timeline.press('Home')
  await expect.poll(() => latestStart(page)).toBe(before)
  await timeline.canvas.scrollIntoViewIfNeeded()
  await timeline.drag(0.8, 0.3)
  await expect.poll(() => latestStart(page)).not.toBe(before)
})

test('gaps are stepped through, each with its cause and evidence', async ({ lab }) => {
  const timeline = await openRecording(lab)
  await timeline.press('g')
  await expect(timeline.details).toBeVisible()
  await expect(timeline.announcer).toContainText(/idle|gap/i)
  const first = await timeline.announcer.innerText()
  await timeline.button('Next gap').click()
  await expect(timeline.announcer).not.toHaveText(first)
  await expect(timeline.details).toContainText(/await|launch|submitted|waited|overhead|unknown/i)
  await timeline.button('Previous gap').click()
  await expect(timeline.announcer).toHaveText(first)
})

test('a span picked in the table is selected, stepped from, zoomed to and let go', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  await timeline.button('One round').click()
  const device = page.locator('.tl-table tbody tr').filter({ hasText: 'matmul' }).first()
  await device.getByRole('button').click()
  await expect(timeline.details).toContainText('matmul')
  // Times of the submission in order: encoded, submitted, started, done.
  await expect(timeline.details.getByRole('table', { name: 'Its submission' })).toContainText(/submitted/i)
  const picked = await timeline.announcer.innerText()
  await timeline.press('.')
  await expect(timeline.announcer).not.toHaveText(picked)
  await timeline.press(',')
  await expect(timeline.announcer).toHaveText(picked)
  const whole = await timeline.countInView()
  await timeline.press('Enter')
  await expect.poll(() => timeline.countInView()).toBeLessThan(whole)
  await timeline.press('Escape')
  await expect(timeline.details).toBeHidden()
})

test('an area is summed up, and no share passes the whole', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  await timeline.canvas.scrollIntoViewIfNeeded()
  await timeline.drag(0.3, 0.7, 'Shift')
  const area = page.getByRole('region', { name: 'Selected area' })
  await expect(area.getByRole('table')).toBeVisible()
  const shares = await area.locator('tbody tr td:nth-child(4)').allInnerTexts()
  expect(shares.length).toBeGreaterThan(0)
  for (const share of shares) expect(Number.parseFloat(share), share).toBeLessThanOrEqual(100)
  await area.getByRole('button', { name: 'Clear' }).click()
  await expect(area).toBeHidden()
})

test('the table sorts by any column, and the help opens by its key', async ({ lab, page }) => {
  const timeline = await openRecording(lab)
  for (const column of ['duration', 'lane']) {
    const header = page.getByRole('columnheader', { name: column })
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
  }
  await timeline.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys and gestures' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keys and gestures' })).toBeHidden()
})

test('it follows a run that goes on, lets go when one zooms, and comes back on a key', async ({ lab }) => {
  await lab.openRun('async-submission', { steps: '64', repeats: '15', kernelMs: '4' })
  await lab.run()
  await lab.waitMeasuring()
  const timeline = new TimelineVerbs(lab.page)
  const follow = timeline.button('Follow')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await timeline.press('w')
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await timeline.press('F')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await lab.cancelButton.click()
  await lab.waitEnded()
})

test.describe('on a display of two device pixels a CSS pixel', () => {
  test.use({ deviceScaleFactor: 2 })
  test('the picture is crisp, and is one', async ({ lab }) => {
    const timeline = await openRecording(lab)
    const seen = await timeline.canvas
      .locator('canvas')
      .first()
      .evaluate((element) => {
        const canvas = element as HTMLCanvasElement
        const { width, height } = canvas
        const pixels =
          canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
        const colours = new Set<number>()
        for (let at = 0; at < pixels.length; at += 4) {
          colours.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0))
        }
        return { scale: width / canvas.getBoundingClientRect().width, colours: colours.size }
      })
    expect(seen.scale).toBeCloseTo(2, 1)
    expect(seen.colours).toBeGreaterThan(10)
  })
})
