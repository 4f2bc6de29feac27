/**
 * A page without WebGPU: every lesson still completes, on recordings that say that they are, and mends on the model. Chromium has no flag left that takes
 * navigator.gpu away; a page that is no secure context (plain http, not localhost) really has none, in the page and in its worker.
 */
import { mendText } from '../cli/mend-files'
import { expect, LONG, test } from './fixtures'
import { lessonIds } from './lesson-folders'
import { GRADING_TIMEOUT_MS } from './mends'
import { isRecorded } from './recordings'
import { onInsecureHost, playsRecordings } from './without-device'

onInsecureHost()

test('this page has no navigator.gpu, and the device page says what is missing', async ({ lab, page }) => {
  await lab.open('/device')
  expect(await page.evaluate(() => 'gpu' in navigator)).toBe(false)
  expect(await lab.environment()).toMatchObject({ fault: { code: 'no-webgpu' } })
  await expect(lab.fault('no-webgpu')).toContainText('How to get WebGPU')
})

/** One page plays them all, and offline.spec plays that of ranks. */
const SHORT = ['sync-stalls']
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

test('a mend is run on the model, fails for its reason, is mended, and passes as the model says', async ({
  lab,
  page,
}) => {
  test.setTimeout(4 * GRADING_TIMEOUT_MS)
  // A program's worker is a blob (mend-screen.spec), the site's others are files.
  const started: string[] = []
  page.on('worker', (worker) => started.push(new URL(worker.url()).protocol))
  const program = page.getByRole('textbox', { name: 'Program to mend' })
  const grade = page.getByTestId('grade')
  const gradeIt = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Run and grade/ }).click()
    await expect(page.locator('.mend').getByRole('button', { name: 'Cancel' })).toBeHidden({
      timeout: GRADING_TIMEOUT_MS,
    })
    await expect(grade).toHaveAttribute('data-modelled', 'true')
  }
  await lab.openLesson('sync-stalls', { screen: 'mend', step: '2' })
  await expect(
    page.getByRole('note').filter({ hasText: 'What the model says is no measurement' }),
  ).toBeVisible()

  await test.step('what is typed is kept, and a draft that is opened does not run', async () => {
    await program.press('ControlOrMeta+Home')
    await page.keyboard.insertText('// mine\n')
    await expect(page.getByText('Kept on this device.', { exact: true })).toBeVisible()
    started.length = 0
    await page.reload()
    await expect(program).toContainText('// mine')
    await expect(grade).toHaveCount(0)
    expect(started).not.toContain('blob:')
  })

  await test.step('a program that still waits in every step is not mended, and says where', async () => {
    await program.press('ControlOrMeta+a')
    await page.keyboard.insertText(
      (await mendText('sync-stalls', 'start')).replace('losses.push(value)', 'losses.push(Number(value))'),
    )
    await gradeIt()
    await expect(grade).toContainText('The model says: not mended yet.')
    await expect(page.locator('[data-check="ahead"]')).toHaveAttribute('data-outcome', 'no')
    await expect(page.locator('[data-check="output"]')).toHaveAttribute('data-outcome', 'yes')
  })

  await test.step('mended, it passes on the model', async () => {
    await program.press('ControlOrMeta+a')
    await page.keyboard.insertText(await mendText('sync-stalls', 'reference'))
    await gradeIt()
    await expect(grade).toContainText('The model says: mended.')
    await expect(page.getByTestId('gain')).toContainText('modelled')
    await expect(page.getByRole('button', { name: 'Save a card to share' })).toHaveCount(0)
    expect(started).toContain('blob:')
  })

  await test.step('nothing of it is kept as done on this device', async () => {
    await page.reload()
    await expect(program).toContainText('always one batch of steps later')
    await expect(grade).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: 'Rungs of this mend' })).not.toContainText('✓')
    await page.getByRole('button', { name: 'Show the lab’s own mend' }).click()
    await expect(page.getByTestId('reference')).toContainText('always one batch of steps later')
  })
})

test('whichever part of a lesson is opened first, a recorded run is one press away', async ({
  lab,
  page,
}) => {
  // What one played, another would have: a lesson each.
  for (const [lesson, place, shown] of [
    ['transfer-cost', { screen: 'see' }, page.getByTestId('headline')],
    ['command-queue', { screen: 'why' }, page.getByTestId('explanation').locator('.card').first()],
    ['tensor-residence', { screen: 'instrument' }, page.getByTestId('instrument')],
  ] as const) {
    await lab.openLesson(lesson, place)
    await page.getByRole('button', { name: 'Play a recorded run' }).click()
    await expect(shown).toBeVisible()
  }
})
