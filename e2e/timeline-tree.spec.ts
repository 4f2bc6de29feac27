/** The timeline as a tree, with the keyboard alone: what it has, where the selection goes, and what is said of a run as it goes. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'

class TreeVerbs {
  readonly tree: Locator
  readonly canvas: Locator
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
    this.tree = page.getByTestId('timeline-tree')
    this.canvas = page.getByTestId('timeline').getByRole('application')
  }
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }
  /** The row that aria-activedescendant names: what a screen reader is on. */
  async active(): Promise<Locator> {
    const id = (await this.tree.getAttribute('aria-activedescendant')) ?? ''
    return this.tree.locator(`[id="${id}"]`)
  }
}

test('arrows walk groups, lanes, spans and gaps; the canvas goes along, both ways', async ({ lab, page }) => {
  const verbs = new TreeVerbs(page)
  await lab.open('/trace?recording=sync-stalls')
  await expect(verbs.canvas).toBeVisible()
  await verbs.canvas.focus()
  await verbs.press('t')
  await expect(verbs.tree).toBeFocused()
  await expect(verbs.tree).toBeInViewport()
  await expect(verbs.tree.getByRole('treeitem')).toHaveCount(6)

  await verbs.press('Home', 'ArrowRight')
  await expect(await verbs.active()).toHaveAttribute('aria-level', '2')
  await verbs.press('ArrowRight')
  await expect(await verbs.active()).toHaveAttribute('aria-expanded', 'true')
  await verbs.press('ArrowRight')
  const first = await verbs.active()
  await expect(first).toHaveAttribute('aria-level', '3')
  await expect(first).toHaveAttribute('aria-posinset', '1')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  const spoken = page.getByTestId('timeline-announcer')
  await expect(spoken).toHaveText((await first.textContent()) ?? '-')
  const size = Number(await first.getAttribute('aria-setsize'))
  expect(size).toBeGreaterThan(100)
  // Windowed: some dozens of rows, whatever there is.
  expect(await verbs.tree.getByRole('treeitem').count()).toBeLessThan(50)

  await verbs.press('PageDown', 'ArrowDown')
  await expect(await verbs.active()).toHaveAttribute('aria-posinset', '12')
  await expect(spoken).toHaveText((await (await verbs.active()).textContent()) ?? '-')
  await verbs.press('ArrowLeft')
  await expect(await verbs.active()).toHaveAttribute('aria-level', '2')
  await verbs.press('ArrowLeft', 'ArrowLeft')
  await expect(await verbs.active()).toHaveAttribute('aria-level', '1')
  await verbs.press('d')
  await expect(await verbs.active()).toHaveText(/^device, 1 lane/)

  // The other way: a gap that is stepped to on the canvas is where the tree goes on.
  await verbs.press('Escape')
  await expect(verbs.canvas).toBeFocused()
  await verbs.press('g')
  await expect(spoken).toHaveText(/^device idle for/)
  const said = await spoken.textContent()
  await verbs.press('t')
  await expect.poll(async () => (await verbs.active()).textContent()).toBe(said)
  // Enter zooms to it: then there is little else in view.
  await verbs.press('Enter')
  await expect
    .poll(async () => Number(await (await verbs.active()).getAttribute('aria-setsize')))
    .toBeLessThan(10)
  await expect(await verbs.active()).toHaveText(said ?? '-')
})

test('it can be kept in sight, and a hand can open and pick', async ({ lab, page }) => {
  const verbs = new TreeVerbs(page)
  await lab.open('/trace?recording=torch-sync-stalls-stalled')
  await expect(verbs.canvas).toBeVisible()
  const toggle = page.getByRole('button', { name: 'Browse as a tree' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(verbs.tree).toBeFocused()
  const lane = verbs.tree.getByRole('treeitem', { name: /^thread 473/ })
  await expect(lane).toHaveAttribute('aria-expanded', 'false')
  await lane.click()
  const span = verbs.tree.getByRole('treeitem', { name: /aten::squeeze/ }).first()
  await span.click()
  await expect(page.getByTestId('timeline-announcer')).toContainText('aten::squeeze')
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('aten::squeeze')
  await toggle.click()
  await page.mouse.move(0, 0)
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
})

test('a live run is announced as begun and as done, once each, and not in a stream', async ({
  lab,
  page,
}) => {
  await lab.openRun('sync-stalls', shortSettings('sync-stalls'))
  await page.evaluate(() => {
    const heard: { text: string; atMs: number }[] = []
    Object.assign(globalThis, { heard })
    new MutationObserver(() => {
      const text = document.querySelector('[data-testid="run-announcer"]')?.textContent ?? ''
      if (text !== '' && heard.at(-1)?.text !== text) heard.push({ text, atMs: performance.now() })
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await lab.run()
  await lab.waitEnded()
  await expect(page.getByTestId('run-announcer')).toHaveText(/^The run is done: [\d\s,]+ spans?, /)
  const heard = await page.evaluate(
    () => (globalThis as typeof globalThis & { heard: { text: string; atMs: number }[] }).heard,
  )
  expect(heard[0]?.text).toBe('The run has begun.')
  expect(heard.filter(({ text }) => text.startsWith('The run is done'))).toHaveLength(1)
  for (const [at, { atMs }] of heard.entries())
    if (at > 0) expect(atMs - (heard[at - 1]?.atMs ?? 0)).toBeGreaterThan(900)
})
