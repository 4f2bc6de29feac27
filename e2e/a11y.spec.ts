/**
 * No violation that axe finds on any page, in the light and on a dark phone; also while the device
 * runs and after it.
 */
import { noViolationInAnyLook, violations } from './a11y'
import { expect, LONG, test } from './fixtures'
import { shortSettings } from './lab'

test('what is wrong is found, in a document that was looked at before too', async ({ lab, page }) => {
  await lab.open('/method')
  expect(await violations(page)).toEqual([])
  await page.getByRole('main').evaluate((main) => {
    const [pale, nameless] = [document.createElement('p'), document.createElement('button')]
    pale.textContent = 'pale'
    Object.assign(pale.style, { color: '#ccc', background: '#fff' })
    main.prepend(pale, nameless)
  })
  const names = async (rules: 'all' | 'look') =>
    (await violations(page, { rules })).map((each) => each.split(':')[0]).sort()
  expect(await names('all')).toEqual(expect.arrayContaining(['button-name', 'color-contrast']))
  expect(await names('look')).toEqual(['color-contrast'])
})

/**
 * Every kind of page, with the answers that it has to an address. mend-screen.spec looks at
 * programs, tests below at a recording, reasons and a timeline.
 */
const ROUTES = [
  '/',
  '/device',
  '/method',
  '/reference',
  '/reference/links',
  '/record',
  '/check',
  '/lessons/sync-stalls/predict',
  '/lessons/async-submission/change',
  '/lessons/read-a-profile/find',
  '/lessons/read-a-profile/own',
  '/run',
  '/run/sync-stalls',
  '/run/sync-stalls?steps=0',
  '/find',
  '/trace',
  '/q',
  '/q/item-is-slow',
  '/teachers',
  '/embed/sync-stalls/predict',
  '/nowhere',
]
/** For the workers to share; within a visit pages are opened by links. */
const VISITS = 4
for (let visit = 0; visit < VISITS; visit += 1) {
  const routes = ROUTES.filter((_, index) => index % VISITS === visit)
  test(`pages, part ${String(visit + 1)}: no violation, however it looks`, async ({ lab, page }) => {
    test.setTimeout(routes.length * 60_000)
    for (const route of routes)
      await test.step(route, async () => {
        await lab.open(route)
        if (route.endsWith('?steps=0')) await expect(lab.fault('parameter')).toBeVisible()
        if (route === '/device') {
          await page.getByRole('button', { name: 'Measure this device' }).click()
          await expect(page.getByRole('button', { name: 'Measure again' })).toBeEnabled()
        }
        await noViolationInAnyLook(page)
      })
  })
}

test('no violation in what a lesson’s recording shows, the menu open, and in its reasons', async ({
  lab,
  page,
}) => {
  await lab.playRecording('sync-stalls')
  await expect(page.getByTestId('strips').locator('svg').first()).toBeVisible()
  const step = page.getByRole('group', { name: 'Replay' }).getByRole('button', { name: 'Step', exact: true })
  await step.click()
  await step.click()
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('group', { name: 'Share this run' })).toBeVisible()
  await noViolationInAnyLook(page)

  // Its reasons, one question answered.
  await lab.openLesson('sync-stalls', { screen: 'why' })
  await expect(page.getByTestId('explanation')).not.toContainText('once there is one')
  await page.getByTestId('quiz').getByRole('button').first().click()
  await noViolationInAnyLook(page)
})

test('no violation with all controls of a lesson’s run', LONG, async ({ lab, page }) => {
  test.slow()
  await lab.playRecording('sync-stalls')
  await lab.openRun('sync-stalls', {})
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await expect(page.locator('.code-pair .code-view')).toHaveCount(2)
  await page.getByText('What is in view, as a table').click()
  await noViolationInAnyLook(page)
})

test('no violation with a trace open', async ({ lab, page }) => {
  await lab.open('/trace?recording=torch-overlapped-uploads-pageable')
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await page.getByRole('button', { name: 'Longest gap: copies from pageable memory' }).click()
  await page.getByText('Recordings to compare with').click()
  await page.getByText('What is in view, as a table').click()
  await noViolationInAnyLook(page)
})

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
    expect(await violations(page)).toEqual([])
  })
  await test.step('before and after', async () => {
    await lab.runStep('sync-stalls', 'longer')
    await expect(page.getByTestId('before-after').getByTestId('strips')).toHaveCount(1)
    await noViolationInAnyLook(page)
  })
})
