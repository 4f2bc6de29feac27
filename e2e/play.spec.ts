/**
 * The modelled machine of a lesson's first screen: dragged by pointer, by touch and by keys, it
 * answers with a picture and a sentence, and says that it is modelled.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

const LESSON = 'sync-stalls'

async function openPlay(page: Page) {
  await page.goto(`lessons/${LESSON}/`)
  const play = page.getByTestId('play')
  const says = play.getByTestId('play-says')
  await expect(says).toHaveText(/\d/)
  const shape = () =>
    play
      .getByTestId('play-picture')
      .locator('.strips-bar')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('width')).join(' '))
  return { play, says, shape, spoken: play.locator('[role="status"]') }
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
  const { play, says, shape, spoken } = await openPlay(page)
  await expect(play).toContainText(/modelled/i)
  await expect(spoken).toHaveText('')
  const first = { said: await says.innerText(), shape: await shape() }

  const from = await placeOn(page, 'Kernels of a step', 0.5)
  const to = await placeOn(page, 'Kernels of a step', 0.95)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 20 })
  await expect(says).not.toHaveText(first.said)
  await expect.poll(shape).not.toBe(first.shape)
  await page.mouse.up()
  // The model may answer, from its worker, after the pointer has come to rest.
  const agrees = async () => (await spoken.innerText()) === `Modelled: ${await says.innerText()}`
  await expect.poll(agrees).toBe(true)

  const dragged = await says.innerText()
  await to.slider.press('Home')
  await expect(to.slider).toHaveAttribute('aria-valuetext', /^0\.5\sms$/)
  await expect(says).not.toHaveText(dragged)
  await expect.poll(agrees).toBe(true)
})
