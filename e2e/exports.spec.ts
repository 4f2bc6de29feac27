/** What leaves the page by a visitor's hand: files that others open, and tracks for Chrome's own panel. Trace Event and the lab's format: cli.spec. */
import { readFile } from 'node:fs/promises'
import { csvParse } from 'd3-dsv'
import { gunzipSync } from 'node:zlib'
import { serveSite } from '../cli/static-server.mjs'
import { validateTraceEventText } from '../src/trace/formats/testing/validate-trace-event'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, LONG } from './fixtures'
import { test } from './shared-page'
import { shareItem } from './share'

interface Measured {
  readonly name: string
  readonly startTime: number
  readonly detail: { readonly devtools?: { readonly track: string; readonly trackGroup: string } } | null
}
type Observing = typeof globalThis & { measured: Measured[] }

test('a live run is saved as CSV, and given to the Performance panel', async ({ lab, page }) => {
  await lab.openRun('async-submission', {})
  const { status } = await lab.runBare('async-submission', { steps: '4', repeats: '2', kernelMs: '1' })
  expect(status).toBe('done')

  const spans = await shareItem(page, 'Spans .csv')
  const download = page.waitForEvent('download')
  await spans.click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^async-submission-.*\.spans\.csv$/)
  const rows = csvParse(await readFile(await file.path(), 'utf8'))
  const passes = rows.filter(({ kind, repeat }) => kind === 'compute' && Number(repeat || -1) >= 0)
  expect(passes).toHaveLength(2 * 2 * 4)
  for (const { start_ns, end_ns, duration_ns } of passes) {
    expect(Number(duration_ns)).toBeGreaterThan(0)
    expect(Number(end_ns) - Number(start_ns)).toBeCloseTo(Number(duration_ns), 3)
  }

  await page.evaluate(() => {
    const observing = globalThis as Observing
    observing.measured = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceMeasure[])
        observing.measured.push({
          name: entry.name,
          startTime: entry.startTime,
          detail: entry.detail as Measured['detail'],
        })
    }).observe({ type: 'measure' })
  })
  const before = await page.evaluate(() => performance.now())
  await (await shareItem(page, 'To Chrome’s Performance panel')).click()
  await expect(page.getByText(/given to the Performance panel/)).toBeVisible()
  const measured = await page.evaluate(() => (globalThis as Observing).measured)
  const tracks = new Set(measured.map(({ detail }) => detail?.devtools?.track))
  for (const lane of ['queue', 'device'])
    expect([...tracks].some((track) => track?.includes(lane))).toBe(true)
  expect(measured.filter(({ name }) => name.startsWith('matmul')).length).toBeGreaterThanOrEqual(
    passes.length,
  )
  for (const { startTime } of measured) {
    expect(startTime).toBeGreaterThan(0)
    expect(startTime).toBeLessThan(before)
  }
  // The panel's recording has them; the page keeps none.
  expect(await page.evaluate(() => performance.getEntriesByType('measure').length)).toBe(0)
})

/** Stands in for Perfetto's page, which tests cannot reach: answers as its documentation says, and keeps what it is given. */
const PERFETTO_PAGE = `<!doctype html><title>Perfetto</title><script>
  addEventListener('message', ({ data, source, origin }) => {
    if (data === 'PING') source.postMessage('PONG', origin)
    else if (data.perfetto) globalThis.received = { origin, ...data.perfetto }
  })
</script>`
const standInForPerfetto = (context: BrowserContext) =>
  context.route('https://ui.perfetto.dev/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: PERFETTO_PAGE }),
  )

async function expectReceived(perfetto: Page): Promise<void> {
  await perfetto.waitForFunction(() => 'received' in globalThis)
  const { title, fileName, bytes } = await perfetto.evaluate(() => {
    const { received } = globalThis as typeof globalThis & {
      received: { title: string; fileName: string; buffer: ArrayBuffer }
    }
    return {
      title: received.title,
      fileName: received.fileName,
      bytes: [...new Uint8Array(received.buffer)],
    }
  })
  expect(title).toContain('async-submission')
  expect(fileName).toMatch(/\.trace\.json\.gz$/)
  const text = gunzipSync(Uint8Array.from(bytes)).toString('utf8')
  expect(validateTraceEventText(text)).toEqual([])
  expect(text).toContain('matmul')
}

test('a run goes to Perfetto: over a page between, since the lab is isolated', async ({ lab, page }) => {
  const context = page.context()
  await standInForPerfetto(context)
  await lab.openRun('async-submission', {})
  await lab.runBare('async-submission', { steps: '3', repeats: '1', kernelMs: '1' })
  const item = await shareItem(page, 'Open in Perfetto')
  const [between] = await Promise.all([context.waitForEvent('page'), item.click()])
  await expect(page.getByText('A page beside this one has the run')).toBeVisible()
  await expect(between.getByRole('status')).toContainText('is here')
  const [perfetto] = await Promise.all([
    context.waitForEvent('page'),
    between.getByRole('button', { name: 'Open Perfetto' }).click(),
  ])
  await expectReceived(perfetto)
  await expect(between.getByRole('status')).toContainText('Perfetto has the run')
})

test('a run goes to Perfetto with one click where the lab is not isolated', LONG, async ({ lab, page }) => {
  const context = page.context()
  const site = await serveSite({ isolated: false })
  try {
    await standInForPerfetto(context)
    await page.goto(`${site.url}run/async-submission/`)
    await lab.runBare('async-submission', { steps: '3', repeats: '1', kernelMs: '1' })
    const item = await shareItem(page, 'Open in Perfetto')
    const [perfetto] = await Promise.all([context.waitForEvent('page'), item.click()])
    await expectReceived(perfetto)
    await expect(page.getByText('Perfetto has the run')).toBeVisible()
  } finally {
    await site.close()
  }
})
