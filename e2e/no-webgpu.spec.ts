/**
 * A page without WebGPU: every lesson still completes, on a recording that says it is one. Chromium has no flag left that takes
 * navigator.gpu away; a page that is no secure context (plain http, not localhost) really has none, in the page and in its worker.
 */
import { processFlags } from '../cli/adapters.mjs'
import { expect, test } from './fixtures'
import { lessonIds } from './lesson-folders'
import { executablePath, playsRecording } from './without-device'

const HOST = 'insecure.test'

test.use({
  baseURL: `http://${HOST}:${process.env['LAB_E2E_PORT'] ?? ''}/`,
  launchOptions: { executablePath, args: [...processFlags(), `--host-resolver-rules=MAP ${HOST} localhost`] },
})
test.beforeEach(({ errors }) => {
  // Chrome's note that an insecure page cannot be isolated.
  errors.allow(/Cross-Origin-Opener-Policy header has been ignored/)
})

test('this page has no navigator.gpu', async ({ lab, page }) => {
  await lab.open('/')
  expect(await page.evaluate(() => 'gpu' in navigator)).toBe(false)
  expect(await lab.environment()).toMatchObject({ fault: { code: 'no-webgpu' } })
})

for (const id of lessonIds) {
  test(`${id} plays its recording, says what is missing and how to get it`, async ({ lab }) => {
    await playsRecording(lab, id, 'no-webgpu')
  })
}

test('the device page says what is missing', async ({ lab }) => {
  await lab.open('/device')
  await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
})
