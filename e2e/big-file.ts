/** A file that takes a while to read, and what a visitor does meanwhile. */
import { expect, type JSHandle, type Page } from '@playwright/test'

/** Some 40 MB as 'big.json', made in the page: it is the reading that is tried, not the way there. */
export const bigFile = (page: Page): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(() => {
    const event = (index: number) =>
      `{"ph":"X","name":"kernel_${String(index % 500)}","cat":"gpu","ts":${String(index * 3)},"dur":2,"pid":1,"tid":${String(index % 8)}}`
    const lines = Array.from({ length: 2000 }, (_, index) => event(index)).join(',')
    const parts = ['{"traceEvents":[', ...Array.from({ length: 280 }, () => `${lines},`), event(1), ']}']
    const transfer = new DataTransfer()
    transfer.items.add(new File(parts, 'big.json'))
    return transfer
  })

/** Sees how far it is, and lets it be. */
export async function watchAndCancel(page: Page): Promise<void> {
  const reading = page.getByTestId('reading')
  await expect(reading).toContainText('big.json')
  await expect(reading.getByRole('status')).toContainText('Reading the events')
  await expect(reading.getByRole('progressbar')).not.toHaveAttribute('value', '0')
  await reading.getByRole('button', { name: 'Cancel' }).click()
  await expect(reading).toHaveCount(0)
}
