/**
 * `npm run lab -- pictures`: the README's picture, of the built site in a browser without WebGPU, which plays what was recorded. The image of
 * links is the build's own (vite/previews.ts).
 */
import { writeFile } from 'node:fs/promises'
import { chromium, type Page } from 'playwright-core'
import { ensureBrowser } from './browsers.mjs'
import { ensureSite } from './build-site.mjs'
import { PICTURE, PICTURED, QUOTES, quotedInPicture } from './picture-quotes'
import { serveSite } from './static-server.mjs'
import { CommandError, say } from './terminal.mjs'

/** Chromium offers WebGPU to secure pages alone: a name that is not localhost, led to this machine, has none. */
const HOST = 'lab.test'
const RESULT_TIMEOUT_MS = 60_000
/** CSS px round what is shown. */
const MARGIN = 12

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

/** Predicts, and plays the recording to its end. */
async function playRecording(page: Page): Promise<void> {
  await page
    .getByTestId('prediction')
    .getByRole('button', { name: /play the recording$/ })
    .click()
  await page.locator('.see-answer').waitFor({ timeout: RESULT_TIMEOUT_MS })
  await page.locator('.strips-svg').first().waitFor({ timeout: RESULT_TIMEOUT_MS })
  await page.evaluate(() => document.fonts.ready)
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    scrollTo(0, 0)
  })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

export async function pictures(): Promise<number> {
  await ensureSite()
  const quotes = await quotedInPicture()
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  })
  const site = await serveSite({ hosts: [HOST] })
  try {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 2,
      colorScheme: 'light',
      serviceWorkers: 'block',
    })
    await page.goto(`${site.url.replace('localhost', HOST)}lessons/${PICTURED}/`)
    await playRecording(page)
    const shown = oneLine(await page.getByRole('main').innerText())
    for (const words of [quotes.question, quotes.device])
      if (!shown.includes(oneLine(words))) throw new CommandError(`The page does not say '${words}'.`)
    const last = await page.locator('.see-actions').boundingBox()
    if (!last) throw new CommandError('The page has no result.')
    const clip = { x: 0, y: 0, width: 1440, height: Math.ceil(last.y + last.height + MARGIN) }
    await page.screenshot({ path: PICTURE, clip, animations: 'disabled' })
    await writeFile(QUOTES, `${JSON.stringify(quotes, null, 2)}\n`)
    say(`written  ${PICTURE}  ${QUOTES}`)
    return 0
  } finally {
    await browser.close()
    await site.close()
  }
}
