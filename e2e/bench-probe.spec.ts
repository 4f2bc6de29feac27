/**
 * The probe of `npm run bench -- timeline` on pages whose work is known: a lower bound of what was
 * spent must come out, else the bench would call a program fast because it looked away. No upper
 * bounds: this machine may be busy.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { callsOf } from '../bench/call-page'
import { expect, test } from './fixtures'

interface Probe {
  shows: (selector: string, text: string, failure: string) => Promise<number>
  takeLongestTask: () => number
  startFrames: (control: boolean) => void
  takeFrames: () => Promise<number[]>
}

const INPUT_MS = 20
const FRAME_MS = 30
const EVENTS = 8

/**
 * Spins in the wheel's listener and in the frame after it, and before it says what came in a file;
 * shows a refusal to 'bad.txt'.
 */
const PAGE = `<!doctype html><meta charset="utf-8"><title>known work</title>
<input type="file"><canvas width="400" height="200"></canvas><div id="alert"></div><p id="said"></p>
<script>
  const spin = (ms) => { const until = performance.now() + ms; while (performance.now() < until); }
  document.querySelector('canvas').addEventListener('wheel', (event) => {
    event.preventDefault()
    spin(${String(INPUT_MS)})
    requestAnimationFrame(() => spin(${String(FRAME_MS)}))
  }, { passive: false })
  document.querySelector('input').addEventListener('change', (event) => {
    if (event.target.files[0].name === 'bad.txt') { document.querySelector('#alert').innerHTML = '<p role="alert">no trace</p>'; return }
    setTimeout(() => { spin(160); document.querySelector('#said').textContent = '2 spans in it' }, 600)
  })
</script>`

async function open(page: Page): Promise<void> {
  await page.addInitScript({ path: join(import.meta.dirname, '..', 'bench', 'timeline-probe.js') })
  await page.route('**/known-work', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
  await page.goto('known-work')
}

const give = (page: Page, name: string) =>
  page.locator('input').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
const probeOf = (page: Page) => callsOf<Probe>(page, 'benchProbe')
const shown = (page: Page) => probeOf(page)('shows', '#said', '2 spans', '[role=alert]')

async function wheel(page: Page, control: boolean): Promise<readonly number[]> {
  const box = await page.locator('canvas').boundingBox()
  if (!box) throw new Error('no canvas')
  if (control) await page.mouse.move(box.x + box.width + 100, box.y + box.height + 100)
  else await page.mouse.move(box.x + 50, box.y + 50)
  const probe = probeOf(page)
  await probe('startFrames', control)
  for (let at = 0; at < EVENTS; at += 1) await page.mouse.wheel(40, 0)
  return await probe('takeFrames')
}

test('work in the listener and in the frame is counted, for every event', async ({ page }) => {
  await open(page)
  const frames = await wheel(page, false)
  expect(frames).toHaveLength(EVENTS)
  for (const ms of frames) expect(ms).toBeGreaterThanOrEqual(INPUT_MS + FRAME_MS)
  const control = await wheel(page, true)
  expect(control).toHaveLength(EVENTS)
  expect(Math.min(...control)).toBeLessThan(Math.min(...frames))
})

test('a load lasts until the page says so, and its long task is seen', async ({ page }) => {
  await open(page)
  await probeOf(page)('takeLongestTask')
  const [loadMs] = await Promise.all([shown(page), give(page, 'good.txt')])
  expect(loadMs).toBeGreaterThanOrEqual(760)
  const longestMs = await probeOf(page)('takeLongestTask')
  expect(longestMs).toBeGreaterThanOrEqual(160)
})

test('a refusal is told, not waited out', async ({ page }) => {
  await open(page)
  await give(page, 'bad.txt')
  await expect(shown(page)).rejects.toThrow(/no trace/)
})
