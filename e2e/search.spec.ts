/**
 * The search on the page of questions, by keyboard, and a link that shows the same; the reference
 * by the name of a section.
 */
import { expect, test } from './fixtures'

test('what is typed is found, told, and in the address', async ({ lab, page }) => {
  await lab.open('/q')
  const box = page.getByRole('searchbox', { name: 'Search questions, lessons and words' })
  const status = page.getByRole('article').getByRole('status')
  const found = page.locator('.question-found > li')
  await box.fill('cudaLaunchKernel')
  await expect(found.first().getByRole('link')).toHaveText(/^cudaLaunchKernel takes all my time/)
  await expect(status).toHaveText(/^\d+ entr(y|ies) found\.$/)
  await expect(page).toHaveURL(/q\/#\?q=cudaLaunchKernel$/)
  await box.press('Enter')
  await expect(found.first().getByRole('link')).toBeFocused()

  await page.reload()
  await expect(box).toHaveValue('cudaLaunchKernel')
  await expect(found.first()).toContainText('cudaLaunchKernel')
  await box.fill('zzz')
  await expect(status).toHaveText('Nothing found.')
  await box.fill('page-locked')
  await expect(found.first()).toContainText('pinned')
  await box.fill('')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(page).toHaveURL(/q\/$/)
})

test('a link into the reference leads to its section', async ({ lab, page }) => {
  await lab.open('/reference/copies')
  await expect(page.getByRole('heading', { level: 2, name: 'Copies' })).toBeFocused()
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page).toHaveURL(/reference\/#links$/)
  await expect(page.getByRole('heading', { level: 2, name: 'Links' })).toBeFocused()
})
