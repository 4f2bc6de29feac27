/** The timeline as a table, with the keyboard alone: what it has, and where the selection goes. */
import { expect, test } from './fixtures'

test('arrows walk the rows of what is in view; the canvas goes along, both ways', async ({
  page,
  timeline,
}) => {
  await timeline.openProfile('torch-sync-stalls-stalled')
  await timeline.press('t')
  const active = page.locator('.tl-table tr:has(:focus)')
  await expect(active).toHaveAttribute('aria-rowindex', '2')
  await expect(active).toBeInViewport()
  const count = Number(await page.locator('.tl-table').getAttribute('aria-rowcount'))
  expect(count).toBeGreaterThan(201)
  // Windowed: a page of rows, whatever there is.
  await expect(timeline.tableRows).toHaveCount(200)

  await timeline.pressHere('ArrowDown', 'PageDown', 'ArrowUp')
  await expect(active).toHaveAttribute('aria-rowindex', '12')
  await expect(active).toHaveAttribute('data-selected')
  const name = (await active.getByRole('button').textContent()) ?? '-'
  await expect(timeline.announcer).toContainText(name)
  await expect(timeline.selection).toContainText(name)
  await timeline.pressHere('End')
  await expect(active).toHaveAttribute('aria-rowindex', String(count))
  await timeline.pressHere('ArrowDown', 'Home')
  await expect(active).toHaveAttribute('aria-rowindex', '2')

  // The other way: a gap that is stepped to on the canvas is where the table goes on, on whatever
  // page.
  await timeline.pressHere('Escape')
  await expect(timeline.canvas).toBeFocused()
  await timeline.pressHere('g')
  await expect(timeline.announcer).toHaveText(/^device idle for/)
  await timeline.pressHere('t')
  await expect(active.getByRole('cell', { name: 'idle', exact: true })).toBeVisible()
  await expect(active).toHaveAttribute('data-selected')
  // Enter zooms to it: then there is little else in view.
  await timeline.pressHere('Enter')
  await expect
    .poll(async () => Number(await page.locator('.tl-table').getAttribute('aria-rowcount')))
    .toBeLessThan(50)
  await expect(active.getByRole('cell', { name: 'idle', exact: true })).toBeVisible()
})

test('a hand turns its pages and picks', async ({ page, timeline }) => {
  await timeline.openProfile('torch-sync-stalls-stalled')
  await page.getByText('What is in view, as a table').click()
  await expect(timeline.tableRows).toHaveCount(200)
  await expect(page.getByRole('button', { name: 'Rows before' })).toBeDisabled()
  await page.getByRole('button', { name: 'Rows after' }).click()
  await expect(timeline.tableRows.first()).toHaveAttribute('aria-rowindex', '202')
  const pick = timeline.tableRows.nth(2).getByRole('button')
  const name = (await pick.textContent()) ?? '-'
  await pick.click()
  await expect(timeline.announcer).toContainText(name)
  await expect(timeline.tableRows.nth(2)).toHaveAttribute('data-selected')
})
