/** What axe finds on a page, however it looks. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/**
 * The rules whose answer can change with colours and width; all others read the document, which is
 * the same in every look.
 */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'target-size']

interface AxeScope {
  /** Only what is in here. */
  readonly within?: string
  /** 'look': of a page that was looked at whole before, in other colours or narrower. */
  readonly rules?: 'all' | 'look'
}

/**
 * Stands in for the library where the document has it: half a megabyte that would be sent and read
 * twice for each look.
 */
const NOTHING = 'undefined'

/**
 * Sticky elements keep their own place from here on. Otherwise a scrolled page lets them cover a
 * part of a button, which then counts as too small to press.
 */
const unstick = (page: Page) =>
  page.evaluate(() => {
    for (const each of document.body.querySelectorAll<HTMLElement>('*'))
      if (getComputedStyle(each).position === 'sticky')
        Object.assign(each.style, { position: 'relative', inset: 'auto' })
  })

/**
 * One line a violation, with the elements at fault. The lab has no frames, so that no blank page is
 * needed to put results together.
 */
export async function violations(
  page: Page,
  { within, rules = 'all' }: AxeScope = {},
): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: NOTHING } : {}) }).setLegacyMode()
  // All violations, and of what passed no more than one element: describing each costs as much as
  // checking it.
  axe.options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  if (rules === 'all') axe.withTags(WCAG)
  else axe.withRules(LOOK_RULES)
  await unstick(page)
  const found = await axe.analyze()
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

/** The looks that are furthest apart: tokens that fit in the light and fit 390 px in the dark. */
export const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1440, rules: 'all' },
  { name: '390 px, dark', colorScheme: 'dark', width: 390, rules: 'look' },
] as const

export async function setLook(page: Page, { colorScheme, width }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme })
  await page.setViewportSize({ width, height: width > 390 ? 900 : 844 })
}

/** Only what says so may scroll sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0)
}

/** Opened once, seen in every look. */
export async function noViolationInAnyLook(page: Page, scope: Pick<AxeScope, 'within'> = {}): Promise<void> {
  for (const look of LOOKS)
    await test.step(look.name, async () => {
      await setLook(page, look)
      expect(await violations(page, { ...scope, rules: look.rules }), page.url()).toEqual([])
      await expectNoOverflow(page)
    })
}
