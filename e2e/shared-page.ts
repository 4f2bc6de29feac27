/**
 * One page for all tests of a process: opening one and measuring its device takes longer than many
 * a run there (SwiftShader: 2 to 3 s of a core; Firefox on llvmpipe: 9 s). After a failure there is
 * a new one, with its process. For tests that neither ask what a first visit is like nor change
 * what the next one finds: its device, routes, or what is kept of a lesson that another opens.
 */
import type { Page } from '@playwright/test'
import { settle, test as base } from './fixtures'

/** A test whose page is shared with whatever is declared by the same one. */
export function sharing() {
  let shared: Page | null = null
  return base.extend({
    page: async ({ browser }, use) => {
      if (!shared) {
        const context = await browser.newContext()
        await settle(context)
        shared = await context.newPage()
      }
      await use(shared)
    },
  })
}

/** Shared by the files of a project. */
export const test = sharing()

/**
 * Workers of a script that start from now on and have not ended: a shared page may list one of a
 * test before.
 */
export function watchWorkers(page: Page, script: RegExp) {
  const alive = new Set<unknown>()
  page.on('worker', (worker) => {
    if (!script.test(worker.url())) return
    alive.add(worker)
    worker.on('close', () => alive.delete(worker))
  })
  return () => alive.size
}
