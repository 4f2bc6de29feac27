/**
 * The probe of `npm run bench -- timeline` on pages whose work is known: a lower bound of what was spent must come out, else the bench
 * would call a program fast because it looked away. No upper bounds: this machine may be busy.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { callsOf } from '../bench/call-page'
import { expect, test } from './fixtures'

interface Probe {
  picture: (selector: string, failure: string) => Promise<number>
  takeLongestTask: () => number
  startFrames: (control: boolean) => void
  takeFrames: () => Promise<number[]>
}

const INPUT_MS = 20
const FRAME_MS = 30
const EVENTS = 8

/** Spins in the wheel's listener and in the frame after it; draws in two goes after a file came, and shows a refusal to 'bad.txt'. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>known work</title>
<input type="file"><canvas width="400" height="200"></canvas><div id="alert"></div>
<script>
  const spin = (ms) => { const until = performance.now() + ms; while (performance.now() < until); }
  // Frames between, however busy the machine is: each picture is seen.
  const afterFrames = (ms, work) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(work, ms)))
  const canvas = document.querySelector('canvas')
  const fill = (colour, part) => { const context = canvas.getContext('2d'); context.fillStyle = colour; context.fillRect(0, 0, 400 * part, 100) }
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault()
    spin(${String(INPUT_MS)})
    requestAnimationFrame(() => spin(${String(FRAME_MS)}))
  }, { passive: false })
  document.querySelector('input').addEventListener('change', (event) => {
    if (event.target.files[0].name === 'bad.txt') { document.querySelector('#alert').innerHTML = '<p role="alert">no trace</p>'; return }
    afterFrames(100, () => {
      fill('red', 0.5)
      afterFrames(500, () => { spin(160); fill('blue', 1) })
    })
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
const picture = (page: Page) => probeOf(page)('picture', 'canvas', '[role=alert]')

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

test('a load lasts until the last picture, and its long task is seen', async ({ page }) => {
  await open(page)
  await probeOf(page)('takeLongestTask')
  // Looked at from before the file comes: what is empty is the first picture.
  const [loadMs] = await Promise.all([picture(page), give(page, 'good.txt')])
  expect(loadMs).toBeGreaterThanOrEqual(760)
  const longestMs = await probeOf(page)('takeLongestTask')
  expect(longestMs).toBeGreaterThanOrEqual(160)
})

test('a refusal is told, not waited out', async ({ page }) => {
  await open(page)
  await give(page, 'bad.txt')
  await expect(picture(page)).rejects.toThrow(/no trace/)
})
