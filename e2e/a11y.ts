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
      // What sticks to an edge covers nothing where it has its own place: the way on at the end, a
      // run's key at the start.
      const toEnd = (await page.locator('.next-lesson').count()) > 0
      if (toEnd || (await page.locator('.mend-run').count()) > 0)
        await page.evaluate((end) => {
          scrollTo(0, end ? document.body.scrollHeight : 0)
        }, toEnd)
      expect(await violations(page, { ...scope, rules: look.rules }), page.url()).toEqual([])
      expect(await overflow(page), 'the page scrolls sideways').toBeLessThanOrEqual(0)
    })
}
