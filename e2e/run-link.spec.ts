/** Two links of a run: its settings, which the recipient runs, and the run itself, which shows the recipient what the sender saw. */
import type { Page } from '@playwright/test'
import { TRACE_VERSION } from '../src/trace/schema'
import { expect, test } from './fixtures'

/** Its first digit is the format's version. */
const RUN = new RegExp(`/lessons/[\\w-]+/#see\\?d=${String(TRACE_VERSION)}[\\w-]+$`)

/** The lesson's See screen with its recording. */
async function seeRecording(page: Page, lesson: string): Promise<void> {
  await page.goto(`lessons/${lesson}/#see`)
  await page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(page.getByTestId('verdict')).toBeVisible()
}

/** What the page says of the run: the number, the verdict, each strip's figure and the share of its idle time. */
const shown = async (page: Page): Promise<readonly (readonly string[])[]> => {
  await expect(page.locator('.story-picture text').first()).toBeAttached()
  const verdict = await page.getByTestId('verdict').innerText()
  return [
    await page.getByTestId('headline-number').allInnerTexts(),
    // Whose machine it was shown on is another.
    [verdict.replace(/^.*?machine\. /, '')],
    await page.locator('.story-name').allInnerTexts(),
    await page.locator('.story-picture text').allTextContents(),
  ]
}

const menu = async (page: Page, item: string): Promise<string> => {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: item }).click()
  await expect(share.getByText(/^Link copied: [\d,]+ characters/)).toBeVisible()
  return await page.evaluate(() => navigator.clipboard.readText())
}

for (const lesson of ['sync-stalls', 'overlapped-uploads', 'worth-it'])
  test(`${lesson}: the recipient of a run sees the sender's figures, and nothing of their own changes`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await seeRecording(page, lesson)
    const sent = await shown(page)
    expect(sent[3]?.length).toBeGreaterThan(0)
    const link = await menu(page, 'Copy a link with this result in it')
    expect(link).toMatch(RUN)
    expect(link.length).toBeLessThan(32_768)

    // A browser of its own: nothing of the sender's is kept there.
    const other = await context.browser()?.newContext()
    if (!other) throw new Error('no browser')
    const theirs = await other.newPage()
    await theirs.goto(link)
    await expect(theirs.getByTestId('shared-note')).toContainText('Shared with you, measured on NVIDIA H200')
    await expect(theirs.getByTestId('shared-note')).toContainText('Nothing was measured on your machine.')
    expect(await shown(theirs)).toEqual(sent)
    // Small recordings may travel whole; of these three a part is left out, which is stated.
    await expect(
      theirs.getByText(/^The link holds every figure of the run and part of its trace/),
    ).toBeVisible()
    await theirs.reload()
    await expect(theirs.getByTestId('shared-note')).toBeVisible()
    await theirs.getByText('All its figures, charts and the timeline').click()
    await expect(theirs.getByTestId('timeline').getByRole('application')).toBeVisible()
    // Their own lesson stands where it stood: nothing measured, nothing predicted.
    await theirs.goto('about:blank')
    await theirs.goto(link.replace(/\?d=.*$/, ''))
    await expect(theirs.getByText('Nothing has been measured yet.')).toBeVisible()
    await other.close()
  })

test('a shared run leaves the visitor their own', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seeRecording(page, 'sync-stalls')
  // PyTorch's figure is worked out from a file that comes later.
  await expect(page.getByTestId('headline')).toContainText('PyTorch')
  const own = await page.getByTestId('headline').innerText()
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
    theirs.getByTestId('asked-settings').getByRole('button', { name: 'Run it on yours' }),
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
  await page.goto('about:blank')
  await page.goto(link.replace('/sync-stalls/', '/worth-it/'))
  await expect(page.getByText('The link holds a run of ‘sync-stalls’')).toBeVisible()
})

test('the bench: a run travels with its figures, and Run runs its settings', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('run/sync-stalls/')
  await page.getByLabel('Open a saved run').setInputFiles('public/recordings/sync-stalls.hdl.gz')
  await expect(page.getByTestId('verdict')).toBeVisible()
  const table = page.getByTestId('idle-table')
  const causes = await table.innerText()
  const verdict = await page.getByTestId('verdict').innerText()
  await page.getByRole('button', { name: 'Copy link with this run' }).click()
  await expect(page.getByText(/Link copied: [\d,]+ characters\. The link holds every figure/)).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByTestId('shared-note')).toContainText('Shared with you')
  expect(await page.getByTestId('verdict').innerText()).toBe(verdict)
  expect(await table.innerText()).toBe(causes)
  await expect(page.getByRole('button', { name: 'Run it on yours' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy link to these settings' }).click()
  await expect(page.getByText(/Link copied: \d{2,3} characters\. It holds the settings only/)).toBeVisible()
})

test('a link from before: the trace page opens it, and leads to its figures', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await seeRecording(page, 'sync-stalls')
  const link = await menu(page, 'Copy a link with this result in it')
  await page.goto('about:blank')
  await page.goto(link.replace(/lessons\/.*\?/, 'trace/#?'))
  await expect(page.getByRole('heading', { level: 1, name: 'A run from a link' })).toBeVisible()
  await expect(page.getByTestId('timeline').getByRole('application')).toBeVisible()
  await page.getByRole('link', { name: 'The figures and the verdict as its sender saw them' }).click()
  await expect(page.getByTestId('shared-note')).toBeVisible()
  await expect(page.getByTestId('verdict')).toBeVisible()
})

test('a browser that gives no clipboard shows the link instead', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await seeRecording(page, 'overlapped-uploads')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const share = page.getByRole('group', { name: 'Share this run' })
  await share.getByRole('button', { name: 'Copy a link with this result in it' }).click()
  await expect(share.getByRole('textbox', { name: 'Link to copy' })).toHaveValue(RUN)
  await expect(share.getByText(/^Here is the link.*part of its trace/)).toBeVisible()
})
