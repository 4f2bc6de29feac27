/**
 * For specs that open a page which measures nothing by itself: one page for all tests of a process, since measuring a device takes longer than
 * many a run there (Firefox on llvmpipe: 9 s). After a failure there is a new one, with its process.
 */
import type { Page } from '@playwright/test'
import { test as base } from './fixtures'

let shared: Page | null = null
export const test = base.extend({
  page: async ({ browser }, use) => {
    shared ??= await (await browser.newContext()).newPage()
    await use(shared)
  },
})
