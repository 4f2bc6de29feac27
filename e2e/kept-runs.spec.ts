/** The last run of a lesson, kept in the browser's own IndexedDB. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/**
 * Keys 'lesson/step' of the runs that are stored: what is written in the background may come late.
 */
const keptRuns = (page: Page): Promise<readonly IDBValidKey[]> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('host-device-lab-lessons')
        opening.addEventListener('error', () => reject(new Error('not opened')))
        opening.addEventListener('success', () => {
          const { result: database } = opening
          const asked = database.transaction(['values']).objectStore('values').getAllKeys()
          asked.addEventListener('success', () => {
            database.close()
            resolve(asked.result)
          })
        })
      }),
  )

test('the last run of a lesson is there after a reload, and gone once it is forgotten', async ({
  lab,
  page,
}) => {
  await lab.playRecording('sync-stalls')
  const number = page.getByTestId('headline-number').locator('strong')
  const shown = await number.innerText()
  await expect.poll(() => keptRuns(page)).toEqual(['sync-stalls/first'])
  await page.reload()
  await expect(number).toHaveText(shown)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Forget them' }).click()
  await expect.poll(() => keptRuns(page)).toEqual([])
})
