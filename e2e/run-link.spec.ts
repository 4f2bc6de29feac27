/** The link to a run's settings, which the recipient runs. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** The lesson's See screen with its recording. */
async function seeRecording(page: Page, lesson: string): Promise<void> {
  await page.goto(`lessons/${lesson}/#see`)
  await page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(page.getByTestId('verdict')).toBeVisible()
}

const menu = async (page: Page, item: string): Promise<string> => {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: item }).click()
  await expect(share.getByText('Link copied.')).toBeVisible()
  return await page.evaluate(() => navigator.clipboard.readText())
}

test('a link of settings is short, opens the same lesson and screen, and offers to run them', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('lessons/sync-stalls/#change/longer')
  await seeRecording(page, 'sync-stalls')
  const link = await menu(page, 'Copy a link to these settings')
  expect(link).toContain('/lessons/sync-stalls/#see')
  expect(link.length).toBeLessThan(300)
  const other = await context.browser()?.newContext()
  if (!other) throw new Error('no browser')
  const theirs = await other.newPage()
  await theirs.goto(`${link.replace(/\?.*$/, '')}?kernelMs=4`)
  await expect(theirs.getByTestId('asked-settings')).toContainText(/4.ms/)
  await expect(theirs.getByTestId('stage')).toHaveCount(0)
  await expect(
    theirs.getByTestId('asked-settings').getByRole('button', { name: 'Run it on your machine' }),
  ).toBeEnabled()
  await other.close()
})

test('a browser that gives no clipboard shows the link instead', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await seeRecording(page, 'overlapped-uploads')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: 'Copy a link to these settings' }).click()
  await expect(
    share.getByText(/^Here is the link: .*\/lessons\/overlapped-uploads\/#see.*only the settings/),
  ).toBeVisible()
})
