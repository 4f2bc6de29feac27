/**
 * Bytes of JavaScript, gzipped, that the first page loads before it is quiet: counted from the responses that the browser really got,
 * the worker's and those of preloads included.
 */
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { adapterFlags } from '../cli/adapters.mjs'
import { ensureBrowser } from '../cli/browsers.mjs'
import { ensureSite } from '../cli/build-site.mjs'
import { serveSite } from '../cli/static-server.mjs'
import { textTable } from '../cli/text-table'
import { CommandError } from '../cli/terminal.mjs'

const AIM_BYTES = 150_000
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

export async function benchStartup(): Promise<number> {
  await ensureSite()
  const site = await serveSite()
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: adapterFlags('software'),
  })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    const bodies = new Map<string, Promise<Buffer>>()
    context.on('response', (response) => {
      const type = response.headers()['content-type'] ?? ''
      if (type.startsWith('text/javascript')) bodies.set(response.url(), response.body())
    })
    await page.goto(site.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    // The page's own list, as a check on ours: nothing that it fetched may be missing.
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    const missed = fetched.filter((url) => /\.js(\?|$)/.test(url) && !bodies.has(url))
    if (missed.length > 0) throw new CommandError(`Loaded but not counted: ${missed.join(', ')}`)
    const sizes = await Promise.all(
      Array.from(bodies, async ([url, body]) => {
        const bytes = await body
        return {
          file: url.replace(site.url, ''),
          plain: bytes.length,
          zipped: gzipSync(bytes, { level: 9 }).length,
        }
      }),
    )
    if (sizes.length === 0)
      throw new CommandError('The first page loaded no JavaScript at all: nothing to measure.')
    const total = sizes.reduce((sum, { zipped }) => sum + zipped, 0)
    sizes.sort((a, b) => b.zipped - a.zipped)
    const rows = sizes.map(({ file, plain, zipped }) => [file, kilobytes(plain), kilobytes(zipped)])
    console.log(textTable([['file', 'plain', 'gzipped'], ...rows], [1, 2]))
    const isMet = total <= AIM_BYTES
    console.log(
      `First page: ${kilobytes(total)} of JavaScript, gzipped (aim ≤ ${kilobytes(AIM_BYTES)}): ${isMet ? 'met' : 'missed'}`,
    )
    return isMet ? 0 : 1
  } finally {
    await browser.close()
    await site.close()
  }
}
