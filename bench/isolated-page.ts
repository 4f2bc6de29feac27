/** An empty page with a bench's script in it, isolated: its clock then steps by 5 µs, and workers share memory. Served to this browser alone. */
import { chromium, type Browser, type Page } from 'playwright-core'
import type { AdapterChoice } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { CommandError } from '../cli/terminal.mjs'

/** The caller closes the browser. */
export async function openIsolatedPage(
  args: readonly string[],
  script: string,
): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: [...args] })
  try {
    const page = await browser.newPage()
    await page.route('https://bench.invalid/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        },
        body: '<!doctype html><title>Bench</title><link rel="icon" href="data:,">',
      }),
    )
    await page.goto('https://bench.invalid/')
    await page.addScriptTag({ content: script, type: 'module' })
    return { browser, page }
  } catch (thrown) {
    await browser.close()
    throw thrown
  }
}

/** 'auto': on the GPU, and where that fails on software. @throws CommandError with why it fails */
export async function openOn<Opened>(
  choice: AdapterChoice,
  open: (adapter: 'gpu' | 'software') => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(choice === 'auto' ? 'gpu' : choice)
  } catch (thrown) {
    if (choice === 'auto') return await open('software')
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown))
  }
}
