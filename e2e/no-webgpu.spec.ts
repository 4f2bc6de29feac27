/**
 * A page without WebGPU: every lesson still completes, on recordings that say that they are. Chromium has no flag left that takes
 * navigator.gpu away; a page that is no secure context (plain http, not localhost) really has none, in the page and in its worker.
 */
import { processFlags } from '../cli/adapters.mjs'
import { expect, LONG, test } from './fixtures'
import { INSECURE_HOST } from './insecure-host'
import { lessonIds } from './lesson-folders'
import { isRecorded } from './recordings'
import { executablePath, playsRecordings } from './without-device'

test.use({
  baseURL: `http://${INSECURE_HOST}:${process.env['LAB_E2E_PORT'] ?? ''}/`,
  launchOptions: {
    executablePath,
    args: [...processFlags(), `--host-resolver-rules=MAP ${INSECURE_HOST} localhost`],
  },
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

/** One page plays them all: here ranks without a device, one device in no-adapter.spec. */
const SHORT = ['collectives']
for (const id of lessonIds.filter(isRecorded)) {
  const details = SHORT.includes(id) ? {} : LONG
  test(
    `${id} plays the recording of every step, says what is missing and how to get it`,
    details,
    async ({ lab }) => {
      await playsRecordings(lab, id, 'no-webgpu')
    },
  )
}

test('a mend cannot run, and says so; what is typed is kept, and the lab’s own can be read', async ({
  lab,
  page,
}) => {
  // A program's worker is a blob (mend-screen.spec), the site's others are files.
  const started: string[] = []
  page.on('worker', (worker) => started.push(new URL(worker.url()).protocol))
  const program = page.getByRole('textbox', { name: 'Program to mend' })
  await lab.openLesson('sync-stalls', { screen: 'mend', step: '2' })
  await expect(page.getByRole('note').filter({ hasText: 'your program cannot run here' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Run/ })).toHaveCount(0)
  await program.press('ControlOrMeta+Home')
  await page.keyboard.insertText('// mine\n')
  await program.press('ControlOrMeta+Enter')
  await expect(page.getByText('Kept on this device.', { exact: true })).toBeVisible()
  await page.reload()
  await expect(program).toContainText('// mine')
  await expect(page.getByTestId('grade')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show the lab’s own mend' }).click()
  await expect(page.getByTestId('reference')).toContainText('always one batch of steps later')
  expect(started).toContain('http:')
  expect(started).not.toContain('blob:')
})

test('the device page says what is missing', async ({ lab }) => {
  await lab.open('/device')
  await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
})
