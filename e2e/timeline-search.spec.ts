/**
 * Finding spans, going along their arrows, merged spans, the critical path: on a recorded run, so that the data are the same on every
 * machine, by keys and by buttons. What is drawn is checked on the canvas' own pixels.
 */
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import type { Lab } from './lab'

const RECORDING = join(import.meta.dirname, '..', 'public', 'recordings', 'sync-stalls.hdl.gz')

class Verbs {
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  get canvas() {
    return this.#page.getByRole('application', { name: /^Timeline/ })
  }
  get field() {
    return this.#page.getByRole('searchbox', { name: 'Find spans' })
  }
  get count() {
    return this.#page.getByRole('search').getByRole('status')
  }
  get details() {
    return this.#page.getByRole('region', { name: 'Selection' })
  }
  get spoken() {
    return this.#page.getByTestId('timeline-announcer')
  }
  get path() {
    return this.#page.getByRole('region', { name: 'Critical path', exact: true })
  }
  button(name: string | RegExp) {
    return this.#page.locator('.tl-pane').getByRole('button', { name })
  }
  async press(...keys: readonly string[]): Promise<void> {
    await this.canvas.focus()
    for (const key of keys) await this.#page.keyboard.press(key)
  }
  /** The lanes as painted, once they hold still. */
  async picture(): Promise<string> {
    const read = () =>
      this.canvas
        .locator('canvas')
        .first()
        .evaluate((node: HTMLCanvasElement) => node.toDataURL())
    for (let last = await read(); ;) {
      await this.#page.waitForTimeout(400)
      const now = await read()
      if (now === last) return now
      last = now
    }
  }
}

async function open(lab: Lab): Promise<Verbs> {
  await lab.open('/run/sync-stalls')
  await lab.page.getByLabel('Open a saved run').setInputFiles(RECORDING)
  const verbs = new Verbs(lab.page)
  await expect(verbs.canvas.locator('canvas').first()).toBeVisible()
  return verbs
}

test('spans are found by name, stepped through, marked, and let go', async ({ lab, page }) => {
  const timeline = await open(lab)
  const before = await timeline.picture()
  await timeline.press('/')
  await expect(timeline.field).toBeFocused()
  await page.keyboard.type('MATMUL')
  await expect(timeline.count).toHaveText(/^[\d\s,.]+ found$/)
  expect(await timeline.picture()).not.toBe(before)
  await page.keyboard.press('Enter')
  await expect(timeline.count).toHaveText(/^[\d\s,.]+ of [\d\s,.]+$/)
  await expect(timeline.details).toContainText('matmul')
  const first = await timeline.count.innerText()
  await page.keyboard.press('Enter')
  await expect(timeline.count).not.toHaveText(first)
  await page.keyboard.press('Shift+Enter')
  await expect(timeline.count).toHaveText(first)
  await timeline.button('Next found span').click()
  await expect(timeline.count).not.toHaveText(first)
  await timeline.button('Previous found span').click()
  await expect(timeline.count).toHaveText(first)
  // On the canvas the keys go on.
  await timeline.press('F3')
  await expect(timeline.count).not.toHaveText(first)
  await timeline.press('Shift+F3')
  await expect(timeline.count).toHaveText(first)
  await timeline.field.focus()
  await page.keyboard.press('Escape')
  await expect(timeline.canvas).toBeFocused()
  await expect(timeline.field).toHaveValue('')
  await expect(timeline.count).toHaveText('')
})

test('a search that ends leaves no mark, and one that finds nothing says so', async ({ lab, page }) => {
  const timeline = await open(lab)
  const before = await timeline.picture()
  await timeline.press('Control+f')
  await expect(timeline.field).toBeFocused()
  await page.keyboard.type('no span is called so')
  await expect(timeline.count).toHaveText('none found')
  await page.keyboard.press('Enter')
  await expect(timeline.details).toBeHidden()
  await timeline.press('Escape')
  await expect(timeline.field).toHaveValue('')
  expect(await timeline.picture()).toBe(before)
})

test('kinds, lanes and submissions are found too', async ({ lab }) => {
  const timeline = await open(lab)
  const countOf = async (query: string): Promise<number> => {
    await timeline.field.fill(query)
    await expect(timeline.count).toHaveText(/found$/)
    return Number((await timeline.count.innerText()).replaceAll(/\D/g, ''))
  }
  const all = await countOf('host waiting')
  expect(all).toBeGreaterThan(10)
  // One submission: encoded, submitted, queued, its pass, and perhaps the wait for it.
  const one = await countOf('#600')
  expect(one).toBeGreaterThanOrEqual(3)
  expect(one).toBeLessThan(10)
  await timeline.field.press('Enter')
  await expect(timeline.spoken).toContainText('submission 600')
  await timeline.press('Escape')
  expect(await countOf('queue')).toBeGreaterThan(10)
})

test('one goes from cause to effect and back, by keys and by buttons', async ({ lab }) => {
  const timeline = await open(lab)
  await timeline.field.fill('#649')
  await timeline.field.press('Enter')
  // Its first span is the encoding, its last the wait: the submit() leads to the pass, the pass to the wait.
  await timeline.press('.')
  await expect(timeline.details).toContainText('submit()')
  await timeline.press('e')
  await expect(timeline.details).toContainText('compute pass')
  await timeline.button('What it caused').click()
  await expect(timeline.details).toContainText('host waiting')
  await expect(timeline.button('What it caused')).toHaveAttribute('aria-disabled', 'true')
  await timeline.press('E', 'E')
  await expect(timeline.details).toContainText('submit()')
  const chain = timeline.button('Whole chain')
  await expect(chain).toHaveAttribute('aria-pressed', 'false')
  await timeline.press('c')
  await expect(chain).toHaveAttribute('aria-pressed', 'true')
  await expect(timeline.details.getByRole('status')).toHaveText('2 arrows')
  await chain.click()
  await expect(chain).toHaveAttribute('aria-pressed', 'false')
})

test('the critical path of a run is drawn, told and taken away', async ({ lab }) => {
  const timeline = await open(lab)
  await timeline.picture()
  const toggle = timeline.button('Critical path')
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(timeline.path.getByRole('listitem')).toHaveCount(3)
  await expect(timeline.path).toContainText(/every-step, repeat \d/)
  await expect(timeline.spoken).toContainText(/Critical path of .*notice \d/)
  await expect(lab.page.getByRole('list', { name: 'Legend' })).toContainText('critical path')
  const zoom = timeline.path.getByRole('button', { name: /of every-step/ })
  await zoom.click()
  const drawn = await timeline.picture()
  await timeline.press('k')
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await expect(timeline.path).toBeHidden()
  expect(await timeline.picture()).not.toBe(drawn)
})

test('the critical path of an opened profile is that of its table', async ({ lab, page }) => {
  await lab.open('/trace?recording=torch-sync-stalls-stalled')
  const timeline = new Verbs(page)
  await expect(timeline.canvas.locator('canvas').first()).toBeVisible()
  await timeline.press('k')
  const row = page.getByTestId('critical-path').getByRole('row').filter({ hasText: 'notice' })
  const share = Number.parseFloat((await row.locator('td').nth(1).innerText()).replace(',', '.'))
  const words = await timeline.path.getByText(/^notice \d/).innerText()
  const told = Number.parseFloat(words.replace('notice', ''))
  // Both in per cent, the timeline to one decimal.
  expect(share).toBeGreaterThan(0)
  expect(Math.abs(told - share)).toBeLessThan(0.06)
})

test('merged spans are told of as such, and a double click tells them apart', async ({ lab, page }) => {
  const timeline = await open(lab)
  await timeline.press('0')
  await timeline.picture()
  await timeline.canvas.scrollIntoViewIfNeeded()
  const box = await timeline.canvas.boundingBox()
  if (!box) throw new Error('The timeline is not on the page.')
  const tooltip = page.locator('.tl-tooltip')
  // The whole run in a thousand pixels: somewhere on the host's lane spans share one.
  const find = async (): Promise<readonly [number, number] | null> => {
    for (let x = 0.3; x < 0.95; x += 0.02)
      for (let y = 60; y < 120; y += 8) {
        const at = [box.x + x * box.width, box.y + y] as const
        await page.mouse.move(...at)
        await page.waitForTimeout(20)
        if ((await tooltip.count()) > 0 && (await tooltip.innerText()).includes('share this pixel')) return at
      }
    return null
  }
  const at = await find()
  if (!at) throw new Error('Nothing is merged where much should be.')
  await expect(tooltip).toContainText(/^\d+ spans share this pixel/)
  await expect(tooltip).toContainText('longest')
  await expect(tooltip).toContainText(/\d.*% of the pixel’s/)
  const before = await timeline.picture()
  await page.mouse.dblclick(...at)
  expect(await timeline.picture()).not.toBe(before)
  await page.mouse.move(at[0] + 1, at[1])
  await page.waitForTimeout(100)
  expect((await tooltip.count()) > 0 ? await tooltip.innerText() : '').not.toContain('share this pixel')
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`search, causality and path keep to the rules of axe, ${colorScheme}`, async ({ lab, page }) => {
    await page.emulateMedia({ colorScheme })
    const timeline = await open(lab)
    await timeline.field.fill('submit')
    await timeline.field.press('Enter')
    await timeline.press('c', 'k')
    await expect(timeline.path).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).include('.tl-pane').analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  })
