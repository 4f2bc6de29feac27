/** Two links of a run: its settings, which the recipient runs, and what it came to, which says what the sender saw. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { keptRuns } from './kept-runs'

/** Settings that differ from the lesson’s own stand before it. */
const RESULT = /\/lessons\/[\w-]+\/#see\?(?:\w+=[\w.,-]+&)*result=1[\w-]+$/

/** The lesson's See screen with its recording. */
async function seeRecording(page: Page, lesson: string): Promise<void> {
  await page.goto(`lessons/${lesson}/#see`)
  await page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(page.getByTestId('verdict')).toBeVisible()
}

/** What the page says of the run: the number and the verdict. */
const shown = async (page: Page): Promise<readonly (readonly string[])[]> => {
  const verdict = await page.getByTestId('verdict').innerText()
  return [
    await page.getByTestId('headline-number').allInnerTexts(),
    // Whose machine it was shown on is another.
    [verdict.replace(/^.*?machine\. /, '')],
  ]
}

const menu = async (page: Page, item: string): Promise<string> => {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: item }).click()
  await expect(share.getByText(/^Link copied: [\d,]+ characters/)).toBeVisible()
  return await page.evaluate(() => navigator.clipboard.readText())
}

test("the recipient of a result sees the sender's figures, and nothing of their own changes", async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seeRecording(page, 'sync-stalls')
  const sent = await shown(page)
  const link = await menu(page, 'Copy a link with this result in it')
  expect(link).toMatch(RESULT)
  expect(link.length).toBeLessThan(2000)

  // A browser of its own: nothing of the sender's is kept there.
  const other = await context.browser()?.newContext()
  if (!other) throw new Error('no browser')
  const theirs = await other.newPage()
  await theirs.goto(link)
  await expect(theirs.getByTestId('shared-note')).toContainText('Shared with you, measured on NVIDIA H200')
  await expect(theirs.getByTestId('shared-note')).toContainText('Nothing was measured on your machine.')
  expect(await shown(theirs)).toEqual(sent)
  await theirs.reload()
  await expect(theirs.getByTestId('shared-note')).toBeVisible()
  // Their own lesson stands where it stood: nothing measured, nothing predicted.
  await theirs.goto('about:blank')
  await theirs.goto(link.replace(/\?.*$/, ''))
  await expect(theirs.getByText('Nothing has been measured yet.')).toBeVisible()
  await other.close()
})

test('a shared run leaves the visitor their own', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seeRecording(page, 'sync-stalls')
  // PyTorch's figure is worked out from a file that comes later.
  await expect(page.getByTestId('headline')).toContainText('PyTorch')
  const own = await page.getByTestId('headline').innerText()
  await expect.poll(() => keptRuns(page)).toContain('sync-stalls/first')
  const link = await menu(page, 'Copy a link with this result in it')
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByTestId('shared-note')).toBeVisible()
  await page.getByRole('link', { name: 'Your own last run' }).click()
  await expect(page.getByTestId('shared-note')).toHaveCount(0)
  await expect(page.getByTestId('headline')).toContainText('PyTorch')
  expect(await page.getByTestId('headline').innerText()).toBe(own)
})

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

test('a link that was cut says so, and the lesson is one press away', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seeRecording(page, 'sync-stalls')
  const link = await menu(page, 'Copy a link with this result in it')
  await page.goto('about:blank')
  await page.goto(link.slice(0, -7))
  await expect(page.getByText('cut or changed on its way')).toBeVisible()
  await page.getByRole('link', { name: 'To the question' }).click()
  await expect(page.getByTestId('prediction')).toBeVisible()
})

test('a browser that gives no clipboard shows the link instead', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await seeRecording(page, 'overlapped-uploads')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: 'Copy a link with this result in it' }).click()
  await expect(share.getByRole('textbox', { name: 'Link to copy' })).toHaveValue(RESULT)
  await expect(share.getByText(/^Here is the link.*the figure of the headline/)).toBeVisible()
})
