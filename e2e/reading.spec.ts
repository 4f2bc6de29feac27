/** Files opened on the bench and imported among the kept runs: read in a worker, with progress, a way out, and reasons in words. */
import type { Locator, Page } from '@playwright/test'
import { bigFile, watchAndCancel } from './big-file'
import { expect, test } from './fixtures'
import { recordedOn, recordingPath } from './recordings'

const recording = (id: string): string => recordingPath(`${id}.hdl.gz`)

const chooseBigFile = async (page: Page, input: Locator): Promise<void> => {
  const big = await bigFile(page)
  await input.evaluate((element, transfer) => {
    if (!(element instanceof HTMLInputElement)) throw new Error('no input for files')
    element.files = transfer.files
    element.dispatchEvent(new Event('change', { bubbles: true }))
  }, big)
}

test('the bench: how far a file is, the way out, and why one cannot be opened', async ({ lab, page }) => {
  await lab.open('/run/sync-stalls')
  const door = page.getByLabel('Open a saved run')
  const device = await recordedOn('sync-stalls.hdl.gz')
  await door.setInputFiles(recording('sync-stalls'))
  await expect(page.getByTestId('ribbon')).toContainText(device)

  await chooseBigFile(page, door)
  await watchAndCancel(page)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByTestId('ribbon')).toContainText(device)

  await door.setInputFiles({ name: 'page.json', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('page.json')
  await expect(alert).toContainText('What can be opened')
  await expect(page.getByTestId('ribbon')).toContainText(device)

  await door.setInputFiles(recording('sync-stalls'))
  await expect(alert).toHaveCount(0)
})

test('the kept runs: how far a file is, the way out, and why one was not kept', async ({ lab, page }) => {
  await lab.open('/runs')
  const door = page.getByLabel('Import runs')
  await chooseBigFile(page, door)
  await watchAndCancel(page)
  const answers = page.getByTestId('import-answers')
  await expect(answers).toContainText('0 files of 1 kept')
  await expect(answers).toContainText('big.json: Cancelled, so it was not kept.')

  await door.setInputFiles([
    { name: 'page.json', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    {
      name: 'empty.json',
      mimeType: 'text/plain',
      buffer: Buffer.from(''),
    },
  ])
  await expect(answers).toContainText('page.json: ')
  await expect(answers).toContainText('empty.json: The file is empty.')
  await door.setInputFiles(recording('sync-stalls'))
  await expect(answers).toContainText('1 file of 1 kept')
  await expect(page.locator('.kept-row')).toHaveCount(1)
  await expect(page.getByTestId('reading')).toHaveCount(0)
})
