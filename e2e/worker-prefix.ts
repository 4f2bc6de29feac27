/**
 * A function that runs in the lab's worker before its own script does, and before the recorder
 * captures anything.
 */
import type { Page } from '@playwright/test'

/**
 * Before the page is opened.
 *
 * @param install its text is sent over: it may use no name from outside itself
 */
export async function prefixWorker(page: Page, install: () => void): Promise<void> {
  await page.route(/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `(${install.toString()})();${await response.text()}` })
  })
}
