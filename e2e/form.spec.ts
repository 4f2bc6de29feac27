/**
 * A first visit on a software adapter: the recorded run comes first, and each screen has few words.
 */
import type { Page } from '@playwright/test'
import { expect, LONG, test } from './fixtures'
import { experimentLessonIds, experimentWords } from './lesson-folders'
import { isRecorded } from './recordings'

test.use({ settled: false, viewport: { width: 1440, height: 900 } })

/** Rewritten first; the others are held by form.test.ts, and here in the long run. */
const SHORT = ['sync-stalls', 'async-submission', 'staging-buffers', 'overlapped-uploads']
const MOST = { see: 220, change: 200 }

/** Words of the page's main part whose line begins above the fold. */
const wordsInView = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    if (!main) throw new Error('The page has no main part.')
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    let count = 0
    while (texts.nextNode()) {
      const node = texts.currentNode
      range.selectNodeContents(node)
      const { width, height, top } = range.getBoundingClientRect()
      const isSeen = node.parentElement?.checkVisibility({ visibilityProperty: true }) === true
      // Labels of pictures and axes are no text to read; a hidden text is for a screen reader.
      const isPicture = node.parentElement?.closest('svg, .visually-hidden, [aria-hidden=true]') != null
      if (isSeen && !isPicture && width > 1 && height > 1 && top < innerHeight)
        count += node.textContent?.match(/[^\s]*[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
    }
    return count
  })

for (const id of experimentLessonIds.filter(isRecorded))
  test(
    `${id}: the recorded run first, then few words on See and Change`,
    SHORT.includes(id) ? {} : LONG,
    async ({ lab, page }) => {
      const { steps } = experimentWords(id)
      await lab.openLesson(id, { screen: 'predict' })
      await expect(page.getByTestId('runs-on')).toContainText('You will see a recorded run first')
      await page.getByRole('button', { name: /^Predict .+ and play the recording$/ }).click()
      await expect(page.getByTestId('headline-own')).toContainText('Recorded on NVIDIA')
      await expect(page.locator('.see-answer')).toBeVisible()
      await expect(page.locator('.strips-picture svg').first()).toBeVisible()
      expect(await wordsInView(page), 'words on See').toBeLessThanOrEqual(MOST.see)
      await expect(page.getByRole('button', { name: 'Run it on this machine' })).toBeVisible()
      await page.getByRole('button', { name: 'Look closer' }).click()
      await expect(page.getByTestId('verdict')).toBeVisible()

      const [first] = steps
      if (!first || !isRecorded(`${id}/${first.id}`)) return
      await lab.openLesson(id, { screen: 'change' })
      const [slider, radio] = [
        page.getByTestId('guess').getByRole('slider'),
        page.getByTestId('guess').getByRole('radio'),
      ]
      if ((await slider.count()) > 0) await slider.press('ArrowRight')
      else await radio.first().check()
      await page.locator('.change-action').getByRole('button', { name: 'Play the recording' }).click()
      await expect(page.getByTestId('conclusion')).toContainText(/\w/)
      expect(await wordsInView(page), 'words on Change').toBeLessThanOrEqual(MOST.change)
    },
  )
