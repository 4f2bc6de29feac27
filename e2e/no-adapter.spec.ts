/** WebGPU is there, and requestAdapter() gives null: distinguished from a browser that has none. */
import { processFlags } from '../cli/adapters.mjs'
import { expect, test } from './fixtures'
import { executablePath } from './no-gpu-page'

test.use({ launchOptions: { executablePath, args: [...processFlags(), '--disable-gpu'] } })

// One visit: a browser of its own is started for each test beside another.
test('this browser has navigator.gpu and no adapter, and a run fails with the reason', async ({
  lab,
  page,
}) => {
  await lab.openRun('sync-stalls')
  expect(await page.evaluate(async () => (await navigator.gpu.requestAdapter()) === null)).toBe(true)
  expect(await lab.environment()).toMatchObject({ fault: { code: 'no-adapter' } })
  await expect(lab.fault('no-adapter')).toBeVisible()
  await expect(lab.runButton).toHaveAttribute('aria-disabled', 'true')
  expect(await lab.runBare('sync-stalls')).toMatchObject({ status: 'failed', fault: { code: 'no-adapter' } })
})
