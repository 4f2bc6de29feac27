/** A run travels whole in a link: copied on one page, opened on another, refused with a reason where it was cut. */
import { TRACE_VERSION } from '../src/trace/schema'
import { expect, test } from './fixtures'

/** Its first digit is the format's version. */
const LINK = new RegExp(`#/trace\\?d=${String(TRACE_VERSION)}[\\w-]+$`)

test('a run is copied as a link, and opens from it', async ({ lab, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await lab.openLesson('sync-stalls')
  await lab.predict()
  await page.getByRole('button', { name: 'Show the recorded run' }).click()
  await expect(page.getByTestId('verdict')).toBeVisible()
  await lab.timeline.getByRole('application').press('g')
  const notes = page.getByTestId('notes')
  await notes.getByRole('textbox').fill('look <i>here</i>')
  await notes.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('tab', { name: 'All figures' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  // A recording is larger than an address bears: its last repeats travel. round-trips.spec sends a small one whole.
  await expect(page.getByText(/Link copied: [\d,]+ characters, which hold part of it/)).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link.length).toBeLessThan(32_768)

  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { level: 1, name: 'A run from a link' })).toBeVisible()
  await expect(other.getByTestId('timeline').getByRole('application')).toBeVisible()
  await expect(other.getByTestId('notes').getByText('look <i>here</i>')).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { level: 1, name: 'A run from a link' })).toBeVisible()

  await other.goto('about:blank')
  await other.goto(link.slice(0, -7))
  await expect(other.getByText('cut or changed on its way')).toBeVisible()
})

test('a browser that gives no clipboard shows the link instead', async ({ lab, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await lab.openLesson('overlapped-uploads')
  await lab.predict()
  await page.getByRole('button', { name: 'Show the recorded run' }).click()
  await page.getByRole('tab', { name: 'All figures' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('textbox', { name: 'Link to this run' })).toHaveValue(LINK)
  await expect(page.getByText(/which hold part of it\. Of \d+ spans/)).toBeVisible()
})
