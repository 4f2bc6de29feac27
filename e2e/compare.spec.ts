/** Two runs on one axis, on recordings: the same figures on every machine, and no GPU needed. */
import type { Page } from '@playwright/test'
import { expect } from './fixtures'
import { recordingPath } from './recordings'
import { sharing } from './shared-page'

const test = sharing()
// None takes what the one before it has left for its own.
test.beforeEach(({ lab }) => lab.open('/method'))

const VARIANTS = {
  a: 'recording:sync-stalls',
  b: 'recording:sync-stalls',
  va: 'never',
  vb: 'every-step',
} as const
const RECORDING = recordingPath('sync-stalls.hdl.gz')

const row = (page: Page, table: string, name: string) =>
  page.getByRole('region', { name: table }).getByRole('row').filter({ hasText: name })

/** The pixels of a canvas, to see whether what is drawn has changed. */
const drawn = (page: Page, run: 'A' | 'B'): Promise<string> =>
  page
    .getByRole('application', { name: `Timeline of run ${run}` })
    .locator('canvas')
    .first()
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())

test('two variants of one run: verdicts where the intervals are apart, none where they overlap', async ({
  lab,
  page,
}) => {
  await lab.open('/compare', VARIANTS)
  const sentence = page.getByTestId('compare-sentence')
  await expect(sentence).toContainText(
    /^B has ‘every-step’ instead of ‘never’: Device busy is .*, beyond the/,
  )
  await expect(row(page, 'Step by step', 'compute')).toContainText('not decided')
  await expect(row(page, 'Figure by figure', 'Device busy')).toContainText('lower in B')
  await expect(page.getByTestId('unlike')).toHaveCount(0)
  await page.getByRole('button', { name: 'Swap A and B' }).click()
  await expect(sentence).toContainText('B has ‘never’ instead of ‘every-step’')
  await expect(row(page, 'Figure by figure', 'Device busy')).toContainText('higher in B')
  await expect(page).toHaveURL(/va=every-step/)
})

test('different experiments and settings are said loudly', async ({ lab, page }) => {
  await lab.open('/compare', { a: 'recording:sync-stalls', b: 'recording:worth-it' })
  await expect(page.getByTestId('unlike')).toContainText('Different settings')
  await expect(page.getByTestId('unlike')).toContainText('A: sync-stalls · B: worth-it')
  await expect(page.getByTestId('compare-sentence')).toContainText('worth-it instead of sync-stalls')
})

test('both move together, whichever is moved', async ({ lab, page }) => {
  await lab.open('/compare', VARIANTS)
  await expect(page.getByRole('application', { name: 'Timeline of run B' })).toBeVisible()
  await page.waitForTimeout(500)
  for (const [moved, other] of [
    ['A', 'B'],
    ['B', 'A'],
  ] as const) {
    const before = await drawn(page, other)
    await page.getByRole('application', { name: `Timeline of run ${moved}` }).focus()
    await page.keyboard.press('w')
    await expect.poll(() => drawn(page, other)).not.toBe(before)
  }
  const zoomed = [await drawn(page, 'A'), await drawn(page, 'B')]
  await page.getByRole('button', { name: 'The first repeat of each' }).click()
  await expect.poll(async () => [await drawn(page, 'A'), await drawn(page, 'B')]).not.toEqual(zoomed)
})

test('a kept run against a recording, and an address that names what is gone', async ({ lab, page }) => {
  await lab.open('/runs')
  await page.getByLabel('Import runs').setInputFiles(RECORDING)
  await page.getByRole('link', { name: 'Compare: sync-stalls' }).click()
  const sideB = page.getByRole('group', { name: 'B' })
  await sideB.getByLabel('Run').selectOption('recording:async-submission')
  await expect(page.getByTestId('unlike')).toContainText('experiment')
  await expect(page.getByRole('application', { name: 'Timeline of run B' })).toBeVisible()
  await lab.open('/compare', { a: 'kept:nothing', b: 'page' })
  await expect(lab.fault('storage')).toContainText('no longer kept here')
  await expect(lab.fault('file')).toContainText('no finished run on the page')
})
