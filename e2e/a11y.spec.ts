/** No violation that axe finds, on every page, in light, dark and forced colours, and 390 px wide; and the keyboard reaches the run. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { shortSettings } from './lab'

async function violations(page: Page): Promise<readonly string[]> {
  const found = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

const LOOKS = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' }, width: 1440 },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' }, width: 1440 },
  { name: '390 px', media: { colorScheme: 'light', forcedColors: 'none' }, width: 390 },
  { name: '390 px, dark', media: { colorScheme: 'dark', forcedColors: 'none' }, width: 390 },
  { name: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' }, width: 1440 },
] as const

async function look(page: Page, { media, width }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce', ...media })
  await page.setViewportSize({ width, height: 844 })
}

/** What took a run to bring about is looked at in every way, not brought about for each. */
async function noViolationInAnyLook(page: Page): Promise<void> {
  for (const each of LOOKS)
    await test.step(each.name, async () => {
      await look(page, each)
      expect(await violations(page)).toEqual([])
    })
}

const ROUTES = [
  '/',
  '/device',
  '/method',
  '/lessons/async-submission',
  '/run',
  '/run/sync-stalls',
  '/run/sync-stalls?steps=0',
  '/runs',
  '/compare',
  '/compare?a=recording:sync-stalls&b=recording:async-submission',
  '/trace',
  '/trace?recording=none',
  '/nowhere',
]

for (const each of LOOKS)
  test(`${each.name}: no violation on any page`, async ({ lab, page }) => {
    await look(page, each)
    for (const route of ROUTES) {
      await test.step(route, async () => {
        await lab.open(route)
        expect(await violations(page)).toEqual([])
        // Only what says so may scroll sideways.
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0)
      })
    }
  })

test('no violation with a trace open', async ({ lab, page }) => {
  await lab.open('/trace?recording=torch-overlapped-uploads-pageable')
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await page.getByRole('button', { name: 'Longest gap: host waited' }).click()
  await page.getByTestId('critical-path').locator('summary').first().click()
  await page.getByText('Recordings to compare with').click()
  await page.getByRole('button', { name: 'Browse as a tree' }).click()
  await noViolationInAnyLook(page)
})

test('no violation in a lesson after its run', async ({ lab, page }) => {
  await lab.openLesson('sync-stalls', shortSettings('sync-stalls'))
  await lab.predict()
  await lab.run()
  await lab.waitDone()
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Idle time' }).click()
  await expect(page.getByTestId('idle-table')).toBeVisible()
  await noViolationInAnyLook(page)
  await page.getByRole('tab', { name: 'All figures' }).click()
  await page.getByText('What is in view, as a table').click()
  await noViolationInAnyLook(page)
})

test('with the keyboard alone: from the top of the page to a finished run', async ({ lab, page }) => {
  await lab.openLesson('async-submission', shortSettings('async-submission'))
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const focusByTab = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (await isThere()) return
    }
    throw new Error('Tab never got there.')
  }
  const slider = page.getByTestId('prediction').getByRole('slider')
  await focusByTab(() => slider.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // The button that was pressed is gone: the focus is on what comes next.
  await expect(lab.runButton).toBeFocused()
  await page.keyboard.press('Enter')
  await lab.waitDone()
})
