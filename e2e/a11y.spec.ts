/** No violation that axe finds on a page after its run; and the keyboard reaches the run. Pages without one: a11y-pages.spec. */
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'

test('no violation in a lesson after its run', async ({ lab, page }) => {
  await lab.openLesson('sync-stalls', shortSettings('sync-stalls'))
  await lab.predict()
  await lab.run()
  await lab.waitDone()
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Idle time' }).click()
  await expect(page.getByTestId('idle-table')).toBeVisible()
  await noViolationInAnyLook(page)
  await page.getByRole('tab', { name: 'All figures' }).click()
  await page.getByText('What is in view, as a table').click()
  await noViolationInAnyLook(page)
})

test('with the keyboard alone: from the top of the page to a finished run', async ({ lab, page }) => {
  await lab.openLesson('async-submission', shortSettings('async-submission'))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const focusByTab = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (await isThere()) return
    }
    throw new Error('Tab never got there.')
  }
  const slider = page.getByTestId('prediction').getByRole('slider')
  await focusByTab(() => slider.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // The button that was pressed is gone: the focus is on what comes next.
  await expect(lab.runButton).toBeFocused()
  await page.keyboard.press('Enter')
  await lab.waitDone()
})
