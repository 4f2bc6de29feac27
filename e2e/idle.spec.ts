/**
 * Why the device was idle: causes named, gaps shown, predictions, and the run that puts one to the
 * test.
 */
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { recordingPath } from './recordings'
import { RUN_TIMEOUT_MS } from './lab'

const RECORDING = recordingPath('sync-stalls.hdl.gz')
const changeOf = (idle: Locator, variant: string, cause: string): Locator =>
  idle.locator(`[data-testid=change][data-variant="${variant}"][data-cause="${cause}"]`)

test('names the causes of a run, shows a gap of one, and predicts what would be without one', async ({
  lab,
  page,
}) => {
  await lab.openRun('sync-stalls')
  await page.locator('.file-button input[type=file]').setInputFiles(RECORDING)
  const idle = page.getByTestId('idle')
  const waited = idle.locator('[data-testid=idle-cause][data-variant=every-step][data-cause=host-late]')
  await expect(waited).toBeVisible()

  // A gap between each two steps of a repeat, each a place in the timeline.
  const longest = waited.getByRole('button')
  await expect(longest).toHaveAccessibleName(/Show the longest of \d+ gaps in every-step: host was late/)
  await longest.click()
  await expect(idle.getByText('The longest gap of this cause in every-step is selected')).toBeVisible()
  await expect(lab.timeline.getByRole('heading', { name: /device idle, host was late/ })).toBeVisible()

  // The recording holds the variant that never reads: the prediction is tested at once.
  const change = changeOf(idle, 'every-step', 'host-waited')
  const outcome = change.getByTestId('change-outcome')
  await expect(outcome).toHaveAttribute('data-outcome', 'as-predicted')
  await expect(outcome).toContainText('never: as predicted. In it, nothing is read back')
  const ms = async (which: string) =>
    Number(await change.getByTestId(`change-${which}`).getAttribute('data-ms'))
  expect(await ms('predicted')).toBeLessThan(await ms('now'))
  expect(await ms('measured')).toBeLessThan(await ms('now'))
})

test('runs the variant that puts a prediction to the test, live', async ({ lab, page }) => {
  test.setTimeout(2 * RUN_TIMEOUT_MS)
  // One variant: there is a prediction, and nothing yet to test it.
  await lab.openRun('sync-stalls', { steps: '6', repeats: '2', kernelMs: '1', every: 'every-step' })
  await lab.run()
  const idle = page.getByTestId('idle')
  await expect(idle).toBeVisible()
  await lab.waitDone()
  await expect(idle.getByTestId('idle-cause').first()).toBeVisible()
  const change = changeOf(idle, 'every-step', 'host-waited')
  await expect(change.getByTestId('change-predicted')).toBeVisible()
  await expect(change.getByTestId('change-measured')).toBeHidden()

  await change.getByRole('button', { name: 'Run it: every-step against never' }).click()
  // A run of half a second may be over before a Cancel is seen: that it took place, its figures
  // show.
  await expect(page).toHaveURL(/every=never%2Cevery-step|every=never,every-step/)
  await lab.waitDone()
  const measured = change.getByTestId('change-measured')
  await expect(measured).toBeVisible()
  expect(Number(await measured.getAttribute('data-ms'))).toBeGreaterThan(0)
  // Whichever it is on this machine: it is one of the five.
  await expect(change.getByTestId('change-outcome')).toHaveAttribute(
    'data-outcome',
    /^(as-predicted|faster|slower|not-decided|no-gain)$/,
  )
})
