/** A page looked at in every way, brought about once. */
import type { Page } from '@playwright/test'
import { LOOKS, setLook, violations, type AxeScope } from './axe'
import { expect, IS_LONG, test } from './fixtures'

/** Only what says so may scroll sideways. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The first and the last are furthest apart: what is drawn from a token in the light is in the dark, and fits if it fits 390 px. */
export const SHOWN = IS_LONG ? LOOKS : LOOKS.filter(({ name }) => name === 'light' || name === '390 px, dark')

export async function noViolationInAnyLook(page: Page, scope: Pick<AxeScope, 'within'> = {}): Promise<void> {
  for (const look of SHOWN)
    await test.step(look.name, async () => {
      await setLook(page, look)
      // At its end the way on stands in its place, and covers nothing.
      if ((await page.locator('.next-lesson').count()) > 0)
        await page.evaluate(() => {
          scrollTo(0, document.body.scrollHeight)
        })
      expect(await violations(page, { ...scope, rules: look.rules }), page.url()).toEqual([])
      expect(await overflow(page), 'the page scrolls sideways').toBeLessThanOrEqual(0)
    })
}
