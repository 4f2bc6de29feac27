/** The timeline of a run that goes on is followed. */
import { expect, test } from './fixtures'

test('it follows a run that goes on, lets go when one zooms, and comes back on a key', async ({
  lab,
  timeline,
}) => {
  await lab.openRun('async-submission', { steps: '64', repeats: '15', kernelMs: '4' })
  await lab.run()
  await lab.waitMeasuring()
  const follow = timeline.viewButton('Follow')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await timeline.press('w')
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await timeline.press('F')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await lab.cancelButton.click()
  await lab.waitEnded()
})
