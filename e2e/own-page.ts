/**
 * A page of the site's origin with a module of the tests in it, for what no page of the site shows:
 * kernels, the recorder, learners' WGSL.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { bundleModule } from '../vite/bundle-module'
import { test } from './fixtures'

/**
 * Builds `e2e/<name>-page/<name>-page.ts` with all that it imports, as one script, before the tests
 * of a file.
 * @returns opens an empty page with the script in it, unless it is there already; ready when the
 * script has set `global`
 */
export function ownPage(name: string, global: string): (page: Page) => Promise<void> {
  let script = ''
  test.beforeAll(async () => {
    const module = join(import.meta.dirname, `${name}-page`, `${name}-page.ts`)
    script = await bundleModule(module, { minify: false })
  })
  return async (page) => {
    if (await page.evaluate((wanted) => wanted in globalThis, global)) return
    await page.route(`**/${name}.html`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>${name}</title><link rel="icon" href="data:,">`,
      }),
    )
    await page.goto(`./${name}.html`)
    await page.addScriptTag({ content: script, type: 'module' })
    await page.waitForFunction((wanted) => wanted in globalThis, global)
  }
}
