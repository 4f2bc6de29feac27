/**
 * Measuring, pinning, folding and notes, by keyboard and by mouse, on a recorded run, and on an import of many threads. What the canvas
 * shows is read where it is also said: the readout, the live region, the table, the list of notes.
 */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import type { Lab } from './lab'

const RECORDING = join(import.meta.dirname, '..', 'public', 'recordings', 'sync-stalls.hdl.gz')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

class Hands {
  readonly canvas: Locator
  readonly readout: Locator
  readonly voice: Locator
  readonly details: Locator
  readonly notes: Locator
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    this.canvas = page.getByRole('application', { name: /^Timeline/ })
    this.readout = page.getByRole('region', { name: 'Ruler' })
    this.voice = page.getByTestId('ruler-announcer')
    this.details = page.getByRole('region', { name: 'Selection' })
    this.notes = page.getByTestId('notes')
  }
  async press(...keys: readonly string[]): Promise<void> {
    await this.canvas.focus()
    for (const key of keys) await this.#page.keyboard.press(key)
  }
  async height(): Promise<number> {
    return (await this.canvas.boundingBox())?.height ?? 0
  }
  /** A point of the canvas: share of its width, px from its top. */
  async at(x: number, cssY: number): Promise<readonly [number, number]> {
    const box = await this.canvas.boundingBox()
    if (!box) throw new Error('The timeline is not on the page.')
    return [box.x + x * box.width, box.y + cssY]
  }
}

async function openRecording(lab: Lab): Promise<Hands> {
  const { page } = lab
  await lab.open('/run/sync-stalls')
  await page.getByLabel('Open a saved run').setInputFiles(RECORDING)
  const hands = new Hands(page)
  await expect(hands.canvas).toBeVisible()
  await hands.canvas.scrollIntoViewIfNeeded()
  await expect.poll(() => hands.height()).toBeGreaterThan(100)
  return hands
}

/** Threads of nested calls, of which only the first launches anything. */
function threads(count: number): Buffer {
  const traceEvents: object[] = [{ ph: 'M', pid: 1, name: 'process_name', args: { name: 'python' } }]
  for (let tid = 0; tid < count; tid += 1) {
    traceEvents.push({ ph: 'M', pid: 1, tid, name: 'thread_name', args: { name: `worker ${String(tid)}` } })
    for (let step = 0; step < 20; step += 1)
      for (let depth = 0; depth < 6; depth += 1)
        traceEvents.push({
          ph: 'X',
          pid: 1,
          tid,
          cat: 'cpu_op',
          name: `call ${String(depth)}`,
          ts: step * 1000 + depth * 20,
          dur: 800 - depth * 60,
        })
  }
  return Buffer.from(JSON.stringify({ traceEvents }))
}

test('measures with the keyboard alone, each reading with its bound', async ({ lab }) => {
  const hands = await openRecording(lab)
  await hands.press('.', 'm')
  await expect(hands.readout).toContainText(/From the begin of .*Step to another bar/)
  await expect(hands.voice).toContainText(/^Mark at begin of .* Step or point/)
  await hands.press('.')
  await expect(hands.readout).toContainText(
    /±.* from the begin of .* to the begin of .*both edges by one clock/,
  )
  await expect(hands.voice).toContainText(/±.*, from begin of .* to begin of/)
  const toBegin = await hands.readout.innerText()
  await hands.press(']')
  await expect(hands.readout).toContainText('to the end of')
  expect(await hands.readout.innerText()).not.toBe(toBegin)
  // To a lane of the host's: another clock.
  await hands.press('ArrowUp')
  await expect(hands.readout).toContainText('edges of two clocks')
  // Enter sums it up.
  await hands.press('Enter')
  await expect(hands.readout).toBeHidden()
  await expect(lab.page.getByRole('region', { name: 'Selected area', exact: true })).toBeVisible()
})

test('puts the ruler away before the selection', async ({ lab }) => {
  const hands = await openRecording(lab)
  await hands.press('.', 'm', '.', 'Escape')
  await expect(hands.readout).toBeHidden()
  await expect(hands.details).toBeVisible()
  await hands.press('Escape')
  await expect(hands.details).toBeHidden()
})

test('measures with the mouse: follows it, and a click holds the reading', async ({ lab, page }) => {
  const hands = await openRecording(lab)
  await hands.press('.')
  await hands.details.getByRole('button', { name: 'Measure' }).click()
  await expect(hands.readout).toContainText('Step to another bar, or point at one')
  const height = await hands.height()
  await page.mouse.move(...(await hands.at(0.7, height * 0.35)))
  await expect(hands.readout).toContainText('±')
  const moving = await hands.readout.innerText()
  await page.mouse.move(...(await hands.at(0.8, height * 0.35)))
  await expect(hands.readout).not.toHaveText(moving)
  await page.mouse.click(...(await hands.at(0.8, height * 0.35)))
  const held = await hands.readout.innerText()
  await page.mouse.move(...(await hands.at(0.6, height * 0.35)))
  await page.waitForTimeout(200)
  expect(await hands.readout.innerText()).toBe(held)
  await hands.readout.getByRole('button', { name: 'Put away' }).click()
  await expect(hands.readout).toBeHidden()
})

test('pins a lane on top by key and by button, and keeps it', async ({ lab, page }) => {
  const hands = await openRecording(lab)
  await hands.press('.', 'p')
  await expect(hands.voice).toContainText(/pinned on top$/)
  await expect(hands.details.getByRole('button', { name: 'Unpin lane' })).toBeVisible()
  // The device, last of the lanes before, is the first: under it lies the host, and it stays selected where it moved.
  await expect(hands.details.locator('dd').first()).toHaveText('device')
  await hands.press('ArrowDown')
  await expect(hands.details.locator('dd').first()).toHaveText(/^host/)
  await hands.press('ArrowUp')
  await expect(hands.details.locator('dd').first()).toHaveText('device')
  await hands.details.getByRole('button', { name: 'Unpin lane' }).click()
  await expect(hands.voice).toContainText(/unpinned$/)
  // By its header, with the mouse.
  await hands.canvas.scrollIntoViewIfNeeded()
  const [left, top] = await hands.at(0, 0)
  const isPin = () => hands.canvas.evaluate((element) => 'press' in (element as HTMLElement).dataset)
  // Down the column of names to the first pin.
  for (let y = 60; y < (await hands.height()) && !(await isPin()); y += 4)
    await page.mouse.move(left + 104, top + y)
  expect(await isPin()).toBe(true)
  await page.mouse.down()
  await page.mouse.up()
  await expect(hands.voice).toContainText(/pinned on top$/)
})

test('many threads: starts folded, unfolds by key, scrolls inside', async ({ lab, page }) => {
  await lab.open('/trace')
  await page
    .getByLabel(/^(Choose a file|Open another)$/)
    .setInputFiles({ name: 'threads.json', mimeType: 'application/json', buffer: threads(40) })
  const hands = new Hands(page)
  await expect(hands.canvas).toBeVisible()
  await expect.poll(() => hands.height()).toBeGreaterThan(300)
  // 40 threads of 6 rows would be thousands of pixels; the window is 900.
  expect(await hands.height()).toBeLessThan(700)
  await hands.press('ArrowDown', 'ArrowDown')
  await expect(hands.details.getByRole('button', { name: 'Unfold lane' })).toBeVisible()
  await hands.press('h')
  await expect(hands.voice).toContainText(/unfolded$/)
  await expect(hands.details.getByRole('button', { name: 'Fold lane' })).toBeVisible()

  // The wheel over the names scrolls the rows and leaves the page where it is, until they are at their end.
  await hands.canvas.scrollIntoViewIfNeeded()
  const box = await hands.canvas.boundingBox()
  if (!box) throw new Error('The timeline is not on the page.')
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  const pageAt = () => page.evaluate(() => window.scrollY)
  const before = await pageAt()
  await page.mouse.wheel(0, 100)
  await page.waitForTimeout(300)
  expect(await pageAt()).toBe(before)
})

test('notes: by key, drawn as a flag, read in full on hover, hostile text as text', async ({ lab, page }) => {
  const hands = await openRecording(lab)
  const hostile = '<img src=x onerror="alert(1)"> \u202egnp.exe'
  const without = await hands.height()
  // With nothing selected a note is on what is in view.
  await hands.press('n')
  await expect(page.getByRole('textbox', { name: /^Write a note on the selected/ })).toBeFocused()
  await page.keyboard.type(hostile)
  await page.keyboard.press('Enter')
  await expect(hands.notes.getByText('<img src=x')).toBeVisible()
  await expect(hands.canvas).toBeFocused()
  // The strip of the flags.
  await expect.poll(() => hands.height()).toBeGreaterThan(without)

  await hands.press('Escape', '.', 'n')
  await expect(page.getByRole('textbox', { name: /^Write a note on/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(hands.canvas).toBeFocused()

  // The flag stands at the left edge of the view, in the strip under the axis.
  const header = 112
  const box = await hands.canvas.boundingBox()
  if (!box) throw new Error('The timeline is not on the page.')
  await page.mouse.move(box.x + header + 40, box.y + 42)
  await expect(page.getByTestId('note-tip')).toContainText('<img src=x onerror="alert(1)">')
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})

for (const scheme of ['light', 'dark'] as const)
  test(`no violations with ruler, pin and notes out, ${scheme}`, async ({ lab, page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    const hands = await openRecording(lab)
    await hands.press('n')
    await page.keyboard.type('a note')
    await page.keyboard.press('Enter')
    await hands.press('.', 'p', 'm', '.')
    await expect(hands.readout).toBeVisible()
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(hands.readout).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      )
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
    }
  })
