/**
 * The built page in a headless browser, ready to be driven through `globalThis.hostDeviceLab`. The command line and the benchmarks
 * are clients of the page: there is no second engine.
 */
import { chromium, type Page } from 'playwright-core'
import { withTimeout } from '../src/base/with-timeout'
import type { Automation } from '../src/site/state/automation'
import { adapterFlags, EXACT_TIMESTAMPS_FLAG, type AdapterChoice } from './adapters.mjs'
import { ensureBrowser } from './browsers.mjs'
import { ensureSite } from './build-site.mjs'
import { onAdapter } from './on-adapter'
import { serveSite } from './static-server.mjs'
import { CommandError, say } from './terminal.mjs'

export type LabPage = Awaited<ReturnType<typeof openLabPage>>

/** What the page's global object holds, seen from inside `page.evaluate` (whose function is sent over as text). */
export type LabGlobal = typeof globalThis & { readonly hostDeviceLab: Automation }

const START_TIMEOUT_MS = 60_000
/** Chromium's `requestAdapter` never settles on Mesa's software Vulkan driver (lavapipe). */
const PROBE_TIMEOUT_MS = 30_000

type Probed = Awaited<ReturnType<Automation['environment']>>

interface Options {
  readonly adapter: AdapterChoice
  /** The page's address, from the site's root. */
  readonly address: string
}

async function launch(
  adapter: 'gpu' | 'software',
  { address }: Options,
  executablePath: string,
  siteUrl: string,
) {
  const browser = await chromium.launch({
    executablePath,
    args: [...adapterFlags(adapter), EXACT_TIMESTAMPS_FLAG],
  })
  const open = async (): Promise<Page> => {
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
    const timeout = START_TIMEOUT_MS
    await page.goto(`${siteUrl}${address}`, { timeout })
    await page.waitForFunction(() => 'hostDeviceLab' in globalThis, null, { timeout })
    return page
  }
  /** What the page finds out about its adapter; a fault where it finds out nothing in time. */
  const probe = async (page: Page): Promise<Probed> =>
    await withTimeout(
      page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.environment(false)),
      PROBE_TIMEOUT_MS,
      'The browser, asked for its adapter,',
    )
  try {
    // Where the GPU process cannot draw, as with lavapipe, Chromium may open no page at all.
    const page = await withTimeout(open(), START_TIMEOUT_MS, 'The browser, asked for a page,')
    return { browser, page, probed: await probe(page) }
  } catch (thrown) {
    const [message = ''] = String(thrown instanceof Error ? thrown.message : thrown).split('\n')
    const probed: Probed = { fault: { code: 'no-adapter', message } }
    return { browser, page: null, probed }
  }
}

/** Opens the page on the adapter asked for; `auto` takes a GPU, else software, and says which. */
export async function openLabPage(options: Options) {
  await ensureSite()
  const executablePath = await ensureBrowser()
  const site = await serveSite()
  let opened: Awaited<ReturnType<typeof launch>> | null = null
  const close = async (): Promise<void> => {
    await opened?.browser.close()
    await site.close()
  }
  try {
    opened = await onAdapter(
      options.adapter,
      (adapter) => launch(adapter, options, executablePath, site.url),
      ({ probed: { device, fault } }) => {
        if (device) return device.isSoftware ? `The browser offers only ${device.adapterName}.` : null
        return fault?.message ?? 'The browser offers no adapter.'
      },
      (found) => found.browser.close(),
    )
    const { browser, page, probed } = opened
    if (!page || !probed.device)
      throw new CommandError(probed.fault?.message ?? 'The page found no WebGPU adapter.')
    /** Rejects when the page or its browser goes away; never resolves. */
    const gone = new Promise<never>((_, reject) => {
      page.once('crash', () => reject(new CommandError('The page crashed.')))
      browser.once('disconnected', () => reject(new CommandError('The browser ended.')))
    })
    // Closing the browser ourselves ends it too: by then nobody waits for this.
    gone.catch(() => undefined)
    return { page, device: probed.device, gone, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
