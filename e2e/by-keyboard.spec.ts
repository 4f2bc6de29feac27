/**
 * One lesson from its question to the next one's, with Tab, arrows, Enter and Space: no pointer.
 * Wherever it leads, focus is seen and makes sense.
 */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'
import { experimentWords } from './lesson-folders'
import { GRADING_TIMEOUT_MS } from './mends'
import { Replay } from './replay'

const LESSON = 'sync-stalls'

/** Focused, on the screen, and marked as such. */
async function expectFocus(target: Locator): Promise<void> {
  await expect(target).toBeFocused()
  await expect(target).toBeInViewport()
  // Round the whole editor, and some ms later, where it is the editor's.
  const outline = () =>
    target.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element.closest('.cm-editor') ?? element)
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
    })
  await expect.poll(outline, 'focus is drawn').toBeGreaterThan(0)
}

async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key)
    if (await target.evaluate((element) => element.matches(':focus'))) {
      await expectFocus(target)
      return
    }
  }
  throw new Error(`${key} never got there.`)
}

/** A scroll by key is animated, and goes on into the page that opens meanwhile. */
const scrollEnds = (page: Page) =>
  page.evaluate(async () => {
    let last = Number.NaN
    while (window.scrollY !== last) {
      last = window.scrollY
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

test('a lesson by keyboard alone', async ({ lab, page }) => {
  test.setTimeout(3 * GRADING_TIMEOUT_MS)
  const { steps, quiz } = experimentWords(LESSON)
  const running = steps.findIndex(({ action }) => action !== undefined)
  const next = steps[running]
  if (!next) throw new Error(`${LESSON} has no step that runs.`)
  const press = (key: string) => page.keyboard.press(key)
  const link = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name })
  const heading = (level: number, name: string | RegExp) => page.getByRole('heading', { level, name })
  const dial = page.locator('.change-action').getByRole('slider')

  await test.step('to the question, past the header', async () => {
    await lab.openLesson(LESSON, { settings: shortSettings(LESSON) })
    await press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })

  await test.step('predict and run', async () => {
    const slider = page.locator('#prediction-slider')
    await tabTo(page, slider)
    const before = await slider.inputValue()
    await press('ArrowLeft')
    await expect(slider).not.toHaveValue(before)
    await tabTo(page, lab.runButton)
    await press('Enter')
    await expectFocus(lab.stage.getByRole('heading', { level: 2 }))
    await lab.waitDone()
    // What had focus is gone: the number has it.
    await expectFocus(page.getByTestId('headline'))
  })

  await test.step('replay', async () => {
    const replay = new Replay(page)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect(replay.play).toBeVisible()
    await press('Space')
    await expect(replay.pause).toBeVisible()
    await replay.expectMoves()
    await press('Space')
    await replay.expectStands()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await tabTo(page, replay.moment)
    const at = await replay.at()
    await press('ArrowRight')
    expect(await replay.at()).toBeGreaterThan(at)
  })

  await test.step('mend it: into the editor, and out of it', async () => {
    await tabTo(page, link('Mend it').last())
    await press('Enter')
    await expectFocus(page.getByRole('region', { name: 'In PyTorch' }))
    const program = page.getByRole('textbox', { name: 'Program to mend' })
    await tabTo(page, program)
    await press('ControlOrMeta+Home')
    // Graded without a run; one that ran is the next test’s.
    await page.keyboard.type('const = 1 // mine')
    await expect(program).toContainText('// mine')
    const runKey = page.getByRole('button', { name: 'Run and grade' })
    const grade = page.getByTestId('grade')
    await tabTo(page, runKey)
    await press('Enter')
    await expect(grade).toHaveAttribute('data-passed', 'false', { timeout: GRADING_TIMEOUT_MS })
    await expectFocus(page.getByRole('button', { name: 'Run and grade again' }))
    await press('Tab')
    await expectFocus(page.getByRole('button', { name: 'Back to line 1' }))
    await press('Tab')
    await expectFocus(link('Change one thing').nth(2))
    await press('Shift+Tab')
    await press('Enter')
    await expectFocus(program)
  })

  await test.step('change one thing, and cancel', async () => {
    await tabTo(page, link('Change one thing').last())
    await press('Enter')
    await expectFocus(heading(2, steps[0]?.heading ?? ''))
    for (const { heading: title } of steps.slice(1, running + 1)) {
      await tabTo(page, link(`Next: ${title}`))
      await press('Space') // scrolls the page, and does nothing on a link
      await scrollEnds(page)
      await press('Enter')
      await expectFocus(heading(2, title))
      expect(await page.evaluate(() => window.scrollY), 'the step is shown from its top').toBe(0)
    }
    await tabTo(page, dial)
    // The longest: a run that ends before the keys have come to Cancel cannot be cancelled.
    await press('End')
    await expect.poll(() => new URL(page.url()).hash).toContain('?')
    await expectFocus(dial)
    const more = page.getByTestId('guess').getByRole('radio').first()
    await tabTo(page, more)
    await press('Space')
    await expect(more).toBeChecked()
    await tabTo(page, lab.runButton)
    await press('Enter')
    await expect(lab.cancelButton).toBeVisible()
    await expect(lab.runButton).toBeFocused()
    await tabTo(page, lab.cancelButton)
    await press('Space')
    await expect(heading(2, 'Cancelled')).toBeVisible()
    await expectFocus(heading(2, next.heading))
  })

  await test.step('the step, to its end', async () => {
    await tabTo(page, dial)
    await press('Home') // the shortest
    await tabTo(page, lab.runButton)
    await lab.run(() => press('Space'))
    await lab.waitDone()
    await expect(page.getByTestId('before-after')).toBeVisible()
    // What was said before the cancelled run holds for this one.
    await expect(page.getByTestId('guess-result')).toContainText(
      `You expected ${next.guess?.answers?.more ?? '?'}`,
    )
    await expect(page.getByTestId('guess')).toHaveCount(0)
    await expectFocus(lab.runButton)
  })

  await test.step('why, and every question', async () => {
    await tabTo(
      page,
      page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: /Why/ }),
      'Shift+Tab',
    )
    await press('Enter')
    await expectFocus(heading(2, 'In PyTorch'))
    await expect(page.getByTestId('quiz')).toBeVisible()
    for (const [index, { options }] of quiz.entries()) {
      const item = page.locator('.quiz-item').nth(index)
      const right = options.findIndex(({ correct }) => correct)
      if (index > 0) {
        await tabTo(page, item.locator('summary'))
        await press('Enter')
      }
      for (let at = 0; at <= right; at += 1) {
        await tabTo(page, item.locator('.quiz-button').nth(at))
        await press(at % 2 === 0 ? 'Enter' : 'Space')
        await expect(item.locator('.quiz-explanation').first()).toBeVisible()
        await expect(item.locator('.quiz-button').nth(at)).toBeFocused()
      }
      await expect(item.locator('.quiz-explanation')).toHaveCount(options.length)
    }
  })

  await test.step('the next lesson', async () => {
    const ways = page.getByRole('navigation', { name: 'Next' }).getByRole('link')
    await tabTo(page, ways.last())
    await press('Enter')
    await expect(heading(1, experimentWords(LESSON).question)).toHaveCount(0)
    await expect(page.getByTestId('prediction')).toHaveAttribute('data-state', 'open')
    await expect(heading(1, /./)).toBeFocused()
  })
})

test('a grading on a phone ends with what it came to in view', async ({ lab, page }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  await page.setViewportSize({ width: 390, height: 844 })
  await lab.openLesson('command-queue', { screen: 'mend' }) // graded fast
  // As it is, it is graded at once: nothing in it was changed.
  const program = page.getByRole('textbox', { name: 'Program to mend' })
  await program.press('ControlOrMeta+Enter')
  const grade = page.getByTestId('grade')
  await expect(grade).toBeInViewport({ timeout: GRADING_TIMEOUT_MS })
  await expect(grade).toHaveAttribute('data-passed', 'false')
  await page.getByRole('button', { name: /^Back to line \d+$/ }).press('Enter')
  await expectFocus(program)
})
