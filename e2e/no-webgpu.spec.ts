/** A browser without WebGPU: every lesson still completes, on a recording that says it is one. */
import { findExperiment } from '../src/experiments/catalog'
import { processFlags } from '../cli/adapters.mjs'
import { expect, test } from './fixtures'
import { executablePath, playsRecording } from './without-device'

test.use({ launchOptions: { executablePath, args: [...processFlags(), '--disable-blink-features=WebGPU'] } })

test('this browser has no navigator.gpu', async ({ lab, page }) => {
  await lab.open('/')
  expect(await page.evaluate(() => 'gpu' in navigator)).toBe(false)
  expect(await lab.environment()).toMatchObject({ fault: { code: 'no-webgpu' } })
})

for (const id of ['async-submission', 'sync-stalls', 'overlapped-uploads']) {
  test(`${id} plays its recording, says what is missing and how to get it`, async ({ lab }) => {
    expect(findExperiment(id)).toBeDefined()
    await playsRecording(lab, id, 'no-webgpu')
  })
}

test('the device page says what is missing', async ({ lab }) => {
  await lab.open('/device')
  await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
})
