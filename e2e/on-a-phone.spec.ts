/**
 * One lesson at a phone's size, with taps: what counts is on the first screen, nothing scrolls
 * sideways, and a finger meets every target.
 */
import type { Page } from '@playwright/test'
import { expectNoOverflow } from './a11y'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { experimentWords } from './lesson-folders'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const LESSON = 'sync-stalls'
/** WCAG 2.2, 2.5.8 Target size (minimum), CSS px. */
const LEAST_TARGET = 24

/**
 * Targets in the content that are too small; those in a line of text are excepted, as the rule
 * excepts them.
 */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.getByRole('main').evaluate(
    (main, least) =>
      [...main.querySelectorAll<HTMLElement>('a, button, input, select, summary')].flatMap((element) => {
        if (!element.checkVisibility() || getComputedStyle(element).display === 'inline') return []
        // A word's definition is a button in a line of text.
        if (element.closest('p, li') && element.matches('.definition, .term, .link-button')) return []
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
        return width >= least && height >= least
          ? []
          : [`${element.outerHTML.slice(0, 120)} ${String(width)} × ${String(height)}`]
      }),
    LEAST_TARGET,
  )

async function expectPhoneFit(page: Page): Promise<void> {
  await expectNoOverflow(page)
  expect(await smallTargets(page)).toEqual([])
}

test('a lesson by touch alone', async ({ lab, page }) => {
  const { steps, quiz, excerpt } = experimentWords(LESSON)
  const running = steps.findIndex(({ action }) => action !== undefined)
  const link = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name })

  await test.step('a lesson asks on its first screen, with the key to answer', async () => {
    const key = page.locator('[data-testid=prediction] button[type=submit]')
    // The longest question, and the other kind of lesson.
    for (const id of ['pipeline-bubble', 'read-a-profile']) {
      await page.goto(`lessons/${id}/`, { waitUntil: 'domcontentloaded' })
      await expect(key, id).toBeInViewport({ ratio: 1 })
    }
  })

  await test.step('the question, its slider and its key on the first screen', async () => {
    await lab.openLesson(LESSON, { settings: shortSettings(LESSON) })
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    const slider = page.locator('#prediction-slider')
    await expect(slider).toBeInViewport({ ratio: 1 })
    await expect(lab.runButton).toBeInViewport({ ratio: 1 })
    await expectPhoneFit(page)
    const box = await slider.boundingBox()
    if (!box) throw new Error('The slider has no box.')
    const before = await slider.inputValue()
    await page.touchscreen.tap(box.x + 0.3 * box.width, box.y + box.height / 2)
    await expect(slider).not.toHaveValue(before)
  })

  await test.step('run: number, prediction and PyTorch’s figure without scrolling', async () => {
    await lab.runButton.tap()
    await expect(lab.stage).toBeInViewport()
    await expectPhoneFit(page)
    await lab.waitDone()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page.getByTestId('headline-number')).toBeInViewport({ ratio: 1 })
    await expect(page.getByTestId('prediction-result')).toBeInViewport({ ratio: 1 })
    await expect(page.getByTestId('twin')).toBeInViewport({ ratio: 1 })
    await expectPhoneFit(page)
  })

  await test.step('the strips, as wide as the screen', async () => {
    const pictures = page.locator('.strips-picture svg')
    expect(await pictures.count()).toBeGreaterThanOrEqual(2)
    expect(await pictures.count()).toBeLessThanOrEqual(excerpt.variants.length)
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      const box = await picture.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390)
      expect(box?.width, 'most of the screen').toBeGreaterThan(300)
    }
    const name = page.locator('.strips-name').first()
    await name.tap()
    await expect(name).toHaveAttribute('aria-pressed', 'true')
    const moment = page.getByRole('slider', { name: 'Moment' })
    await page.getByRole('button', { name: 'Step', exact: true }).tap()
    await expect(moment).not.toHaveValue('1000')
  })

  await test.step('mend it', async () => {
    await link('Mend it').last().tap()
    // PyTorch comes first.
    await expect(page.getByTestId('choices').getByRole('heading').first()).toBeInViewport()
    const program = page.getByRole('textbox', { name: 'Program to mend' })
    await program.tap()
    await page.keyboard.insertText('/* mine */')
    await expect(program).toContainText('/* mine */')
    await page.getByRole('button', { name: 'Give me a hint' }).tap()
    await page.getByRole('button', { name: 'Show the lab’s own fix' }).tap()
    await expect(page.getByTestId('reference')).toBeVisible()
    await expectPhoneFit(page)
  })

  await test.step('a step', async () => {
    await link('Change one thing').last().tap()
    for (const { heading } of steps.slice(1, running + 1)) {
      await link(heading).tap()
      await expect(page.getByRole('heading', { level: 2, name: heading })).toBeInViewport()
      await expectPhoneFit(page)
    }
    await lab.runInView()
    await lab.waitDone()
    for (const side of ['before', 'after'])
      await expect(page.locator(`[data-variant$=", ${side}"] .strips-bar`).first()).toBeVisible()
    await expectPhoneFit(page)
  })

  await test.step('why, and every question', async () => {
    await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: /Why/ }).tap()
    for (const [index, { options }] of quiz.entries()) {
      const item = page.locator('.quiz-item').nth(index)
      if (index > 0) await item.locator('summary').tap()
      await item
        .locator('.quiz-button')
        .nth(options.findIndex(({ correct }) => correct))
        .tap()
      await expect(item.getByText('Right', { exact: true })).toBeVisible()
    }
    await expectPhoneFit(page)
    await page.getByRole('navigation', { name: 'Next' }).getByRole('link').last().tap()
    await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'open')
  })
})
