/** No violation that axe finds on any page, in light, dark and forced colours and 390 px wide. After a run: a11y.spec. */
import { noViolationInAnyLook } from './a11y'
import { expect, test } from './fixtures'

const ROUTES = [
  '/',
  '/device',
  '/method',
  '/lessons/async-submission',
  '/run',
  '/run/sync-stalls',
  '/run/sync-stalls?steps=0',
  '/runs',
  '/compare',
  '/compare?a=recording:sync-stalls&b=recording:async-submission',
  '/trace',
  '/trace?recording=none',
  '/nowhere',
]

for (const route of ROUTES)
  test(`${route}: no violation, however it looks`, async ({ lab, page }) => {
    await lab.open(route)
    // Its figure comes when the device was measured.
    if (route === '/device') await expect(page.getByTestId(/^figure-/).first()).toBeVisible()
    await noViolationInAnyLook(page)
  })

test('no violation with a trace open', async ({ lab, page }) => {
  await lab.open('/trace?recording=torch-overlapped-uploads-pageable')
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await page.getByRole('button', { name: 'Longest gap: host waited' }).click()
  await page.getByTestId('critical-path').locator('summary').first().click()
  await page.getByText('Recordings to compare with').click()
  await page.getByRole('button', { name: 'Browse as a tree' }).click()
  await noViolationInAnyLook(page)
})
