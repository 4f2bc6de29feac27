/** Why the device was idle: causes named, gaps stepped to, a prediction, and the run that puts it to the test. */
import { expect, test } from './fixtures'
import { recordingPath } from './recordings'
import { RUN_TIMEOUT_MS } from './lab'

const RECORDING = recordingPath('sync-stalls.hdl.gz')

test('names the causes of a run, steps from gap to gap, and predicts what would be without one', async ({
  lab,
  page,
}) => {
  await lab.openRun('sync-stalls')
  await page.locator('.file-button input[type=file]').setInputFiles(RECORDING)
  const idle = page.getByTestId('idle')
  const waited = idle.locator('[data-testid=idle-cause][data-variant=every-step][data-cause=host-waited]')
  await expect(waited).toBeVisible()

  // 5 repeats of 32 steps: 155 gaps between them, each a place in the timeline.
  const next = waited.getByRole('button')
  await expect(next).toHaveAccessibleName(/Show the next of 155 gaps in every-step: host waited/)
  await next.click()
  await expect(idle.getByText('Gap 1 of 155 in every-step is selected')).toBeVisible()
  await expect(lab.timeline.getByRole('heading', { name: /device idle, host waited/ })).toBeVisible()
  const announcer = page.getByTestId('timeline-announcer')
  const first = await announcer.textContent()
  await next.click()
  await expect(idle.getByText('Gap 2 of 155 in every-step is selected')).toBeVisible()
  await expect(announcer).not.toHaveText(first ?? '')

  // The recording holds the variant that never reads: the prediction is tested at once.
  const verdict = idle.getByTestId('what-if-verdict')
  await expect(verdict).toHaveAttribute('data-outcome', 'as-predicted')
  await expect(verdict).toContainText('In never, nothing is read back')
  const ms = async (which: string) =>
    Number(await idle.getByTestId(`what-if-${which}`).getAttribute('data-ms'))
  expect(await ms('predicted')).toBeLessThan(await ms('now'))
  expect(await ms('measured')).toBeLessThan(await ms('now'))

  // Another question: nothing mends launch overhead, and the panel says so.
  await idle.getByLabel('Without').selectOption({ label: '‘launch overhead’ in never' })
  await expect(idle.getByText('No variant of this experiment goes without it')).toBeVisible()
  await expect(verdict).toBeHidden()
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
  const whatIf = idle.getByTestId('what-if')
  await whatIf.getByLabel('Without').selectOption({ label: '‘host waited’ in every-step' })
  await expect(whatIf.getByTestId('what-if-predicted')).toBeVisible()
  await expect(whatIf.getByTestId('what-if-verdict')).toBeHidden()

  await whatIf.getByRole('button', { name: 'Run it: every-step against never' }).click()
  // A run of half a second may be over before a Cancel is seen: that it took place, its figures show.
  await expect(page).toHaveURL(/every=never%2Cevery-step|every=never,every-step/)
  await lab.waitDone()
  await whatIf.getByLabel('Without').selectOption({ label: '‘host waited’ in every-step' })
  const measured = whatIf.getByTestId('what-if-measured')
  await expect(measured).toBeVisible()
  expect(Number(await measured.getAttribute('data-ms'))).toBeGreaterThan(0)
  // Whichever it is on this machine: it is one of the five, and says its figures.
  const verdict = whatIf.getByTestId('what-if-verdict')
  await expect(verdict).toHaveAttribute('data-outcome', /^(as-predicted|faster|slower|not-decided|no-gain)$/)
  await expect(verdict).toContainText('a repeat of never took')
})

test('a lesson has it among the tabs of its instrument', async ({ lab, page }) => {
  await lab.openLesson('sync-stalls', { screen: 'instrument' })
  await expect(page.getByText('Nothing has been measured here yet.')).toBeVisible()
  await lab.playRecording('sync-stalls')
  await lab.openLesson('sync-stalls', { screen: 'instrument' })
  await page.getByRole('tab', { name: 'Idle time' }).click()
  await expect(page.getByTestId('idle-table')).toBeVisible()
  await expect(page.getByTestId('what-if-verdict')).toHaveAttribute('data-outcome', 'as-predicted')
})
