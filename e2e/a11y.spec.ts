/** No violation that axe finds on a lesson's screens while and after the device ran. Those that only show recordings: a11y-pages.spec. */
import { noViolationInAnyLook } from './a11y'
import { violations } from './axe'
import { expect, IS_LONG, test } from './fixtures'
import { shortSettings } from './lab'

test('no violation on the screens of a lesson that was run', async ({ lab, page }) => {
  await test.step('while it runs', async () => {
    await lab.openLesson('sync-stalls', {
      screen: 'predict',
      settings: { ...shortSettings('sync-stalls'), steps: '64', repeats: '15', kernelMs: '4' },
    })
    await lab.predict()
    await lab.run()
    await lab.waitMeasuring()
    expect(await violations(page)).toEqual([])
    await lab.cancelButton.click()
    await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
  await test.step('what was measured', async () => {
    await lab.runLesson('sync-stalls')
    await expect(page.getByTestId('strips').locator('svg').first()).toBeVisible()
    // Of a recording, however it looks: a11y-pages.spec.
    if (IS_LONG) await noViolationInAnyLook(page)
    else expect(await violations(page)).toEqual([])
  })
  await test.step('before and after', async () => {
    await lab.runStep('sync-stalls', 'longer')
    await expect(page.getByTestId('before-after').getByTestId('strips')).toHaveCount(1)
    await noViolationInAnyLook(page)
  })
})
