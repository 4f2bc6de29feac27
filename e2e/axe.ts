/** What axe finds on a page. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules whose answer can change with colours and width; all others read the document, which is the same in every look. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'target-size']

export interface AxeScope {
  /** Only what is in here. */
  readonly within?: string
  /** 'look': of a page that was looked at whole before, in other colours or narrower. */
  readonly rules?: 'all' | 'look'
}

/** Stands in for the library where the document has it: half a megabyte that would be sent and read twice for each look. */
const NOTHING = 'undefined'

/** One line a violation, with the elements at fault. The lab has no frames, so that no blank page is needed to put results together. */
export async function violations(
  page: Page,
  { within, rules = 'all' }: AxeScope = {},
): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: NOTHING } : {}) }).setLegacyMode()
  // All violations, and of what passed no more than one element: describing each costs as much as checking it.
  axe.options({ resultTypes: ['violations'] })
  if (within !== undefined) axe.include(within)
  if (rules === 'all') axe.withTags(WCAG)
  else axe.withRules(LOOK_RULES)
  const found = await axe.analyze()
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

/** How a page can look. The first is looked at whole; of the others what differs is. */
export const LOOKS = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' }, width: 1440, rules: 'all' },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, width: 1440, rules: 'look' },
  {
    name: 'forced colours',
    media: { colorScheme: 'light', forcedColors: 'active' },
    width: 1440,
    rules: 'look',
  },
  { name: '390 px', media: { colorScheme: 'light', forcedColors: 'none' }, width: 390, rules: 'look' },
  {
    name: '390 px, dark',
    media: { colorScheme: 'dark', forcedColors: 'none' },
    width: 390,
    rules: 'look',
  },
] as const

export async function setLook(page: Page, { media, width }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', ...media })
  await page.setViewportSize({ width, height: width > 390 ? 900 : 844 })
  // What the sticky header covers by chance would count as too small to press.
  await page.evaluate(() => {
    window.scrollTo(0, 0)
  })
}
