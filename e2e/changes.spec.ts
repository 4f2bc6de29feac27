/**
 * On 'Open a trace': causes switched off and host code shortened, by pointer, keys and touch, and
 * what a step takes then.
 */
import type { Page } from '@playwright/test'
import { expectNoOverflow } from './a11y'
import { expect, test } from './fixtures'

const FILE = 'torch-read-a-profile-read'

async function open(page: Page, file = FILE) {
  await page.goto(`./trace/#?recording=${file}`)
  const changes = page.getByTestId('changes')
  await expect(changes).toBeVisible()
  const figure = changes.locator('.step-time')
  const step = async () => Number.parseFloat(await figure.innerText())
  const now = await step()
  return {
    changes,
    now,
    step,
    causes: changes.getByRole('switch'),
    block: changes.getByRole('slider', { name: 'What is left of' }),
    reset: changes.getByRole('button', { name: 'Reset' }),
    said: changes.getByTestId('changes-said'),
  }
}

test('causes switched off and a shorter block shorten the step as the replay says, and come back', async ({
  page,
}) => {
  const { changes, now, step, causes, block, reset, said } = await open(page)
  const [reads, dispatch] = [causes.nth(0), causes.nth(1)]
  await expect(reads).toBeChecked()
  await reads.focus()
  await page.keyboard.press('Space')
  await expect(reads).not.toBeChecked()
  await expect.poll(step).toBeLessThan(0.9 * now)
  await expect(changes.getByTestId('step-figures')).toContainText('predicted')
  await expect(said).toHaveText(/^A step would take [\d.]+ ms, predicted; [\d.]+ to [\d.]+ ms\.$/)
  const [without] = [await step()]
  // The verdict's own figure.
  await expect(page.getByTestId('verdict-sentence')).toContainText(String(without))
  await dispatch.uncheck()
  await expect.poll(step).toBeLessThan(without)
  await reset.click()
  await expect(dispatch).toBeChecked()
  await expect.poll(step).toBe(now)
  await expect(said).toHaveText(/^A step takes/)

  // A block of the host gets shorter by the keys of its slider, and by dragging.
  await block.focus()
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('ArrowLeft')
  await expect(block).toHaveValue('70')
  await expect.poll(step).toBeLessThan(now)
  const byKeys = await step()
  await page.keyboard.press('Home')
  await expect(block).toBeFocused()
  await expect.poll(step).toBeLessThan(byKeys)
  await reset.click()
  await expect.poll(step).toBe(now)

  // A block with room for it has its name inside.
  const named = changes.locator('.step-playground .strips-label', { hasText: '()' }).first()
  const [name, box] = [await named.textContent(), await named.boundingBox()]
  if (!box) throw new Error('no block')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 40, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(step).toBeLessThan(now)
  await expect(
    changes.getByRole('slider', { name: `What is left of ${String(name)}`, exact: true }),
  ).not.toHaveValue('100')
  await reset.click()

  // The step that the reader timed without the profiler recalibrates every figure.
  const field = changes.getByRole('textbox', { name: 'Step without the profiler' })
  await expect(field).toHaveValue('5.464')
  await field.fill('7')
  await field.press('Enter')
  await expect(page.getByTestId('verdict-sentence')).toContainText('instead of 7 ms')
  await expect(changes.locator('.step-time')).toContainText('7')
  await changes.getByRole('button', { name: 'As the file says' }).click()
  await expect(page.getByTestId('verdict-sentence')).toContainText('instead of 5.46 ms')
})

test('a step that nobody timed without the profiler is estimated where the reader asks', async ({ page }) => {
  const { changes, now, step } = await open(page, 'torch-sync-stalls-stalled')
  const estimate = changes.getByRole('button', { name: 'Use the estimate' })
  const [estimated = ''] = /[\d.]+ [mµ]s/.exec(await estimate.innerText()) ?? []
  await expect(page.getByTestId('trace-verdict')).toContainText(`Without it a step takes about ${estimated}`)
  await estimate.click()
  await expect(page.getByTestId('verdict-sentence')).toContainText(`instead of ${estimated}`)
  await expect(page.getByTestId('trace-verdict')).toContainText('without it (estimated')
  await expect.poll(step).toBeLessThan(now)
  await expect(estimate).toHaveCount(0)
  await changes.getByRole('button', { name: 'As the file says' }).click()
  await expect.poll(step).toBe(now)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every control is 44 px high, and nothing is wider than the screen', async ({ page }) => {
    const { changes, step, now } = await open(page)
    for (const control of await changes.locator('label.cause-switch, select, input[type=range]').all()) {
      const box = await control.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(43.5)
    }
    await changes.locator('label.cause-switch').first().tap()
    await expect.poll(step).toBeLessThan(now)
    await expectNoOverflow(page)
  })
})
