/**
 * The replay of a recorded run: it moves by itself where motion is welcome, and goes step by step
 * where it is not.
 */
import { expect, test } from './fixtures'
import type { LabPage } from './lab'
import { experimentWords } from './lesson-folders'
import { Replay } from './replay'

const LESSON = 'sync-stalls'

async function playRecorded(lab: LabPage): Promise<void> {
  await lab.openLesson(LESSON, { screen: 'see' })
  await lab.page.getByRole('button', { name: 'Play a recorded run' }).click()
  await expect(lab.page.getByTestId('verdict')).toBeVisible()
}

test('what is below a result stays where it first stood, while its program loads', async ({ lab, page }) => {
  // Slowly: held until the rest of the result has been drawn.
  let load = () => {}
  const held = new Promise<void>((resolve) => (load = resolve))
  await page.route(/\/read-[\w-]{8}\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await playRecorded(lab)
  const share = page.getByRole('button', { name: 'Share', exact: true })
  const top = (await share.boundingBox())?.y
  await expect(page.locator('.strips-code:empty')).toBeVisible()
  load()
  await expect(page.locator('.strips-code .code-view')).toBeVisible()
  expect((await share.boundingBox())?.y).toBe(top)
  // It opens on the line that took most of the host's time.
  const lit = page.locator('.strips-code .code-lit')
  await expect(lit).toContainText('await readback.mapAsync')
  await page.locator('.strips-code').scrollIntoViewIfNeeded()
  await expect(lit).toBeInViewport()
})

test('played by the keyboard, a result takes the focus of the key that is gone', async ({ lab, page }) => {
  await lab.openLesson(LESSON, { screen: 'see' })
  await page.getByRole('button', { name: 'Play a recorded run' }).press('Enter')
  await expect(page.getByTestId('headline')).toBeFocused()
  await page.keyboard.press('Tab')
  const next = page.getByTestId('result').locator(':focus')
  await expect(next).toHaveCount(1)
})

test.describe('with motion', () => {
  test.use({ reducedMotion: 'no-preference' })

  test('it advances by itself, and stands at its end', async ({ lab, page }) => {
    await playRecorded(lab)
    const replay = new Replay(page)
    await expect(replay.moment).toHaveValue('1000')
    await replay.play.click()
    await replay.expectMoves()
    await replay.pause.click()
    await replay.expectStands()
    // The words are of the moment that is drawn, and lie behind what is still to come.
    await expect(replay.now).toContainText(/host .+; \d+ in the queue; device /)
    await expect(page.locator('.strips-later').first()).toBeAttached()
    await replay.moment.press('Home')
    await replay.play.click()
    await replay.expectMoves()
    await replay.moment.press('End')
    await expect(replay.moment).toHaveValue('1000')
    await expect(replay.play).toHaveText('Replay slowly')
    await replay.moment.fill('950')
    await replay.play.click()
    await expect(replay.moment).toHaveValue('1000')
    await expect(replay.play).toHaveText('Replay slowly')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(page.locator('.strips-now')).toHaveCount(0)
  })

  test('before and after move together by key, and each by its own button', async ({ lab, page }) => {
    const step = experimentWords(LESSON).steps.find(({ action }) => action !== undefined)
    if (!step) throw new Error(`${LESSON} has no step that runs.`)
    // A step with its recording, beside the lesson's own: both kept from a visit without a device.
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'gpu', { value: undefined })
    })
    await lab.openLesson(LESSON, { screen: 'predict' })
    await lab.runButton.click()
    await expect(page.getByTestId('verdict')).toBeVisible()
    await lab.openLesson(LESSON, { screen: 'change', step: step.id })
    await lab.runButton.click()
    // One replay of both: the line that marks the moment stands at the same place in all strips.
    const replay = new Replay(page)
    await expect(replay.play).toBeVisible()
    await page.getByRole('heading', { level: 2 }).first().click()
    await page.keyboard.press('Space')
    await replay.expectMoves()
    await page.keyboard.press('Space')
    await replay.expectStands()
    const marks = page.getByTestId('before-after').locator('.strips-now')
    expect(await marks.count()).toBe(await page.locator('.strips-strip').count())
    expect(new Set(await marks.evaluateAll((all) => all.map((line) => line.getAttribute('x1')))).size).toBe(1)
  })
})

test('under reduced motion nothing moves by itself: it goes from change to change', async ({ lab, page }) => {
  await playRecorded(lab)
  const replay = new Replay(page)
  await expect(replay.play).toHaveCount(0)
  await page.getByTestId('headline-number').click()
  await page.keyboard.press('Space')
  await replay.expectStands()
  const first = await replay.moment.getAttribute('aria-valuetext')
  const step = page.getByRole('button', { name: 'Step', exact: true })
  await step.click()
  await expect(replay.moment).not.toHaveAttribute('aria-valuetext', first ?? '')
  await replay.expectStands()
  await page.getByRole('button', { name: 'Step back' }).click()
  await expect(replay.moment).toHaveAttribute('aria-valuetext', first ?? '')
  // Every step is a change, and the last of them is the end: from late in the run on.
  await replay.moment.fill('800')
  const seen = new Set<string>()
  await replay.stepUntil('.', async () => {
    seen.add((await replay.moment.getAttribute('aria-valuetext')) ?? '')
    return (await replay.at()) === 1000
  })
  expect(seen.size).toBeGreaterThan(5)
  // Keys go on until the host is in a line of the program, and back.
  await replay.moment.press('Home')
  await expect(replay.moment).toHaveValue('0')
  // The keys are the page's, not a button's.
  await page.getByTestId('headline-number').click()
  await replay.stepUntil('.', async () => (await page.locator('.strips-code .code-lit').count()) > 0)
  const there = await replay.line()
  await page.keyboard.press('.')
  await expect.poll(() => replay.line()).toBeGreaterThan(there)
  await page.keyboard.press(',')
  await expect.poll(() => replay.line()).toBe(there)
})
