/**
 * The built page in a headless browser, ready to be driven through `globalThis.hostDeviceLab`. The
 * command line and the benchmarks are clients of the page: there is no second engine.
 */
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Automation } from '../src/site/state/automation'
import { adapterFlags, EXACT_TIMESTAMPS_FLAG, type AdapterChoice } from './adapters.mjs'
import { ensureBrowser } from './browsers.mjs'
import { ensureSite } from './build-site.mjs'
import { chooseAdapter } from './choose-adapter'
import { serveSite } from './static-server.mjs'
import { CommandError, say } from './terminal.mjs'

export type LabPage = Awaited<ReturnType<typeof openLabPage>>

/**
 * What the page's global object holds, seen from inside `page.evaluate` (whose function is sent
 * over as text).
 */
export type LabGlobal = typeof globalThis & { readonly hostDeviceLab: Automation }

const START_TIMEOUT_MS = 60_000

/** Rejects when the page or its browser goes away; never resolves. */
export function goneOf(browser: Browser, page: Page): Promise<never> {
  const gone = new Promise<never>((_, reject) => {
    page.once('crash', () => reject(new CommandError('The page crashed.')))
    browser.once('disconnected', () => reject(new CommandError('The browser ended.')))
  })
  // Closing the browser ourselves ends it too: by then nobody waits for this.
  gone.catch(() => undefined)
  return gone
}

/**
 * Opens the page on the adapter asked for; `auto` takes a GPU, else software, and says which.
 * @param address the page's, from the site's root
 */
export async function openLabPage(adapter: AdapterChoice, address: string) {
  await ensureSite()
  const executablePath = await ensureBrowser()
  const flags = adapterFlags(await chooseAdapter(adapter, executablePath))
  const site = await serveSite()
  const browser = await chromium.launch({ executablePath, args: [...flags, EXACT_TIMESTAMPS_FLAG] })
  const close = async (): Promise<void> => {
    await browser.close()
    await site.close()
  }
  try {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 1000 },
      deviceScaleFactor: 2,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      serviceWorkers: 'block', // nothing is stored of a page that is closed after one run
    })
    page.on('pageerror', (error) => say(`\npage: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') say(`\npage: ${message.text()}`)
    })
    page.setDefaultTimeout(START_TIMEOUT_MS)
    await page.goto(`${site.url}${address}`)
    await page.waitForFunction(() => 'hostDeviceLab' in globalThis)
    const { device, fault } = await page.evaluate(() =>
      (globalThis as LabGlobal).hostDeviceLab.environment(false),
    )
    if (!device) throw new CommandError(fault?.message ?? 'The page found no WebGPU adapter.')
    return { page, device, gone: goneOf(browser, page), close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
