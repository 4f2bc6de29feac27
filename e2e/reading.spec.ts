/** Files opened on the bench and imported among the kept runs: read in a worker, with progress, a way out, and reasons in words. */
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'

const recording = (id: string): string =>
  join(import.meta.dirname, '..', 'public', 'recordings', `${id}.hdl.gz`)

/** Some 40 MB, made in the page: it is the reading that is tried, not the way there. */
const chooseBigFile = (input: Locator): Promise<void> =>
  input.evaluate((element) => {
    if (!(element instanceof HTMLInputElement)) throw new Error('no input for files')
    const event = (index: number) =>
      `{"ph":"X","name":"kernel_${String(index % 500)}","cat":"gpu","ts":${String(index * 3)},"dur":2,"pid":1,"tid":${String(index % 8)}}`
    const lines = Array.from({ length: 2000 }, (_, index) => event(index)).join(',')
    const parts = ['{"traceEvents":[', ...Array.from({ length: 280 }, () => `${lines},`), event(1), ']}']
    const transfer = new DataTransfer()
    transfer.items.add(new File(parts, 'big.json'))
    element.files = transfer.files
    element.dispatchEvent(new Event('change', { bubbles: true }))
  })

async function watchAndCancel(page: Page): Promise<void> {
  const reading = page.getByTestId('reading')
  await expect(reading).toContainText('big.json')
  await expect(reading.getByRole('status')).toContainText('Reading the events')
  await expect(reading.getByRole('progressbar')).not.toHaveAttribute('value', '0')
  await reading.getByRole('button', { name: 'Cancel' }).click()
  await expect(reading).toHaveCount(0)
}

test('the bench: how far a file is, the way out, and why one cannot be opened', async ({ lab, page }) => {
  await lab.open('/run/sync-stalls')
  const door = page.getByLabel('Open a saved run')
  await door.setInputFiles(recording('sync-stalls'))
  await expect(page.getByTestId('ribbon')).toContainText('NVIDIA H200')

  await chooseBigFile(door)
  await watchAndCancel(page)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByTestId('ribbon')).toContainText('NVIDIA H200')

  await door.setInputFiles({ name: 'page.json', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('page.json')
  await expect(alert).toContainText('What can be opened')
  await expect(page.getByTestId('ribbon')).toContainText('NVIDIA H200')

  await door.setInputFiles(recording('sync-stalls'))
  await expect(alert).toHaveCount(0)
})

test('the kept runs: how far a file is, the way out, and why one was not kept', async ({ lab, page }) => {
  await lab.open('/runs')
  const door = page.getByLabel('Import runs')
  await chooseBigFile(door)
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
