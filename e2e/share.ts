/** The menu 'Share' of a run: opened where it is not, then pressed. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

export async function shareItem(page: Page, name: string | RegExp): Promise<Locator> {
  const menu = page.getByRole('group', { name: 'Share this run' })
  if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Share', exact: true }).click()
  return menu.getByRole('button', { name, exact: true })
}

/** What comes of an item that saves a file. */
export async function savedBy(page: Page, name: string | RegExp): Promise<Buffer> {
  const item = await shareItem(page, name)
  const download = page.waitForEvent('download')
  await item.click()
  return readFile(await (await download).path())
}
