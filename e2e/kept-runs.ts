import type { Page } from '@playwright/test'

/** Keys 'lesson/step' of the lessons' runs that are in the page's storage: what is written in the background may come late. */
export const keptRuns = (page: Page): Promise<readonly IDBValidKey[]> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('host-device-lab-lessons')
        opening.addEventListener('error', () => {
          reject(new Error('not opened'))
        })
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
