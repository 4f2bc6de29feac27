/** A run that goes to Perfetto's page. What is saved as a file: round-trips.spec. */
import { gunzipSync } from 'node:zlib'
import { validateTraceEventText } from '../src/trace/formats/testing/validate-trace-event'
import type { BrowserContext, Page } from '@playwright/test'
import { expect } from './fixtures'
import { test } from './shared-page'
import { shareItem } from './share'

/**
 * Stands in for Perfetto's page, which tests cannot reach: answers as its documentation says, and
 * keeps what it is given.
 */
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
  await expect(page.getByText('Another page has the run')).toBeVisible()
  await expect(between.getByRole('status')).toContainText('is here')
  const [perfetto] = await Promise.all([
    context.waitForEvent('page'),
    between.getByRole('button', { name: 'Open Perfetto' }).click(),
  ])
  await expectReceived(perfetto)
  await expect(between.getByRole('status')).toContainText('Perfetto has the run')
})
