/** Runs kept in the browser's own IndexedDB, over reloads: kept, listed, opened, renamed, deleted, brought back, saved, imported. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { recordedOn, recordingPath } from './recordings'

const recording = (id: string): string => recordingPath(`${id}.hdl.gz`)

class RunsVerbs {
  readonly #page: Page
  constructor(page: Page) {
    this.#page = page
  }
  async import(...ids: readonly string[]): Promise<void> {
    await this.#page.getByLabel('Import runs').setInputFiles(ids.map(recording))
    await expect(this.#page.getByTestId('import-answers')).toContainText(`${String(ids.length)} kept`)
  }
  row(name: string): Locator {
    return this.#page
      .locator('.kept-row')
      .filter({ has: this.#page.getByRole('heading', { name, exact: true }) })
  }
  async press(action: string, name: string): Promise<void> {
    await this.#page.getByRole('button', { name: `${action}: ${name}`, exact: true }).click()
  }
}

test('a run on the page is kept under a name, and is there after a reload', async ({ lab, page }) => {
  await lab.open('/run/sync-stalls')
  await page.getByLabel('Open a saved run').setInputFiles(recording('sync-stalls'))
  await page.getByLabel('Keep this run as').fill('the stalled one')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByTestId('keep')).toContainText('Kept in this browser as the stalled one')
  await expect(page.getByRole('contentinfo')).toContainText('1 run is kept in this browser only')
  await lab.open('/runs')
  await page.reload()
  const row = new RunsVerbs(page).row('the stalled one')
  await expect(row).toContainText(await recordedOn('sync-stalls.hdl.gz'))
  await expect(row).toContainText('Device busy')
  await new RunsVerbs(page).press('Open', 'the stalled one')
  await expect(page.getByTestId('verdict')).toBeVisible()
  await expect(page.getByTestId('ribbon')).toContainText(await recordedOn('sync-stalls.hdl.gz'))
})

test('renamed, deleted, brought back by the keyboard; and over a reload too', async ({ lab, page }) => {
  const runs = new RunsVerbs(page)
  await lab.open('/runs')
  await runs.import('sync-stalls')
  await runs.press('Rename', 'sync-stalls')
  await page.getByLabel('New name of sync-stalls').fill('<b>mine</b>')
  await page.keyboard.press('Enter')
  await expect(runs.row('<b>mine</b>')).toBeVisible()
  await runs.press('Delete', '<b>mine</b>')
  await expect(page.locator('.kept-row')).toHaveCount(0)
  const undo = page.getByRole('button', { name: /^Undo: bring back/ })
  await expect(undo).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(runs.row('<b>mine</b>')).toBeVisible()
  await runs.press('Delete', '<b>mine</b>')
  await expect(undo).toBeVisible()
  await page.reload()
  await undo.click()
  await expect(runs.row('<b>mine</b>')).toBeVisible()
})

test('the last run of a lesson is listed without being kept by hand, and leads back', async ({
  lab,
  page,
}) => {
  await lab.playRecording('sync-stalls')
  const number = await page.getByTestId('headline-number').locator('strong').innerText()
  await lab.open('/runs')
  const row = page.getByTestId('lesson-runs').getByRole('listitem')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('recorded on NVIDIA H200')
  await row.getByRole('link', { name: /^Open/ }).click()
  await expect(page.getByTestId('headline-number').locator('strong')).toHaveText(number)
})
