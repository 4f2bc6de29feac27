/** The modelled machine of a lesson's first screen, and beside its run: dragged by pointer, by touch and by keys, it answers with a picture and a sentence, and says that it is modelled. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { h200 } from '../src/model/cards/h200'
import { expect, LONG, test } from './fixtures'
import { lessonIds } from './lesson-folders'

const LESSON = 'sync-stalls'
const hasPlay = (lesson: string): boolean =>
  existsSync(join(import.meta.dirname, '../src/lessons', lesson, 'play.ts'))

async function openPlay(page: Page, lesson: string) {
  await page.goto(`lessons/${lesson}/`)
  const play = page.getByTestId('play')
  const says = play.getByTestId('play-says')
  await expect(says).toHaveText(/\d/)
  const shape = () =>
    play
      .getByTestId('play-picture')
      .locator('.play-work')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('width')).join(' '))
  return { play, says, shape, spoken: play.locator('[aria-live="polite"]') }
}

/** Where on a slider, as a share of its width. */
async function placeOn(page: Page, name: string, share: number) {
  const slider = page.getByTestId('play').getByRole('slider', { name })
  await slider.scrollIntoViewIfNeeded()
  const box = await slider.boundingBox()
  if (!box) throw new Error('The slider has no box.')
  return { slider, x: box.x + share * box.width, y: box.y + box.height / 2 }
}

test('answers while it is dragged, and to keys; what came of it is said once it rests', async ({ page }) => {
  const { play, says, shape, spoken } = await openPlay(page, LESSON)
  await expect(play).toContainText(/modelled/i)
  await expect(spoken).toHaveText('')
  const first = { said: await says.innerText(), shape: await shape() }

  const from = await placeOn(page, 'Kernel of a step', 0.5)
  const to = await placeOn(page, 'Kernel of a step', 0.95)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 20 })
  await expect(says).not.toHaveText(first.said)
  expect(await shape()).not.toBe(first.shape)
  await page.mouse.up()
  await expect(spoken).toHaveText(`Modelled: ${await says.innerText()}`)

  const dragged = await says.innerText()
  await to.slider.press('Home')
  await expect(to.slider).toHaveAttribute('aria-valuetext', /^0\.2\sms$/)
  await expect(says).not.toHaveText(dragged)
  await expect(spoken).toHaveText(`Modelled: ${await says.innerText()}`)
})

test('a finger moves it, and nothing scrolls sideways', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    const { says } = await openPlay(page, LESSON)
    const before = await says.innerText()
    const { x, y } = await placeOn(page, 'The host reads after', 0.98)
    await page.touchscreen.tap(x, y)
    await expect(says).not.toHaveText(before)
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(over).toBeLessThanOrEqual(0)
  } finally {
    await context.close()
  }
})

test('each lesson that has one runs its own program', LONG, async ({ page }) => {
  for (const lesson of lessonIds) if (hasPlay(lesson)) await openPlay(page, lesson)
})

test('is on the visitor’s own card where one was measured, and one press goes back; without one nothing says so', async ({
  page,
}) => {
  const { play } = await openPlay(page, LESSON)
  await expect(play.getByRole('button')).toHaveCount(0)
  await expect(play.getByRole('slider')).toHaveCount(3)
  const card = { ...h200, name: 'own', environment: { ...h200.environment, adapterName: 'A card of a test' } }
  await page.evaluate(
    (data) => {
      localStorage.setItem('host-device-lab:card', JSON.stringify({ version: 2, data }))
    },
    { card, measuredAt: '2026-11-28T00:00:00.000Z', missing: [], waits: [] },
  )
  await page.reload()
  await expect(play).toContainText('Modelled by your card:')
  await expect(play).toContainText('A card of a test, measured on')
  // What the machine does is the card's, and not to be dragged. On the H200's the host waits for its first look.
  await expect(play.getByRole('slider')).toHaveCount(2)
  const says = play.getByTestId('play-says')
  await expect(says).toHaveText(/waits for up to 2\.\d\sms/)
  const before = await says.innerText()
  await play.getByRole('slider', { name: 'The host reads after' }).press('Home')
  await expect(says).not.toHaveText(before)

  await play.getByRole('button', { name: 'On a machine of no make' }).click()
  await expect(play).not.toContainText('your card')
  await expect(play.getByRole('slider')).toHaveCount(3)
  await expect(says).toHaveText(/waits for up to 1(\.\d)?\sms/)
  await play.getByRole('button', { name: 'On my machine’s card' }).click()
  await expect(play).toContainText('Modelled by your card:')
})

test('beside a run: strips of the model under the measured ones, and CUDA’s card; the verdict stays', async ({
  page,
  lab,
}) => {
  await lab.playRecording(LESSON)
  const beside = page.getByTestId('model-beside')
  const says = beside.getByRole('status')
  const strips = page.getByTestId('story').locator('.story-strip')
  const ofModel = page.getByTestId('story').locator('.story-modelled')
  const isLoaded = () => page.workers().some((worker) => worker.url().includes('beside-worker'))
  const [count, verdict] = [await strips.count(), await page.getByTestId('verdict').innerText()]
  await expect(ofModel).toHaveCount(0)
  expect(isLoaded()).toBe(false)

  await beside.getByRole('button', { name: 'Lay the model beside it' }).click()
  await expect(says).toHaveText(/Modelled [\d.]+\s%, measured [\d.]+\s%\. That is as near/)
  await expect(ofModel).toHaveCount(count)
  await expect(strips).toHaveCount(2 * count)
  for (const strip of await ofModel.all()) await expect(strip).toContainText(/, modelled.*modelled [\d.]+\s%/)
  // One press, one worker, which is gone.
  expect(isLoaded()).toBe(false)
  const hue = (strip: ReturnType<Page['locator']>) =>
    strip
      .locator('.story-compute')
      .first()
      .evaluate((bar) => getComputedStyle(bar).fill)
  expect(await hue(ofModel.first())).not.toBe(await hue(strips.first()))

  await beside.getByRole('button', { name: 'The same on CUDA’s card' }).click()
  await expect(says).toHaveText(/Modelled [\d.]+\s%, recorded [\d.]+\s%.*That is as near/)
  await expect(ofModel.first()).toContainText('on CUDA, modelled')
  await expect(page.getByTestId('verdict')).toHaveText(verdict)

  await beside.getByRole('button', { name: 'Without the model' }).click()
  await expect(strips).toHaveCount(count)
})

test('beside ranks of one GPU; on a card that says nothing of ranks: it says why, and draws nothing', async ({
  page,
  lab,
}) => {
  await lab.playRecording('ranks')
  const beside = page.getByTestId('model-beside')
  const ofModel = page.getByTestId('story').locator('.story-modelled')
  await beside.getByRole('button', { name: 'Lay the model beside it' }).click()
  await expect(beside.getByRole('status')).toContainText('That is as near', { timeout: 30_000 })
  await expect(ofModel).not.toHaveCount(0)

  await beside.getByRole('button', { name: 'The same on CUDA’s card' }).click()
  await expect(beside.getByRole('status')).toContainText('This card has no figures of ranks')
  await expect(ofModel).toHaveCount(0)
})
