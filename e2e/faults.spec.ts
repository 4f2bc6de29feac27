/**
 * What goes wrong ends in words a person understands, and the next run works without a reload. Each
 * fault here is a real one: the device is really lost, the GPU process really dies, the shader
 * really does not compile.
 */
import { ANYWHERE, expect, test } from './fixtures'
import type { Page } from '@playwright/test'
import { LabPage, RUN_TIMEOUT_MS, shortSettings } from './lab'
import { test as onOnePage } from './shared-page'

/** Long enough to be caught in the middle. */
const LASTING = { steps: '64', repeats: '15', kernelMs: '4' }

async function runsAgain(lab: LabPage): Promise<void> {
  const next = await lab.runBare('async-submission')
  expect(next).toMatchObject({
    status: 'done',
    report: { validity: { valid: true }, verification: { failed: 0 } },
  })
}

onOnePage(
  'the device is destroyed in the middle of a run; the next is cancelled at once, and no figure is taken from it',
  async ({ lab, page }) => {
    await lab.openRun('async-submission', LASTING)
    await lab.run()
    await lab.waitMeasuring()
    await lab.destroyDevice()
    await expect(lab.fault('device-lost')).toBeVisible()
    await expect(lab.fault('device-lost')).toContainText(/device/i)
    await expect(page.getByTestId('verdict')).toBeHidden()

    await test.step('Run again, on the same page', async () => {
      await lab.run(() => page.getByRole('button', { name: 'Run again' }).click())
      await lab.waitMeasuring()
      await lab.cancelButton.click()
      await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible({ timeout: RUN_TIMEOUT_MS })
      await expect(page.getByTestId('verdict')).toBeHidden()
      await expect(page.getByTestId('metrics')).toBeHidden()
      await runsAgain(lab)
    })
  },
)

test('a lesson’s run goes on on the bench of its experiment; cancelled or failed it leaves the run before it', async ({
  lab,
  page,
}) => {
  const settings = { ...shortSettings('async-submission'), ...LASTING }
  await lab.playRecording('async-submission')
  await lab.openLesson('async-submission', { screen: 'see', settings })
  // PyTorch's figure is worked out from a file that comes later.
  await expect(page.getByTestId('headline-own')).toContainText('In the recorded browser')
  const before = await page.getByTestId('headline-own').innerText()
  const runAndStop = async (stop: () => Promise<void>): Promise<void> => {
    await lab.run()
    await expect(page.getByTestId('headline')).toBeHidden()
    await lab.waitMeasuring()
    await stop()
    await lab.waitEnded()
  }
  await runAndStop(async () => {
    await page.getByRole('link', { name: 'All controls' }).first().click()
    await expect(page.locator('.bench')).toBeVisible()
    await lab.waitMeasuring()
    await page.goBack()
    await lab.waitMeasuring()
    await lab.cancelButton.click()
  })
  await expect(page.getByRole('heading', { name: 'Cancelled' })).toBeVisible()
  await expect(page.getByTestId('headline-own')).toHaveText(before, { useInnerText: true })
  await runAndStop(() => lab.destroyDevice())
  await expect(lab.fault('device-lost')).toBeVisible()
  await expect(page.getByTestId('headline-own')).toHaveText(before, { useInnerText: true })
  await page.reload()
  await expect(page.getByTestId('headline-own')).toHaveText(before, { useInnerText: true })
})

const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

test('a device that was measured in a hidden tab is measured again; a run there does not count, and says why', async ({
  lab,
  page,
}) => {
  await lab.openRun('async-submission')
  await setHidden(page, true)
  expect(await lab.environment(true)).toMatchObject({ fault: { code: 'hidden' } })
  // Neither is it kept for a run that begins so, and ends in view.
  const running = lab.runBare('async-submission')
  await page.waitForFunction(() => (globalThis.hostDeviceLab?.progress() ?? null) !== null)
  await setHidden(page, false)
  expect(await running).toMatchObject({ status: 'done', report: { validity: { valid: false } } })
  await expect(page.getByTestId('invalid')).toContainText(/hidden/i)
  await runsAgain(lab)
})

test('two tabs measure one after the other', ANYWHERE, async ({ lab, page, context }) => {
  await lab.openRun('async-submission', LASTING)
  await lab.run()
  await lab.waitMeasuring()
  const beside = new LabPage(await context.newPage())
  await beside.openRun('async-submission')
  await beside.run()
  await expect(beside.status).toContainText('another measurement')
  await lab.cancelButton.click()
  await lab.waitEnded()
  await beside.waitDone()
  await page.bringToFront()
})

test('a shader that does not compile is named, with its line', async ({ lab, page }) => {
  // The worker's script as built, with an error put into each kernel.
  await page.route(/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    const script = await response.text()
    const broken = script.replaceAll(/@compute\s+@workgroup_size/g, 'this is not WGSL; $&')
    expect(broken).not.toBe(script)
    await route.fulfill({ response, body: broken })
  })
  await lab.open('/run/async-submission', shortSettings('async-submission'))
  const outcome = await lab.runBare('async-submission')
  expect(outcome).toMatchObject({ status: 'failed', fault: { code: 'shader' } })
  expect(JSON.stringify(outcome.fault)).toMatch(/\.wgsl/)
  await expect(lab.fault('shader')).toContainText(/\.wgsl/)
})

test('a recording that cannot be loaded says so', ANYWHERE, async ({ lab, page, errors }) => {
  errors.allow(/404/)
  await page.route('**/recordings/**', (route) => route.fulfill({ status: 404, body: 'gone' }))
  await lab.openLesson('async-submission', { screen: 'see' })
  const play = page.getByRole('button', { name: 'Play a recorded run' })
  await play.click()
  const notice = page.getByRole('alert').filter({ hasText: '404' })
  await expect(notice).toBeVisible()
  await page.unroute('**/recordings/**')
  await play.click()
  await expect(page.getByTestId('headline-own')).toContainText('Recorded on')
  await expect(notice).toBeHidden()
})
