/** A page of the site's origin with a module of the tests in it, for what no page of the site shows: kernels, the recorder, learners' WGSL. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { bundleModule } from '../vite/bundle-module'

/** The text of `e2e/<name>-page/<name>-page.ts` with all that it imports, as one script. */
export const buildOwnPage = (name: string): Promise<string> =>
  bundleModule(join(import.meta.dirname, `${name}-page`, `${name}-page.ts`), { minify: false })

/** Opens an empty page with the script in it, unless it is there already; ready when the global that the script sets is there. */
export async function openOwnPage(page: Page, name: string, script: string, global: string): Promise<void> {
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
