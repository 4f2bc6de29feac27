/**
 * Paths of bytes in cards, of a recorded run: every way is drawn, whatever the colours, the width
 * and the paper, and its figure stands beside its words.
 */
import type { Page } from '@playwright/test'
import { expectNoOverflow } from './a11y'
import { expect, test } from './fixtures'

const LESSON = 'staging-buffers'
const PHONE = { width: 390, height: 844 }

interface Way {
  readonly isMeasured: boolean
  readonly figure: string
  /** Of its line: as drawn, and whether it can be distinguished from the card. */
  readonly style: string
  readonly isVisible: boolean
  /** Parts of it lie on each other, or beyond the card. */
  readonly isCrowded: boolean
}

const waysOf = (page: Page): Promise<readonly Way[]> =>
  page.locator('.flow-way').evaluateAll((all) =>
    all.map((way) => {
      const line = getComputedStyle(way, '::before')
      const card = way.closest('.card')
      const ground = card ? getComputedStyle(card).backgroundColor : ''
      const outer = card?.getBoundingClientRect()
      const boxes = [...way.children].map((part) => part.getBoundingClientRect())
      const [words, figure] = boxes
      return {
        isMeasured: way.parentElement?.dataset['measured'] === 'true',
        figure: way.querySelector('strong')?.textContent ?? '',
        style: line.borderInlineStartStyle,
        isVisible:
          Number.parseFloat(line.borderInlineStartWidth) >= 1 && line.borderInlineStartColor !== ground,
        isCrowded:
          (figure !== undefined && (words?.right ?? 0) > figure.left) ||
          boxes.some(({ left, right }) => left < (outer?.left ?? 0) || right > (outer?.right ?? 0)),
      }
    }),
  )

test('the path of the bytes, with a rate where a clock sees them', async ({ lab, page }) => {
  await lab.playRecording(LESSON)
  await lab.openLesson(LESSON, { screen: 'why' })
  await expect(page.getByTestId('explanation').locator('.card-flow')).not.toHaveCount(0)

  const expectWays = async (): Promise<void> => {
    const ways = await waysOf(page)
    expect(ways.some(({ isMeasured }) => isMeasured)).toBe(true)
    expect(ways.some(({ isMeasured }) => !isMeasured)).toBe(true)
    for (const way of ways) {
      expect(way).toMatchObject({ isVisible: true, isCrowded: false })
      expect(way.style).toBe(way.isMeasured ? 'solid' : 'dashed')
      // With its interval: ± or from–to.
      expect(way.figure).toMatch(way.isMeasured ? /\d\sGB\/s (±|\()/ : /^$/)
    }
  }
  await expectWays()
  for (const media of [
    { forcedColors: 'active' },
    { forcedColors: 'none', colorScheme: 'dark' },
    { colorScheme: 'light', media: 'print' },
  ] as const)
    await test.step(JSON.stringify(media), async () => {
      await page.emulateMedia(media)
      await expectWays()
    })
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize(PHONE)
  await expectWays()
  await expectNoOverflow(page)
})
