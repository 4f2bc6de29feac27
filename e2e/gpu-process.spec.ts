/**
 * The GPU process killed under a real run. A fault at every call of WebGPU, on a fake device:
 * src/site/worker/injected.test.
 */
import { expect, test } from './fixtures'
import { shortSettings } from './lab'

const SMALL = 'async-submission'

test('the GPU process is killed under a run: it fails in words, and the next run is valid', async ({
  lab,
  page,
  browser,
  errors,
}) => {
  test.setTimeout(240_000)
  errors.allow(/context|GPU/i)
  await lab.openRun(SMALL)
  await lab.environment(true)
  const cdp = await browser.newBrowserCDPSession()
  const settings = { ...shortSettings(SMALL), steps: '64', repeats: '15', kernelMs: '4' }
  // That of the run before stands until this one reports its own.
  const before = await page.evaluateHandle(() => globalThis.hostDeviceLab?.progress() ?? null)
  const running = lab.runBare(SMALL, settings)
  await page.waitForFunction(
    (last) => {
      const now = globalThis.hostDeviceLab?.progress() ?? null
      return now !== null && now !== last
    },
    before,
    { polling: 20 },
  )
  await cdp.send('Browser.crashGpuProcess')
  const outcome = await running
  const where = JSON.stringify({ status: outcome.status, fault: outcome.fault })
  expect(outcome, where).toMatchObject({ status: 'failed', fault: { code: 'device-lost' } })
  expect(await lab.runBare(SMALL), where).toMatchObject({
    status: 'done',
    report: { validity: { valid: true }, verification: { failed: 0 } },
  })
})
