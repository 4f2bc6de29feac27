/** A curve drawn by hand before its run: by a pointer, by keys, or not at all. On a page without WebGPU, which plays the recordings. */
import type { Locator, Page } from '@playwright/test'
import { FRAME_HEIGHT } from '../src/site/ui/embed/frame'
import { expect, test } from './fixtures'
import type { LabPage } from './lab'
import { keptRuns } from './kept-runs'
import { experimentLessonIds, experimentWords } from './lesson-folders'
import { onInsecureHost } from './no-gpu-page'

onInsecureHost()

/** What another lesson draws on is another blank of the same chart. */
const [first] = experimentLessonIds.flatMap((id) =>
  experimentWords(id).steps.flatMap((step) => (step.draw ? [{ id, step: step.id }] : [])),
)
if (!first) throw new Error('No step asks for a curve.')

const ask = (page: Page): Locator => page.getByTestId('draw-curve')
const points = (page: Page): Locator => ask(page).getByRole('slider')
const rows = (page: Page): Locator => page.getByTestId('expected').locator('tbody tr')

/** From the lower left of the chart to its upper right. */
async function sweep(page: Page): Promise<void> {
  const board = page.getByTestId('draw-board')
  await board.scrollIntoViewIfNeeded()
  const box = await board.boundingBox()
  if (!box) throw new Error('There is no chart to draw on.')
  const at = (part: number) =>
    [box.x + 2 + (box.width - 4) * part, box.y + box.height * (0.9 - 0.8 * part)] as const
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (const part of [0.3, 0.6, 1]) await page.mouse.move(...at(part))
  await page.mouse.up()
}

/** Once the page knows that it has no device: until then a step's dial stands above the chart, which moves up without it. */
async function openStep(lab: LabPage, id: string, step: string): Promise<void> {
  await lab.openLesson(id, { screen: 'change', step })
  await expect(lab.runButton).toHaveText('Play the recording')
}

async function play(lab: LabPage, page: Page): Promise<void> {
  await lab.runButton.click()
  await expect(page.getByTestId('before-after')).toBeVisible()
}

test('a curve by pointer stays under the points, is held against them, and is kept', async ({
  lab,
  page,
}) => {
  const { id, step } = first
  await openStep(lab, id, step)
  const count = await points(page).count()
  expect(count).toBeGreaterThan(4)
  await sweep(page)
  // Fewer events than points: each point that the pointer passed is drawn, and each is higher than the one before.
  await expect(ask(page)).toContainText(`${String(count)} of ${String(count)} points drawn`)
  const values = await points(page).evaluateAll((all) =>
    all.map((each) => Number(each.getAttribute('aria-valuenow'))),
  )
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(new Set(values).size).toBe(count)
  await play(lab, page)

  const result = page.getByTestId('curve-result')
  await expect(result).toContainText(
    /is furthest off at .*: you drew .*\d.*, [\d.]+ times too (high|low); .*\d.*was measured/,
  )
  const figure = page.getByRole('region', { name: 'The chart of this step' })
  await expect(figure.locator('[data-marks=drawn] .figure-line').last()).toBeVisible()
  await expect(figure.getByRole('list', { name: 'Legend' })).toContainText('you drew: ')
  await expect(ask(page)).toHaveCount(0)
  const said = await result.innerText()

  // A run is written in a worker, and in its turn; a page that is left before has not kept it.
  await expect.poll(() => keptRuns(page)).toContain(`${id}/${step}`)
  await page.reload()
  await expect(result).toHaveText(said)
  await lab.openLesson(id, { screen: 'why' })
  const row = rows(page).filter({ hasText: 'drawn' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Your curve is furthest off at')
})

test('by keys, point by point', async ({ lab, page }) => {
  await openStep(lab, first.id, first.step)
  const [one, two] = [points(page).first(), points(page).nth(1)]
  await expect(one).toHaveAttribute('aria-valuetext', 'not drawn')
  await expect(one).toHaveAccessibleName(/, at \d/)
  await one.focus()
  await page.keyboard.press('ArrowUp')
  const at = Number(await one.getAttribute('aria-valuenow'))
  await expect(one).toHaveAttribute('aria-valuetext', /^\d/)
  await page.keyboard.press('ArrowDown')
  expect(Number(await one.getAttribute('aria-valuenow'))).toBeLessThan(at)
  // Below all that was measured: the middle of an axis may be right.
  await page.keyboard.press('Home')
  await page.keyboard.press('Tab')
  await expect(two).toBeFocused()
  await page.keyboard.press('End')
  await expect(two).toHaveAttribute('aria-valuenow', (await two.getAttribute('aria-valuemax')) ?? '')
  await expect(ask(page)).toContainText('2 of')
  await play(lab, page)
  await expect(page.getByTestId('curve-result')).toContainText('you drew')
})

test('nothing drawn costs nothing, and what was begun is taken back', async ({ lab, page }) => {
  await openStep(lab, first.id, first.step)
  await sweep(page)
  await page.getByRole('button', { name: 'Draw nothing' }).click()
  await expect(points(page)).toHaveCount(0)
  await play(lab, page)
  await expect(page.getByTestId('curve-result')).toHaveCount(0)
  await expect(page.locator('[data-marks=drawn]')).toHaveCount(0)
  await lab.openLesson(first.id, { screen: 'why' })
  await expect(page.getByTestId('explanation')).toBeVisible()
  await expect(rows(page).filter({ hasText: 'drawn' })).toHaveCount(0)
})

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a curve is drawn on the chart, and beside it the page scrolls', async ({ lab, page }) => {
    await openStep(lab, first.id, first.step)
    const session = await page.context().newCDPSession(page)
    const scrolled = () => page.evaluate(() => Math.round(scrollY))
    /** Up the screen, as one scrolls. */
    const drag = async (from: { readonly x: number; readonly y: number }, acrossPx: number) => {
      const at = (part: number) => [{ x: from.x + acrossPx * part, y: from.y - 150 * part }]
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
      for (const part of [0.1, 0.3, 0.5, 0.7, 1])
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) })
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const board = page.getByTestId('draw-board')
    await board.evaluate((element) => {
      element.scrollIntoView({ block: 'center' })
    })
    const [before, box] = [await scrolled(), await board.boundingBox()]
    if (!box) throw new Error('There is no chart to draw on.')
    const count = await points(page).count()
    await drag({ x: box.x + 3, y: box.y + box.height - 10 }, box.width - 6)
    await expect(ask(page)).toContainText(`${String(count)} of ${String(count)} points drawn`)
    expect(await scrolled()).toBe(before)

    const beside = await ask(page).locator('p').boundingBox()
    if (!beside) throw new Error('There is nothing beside the chart.')
    await drag({ x: beside.x + 40, y: beside.y + beside.height / 2 }, 0)
    await expect.poll(scrolled).toBeGreaterThan(before)
  })
})

/** One visit for both, as a frame that is made wider: what is shown is the same, and its room by the width alone. */
const WIDTHS = [700, 1100] as const
test(`with its curve a frame of ${WIDTHS.join(' or ')} px does not scroll`, async ({ lab, page }) => {
  const { id, step } = first
  const parts = page.getByRole('group', { name: 'Parts of this screen' }).getByRole('button')
  const expectRoom = async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: FRAME_HEIGHT })
      for (const part of await parts.all()) {
        await part.click()
        await expect(part).toHaveAttribute('aria-pressed', 'true')
        const high = await page.evaluate(() => document.documentElement.scrollHeight)
        expect(high, `${await part.innerText()}, ${String(width)} px`).toBeLessThanOrEqual(FRAME_HEIGHT)
      }
    }
  }
  await page.setViewportSize({ width: WIDTHS[0], height: FRAME_HEIGHT })
  await lab.open(`/embed/${id}/change/${step}`)
  await expect(lab.runButton).toHaveText('Play the recording')
  await expectRoom()
  const curve = parts.filter({ hasText: 'Your curve' })
  await curve.click()
  await sweep(page)
  await lab.runButton.click()
  await expect(page.getByTestId('before-after')).toBeAttached()
  await curve.click()
  await expect(page.getByTestId('curve-result')).toBeVisible()
  await expectRoom()
  // One chart at a time, and each of them somewhere.
  for (const [index, part] of (await parts.filter({ hasText: /^Chart/ }).all()).entries()) {
    await part.click()
    await expect(page.locator('.figure').filter({ visible: true })).toHaveCount(1)
    await expect(page.locator('.figure[data-chart]').nth(index)).toBeVisible()
  }
})
