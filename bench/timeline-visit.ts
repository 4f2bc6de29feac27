/**
 * One visit: a fresh browser opens a program's page, hands it a file through the file input as a
 * visitor does, waits for the picture and moves through it with real wheel events (the browser's
 * own input path, one at a time). The probe in the page measures. What goes wrong on the way (a
 * refusal, a crash, the cap) is a visit with a failure, never an exception.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { serveSite } from '../cli/static-server.mjs'
import { ROOT } from '../cli/terminal.mjs'
import { withTimeout } from '../src/base/with-timeout'
import { formatCount } from '../src/timeline/format'
import { callsOf } from './call-page'
import { launch } from './launch'
import { framesOf, type Format, type Load, type Moves, type Program, type Visit } from './timeline-results'

const LAB_PAGE = 'trace/'
/** The timeline tells it to whoever cannot see it: '10,000 spans over 1.2 s, on the lanes …'. */
const LAB_TEXT = '.tl-pane p.visually-hidden'
const LAB_FAILURE = '.notice[role=alert]:not([data-fault=no-adapter]):not([data-fault=no-webgpu])'
const SPEEDSCOPE = join(ROOT, 'bench', 'node_modules', 'speedscope', 'dist', 'release')
const FILE_INPUT = 'input[type=file]'
/** speedscope takes over a minute for 10^6 spans. */
const LOAD_CAP_MS = 240_000
/** Of a whole script; a program that is slower moves less far. */
const MOVES_CAP_MS = 60_000
const BETWEEN_SEGMENTS_MS = 200
const VIEWPORT = { width: 1440, height: 900 }

/** In the page: timeline-probe.js. */
interface Probe {
  shows: (selector: string, text: string, failure: string | null) => Promise<number>
  takeLongestTask: () => number
  startFrames: (control: boolean) => void
  takeFrames: () => Promise<number[]>
}
const probeOf = (page: Page) => callsOf<Probe>(page, 'benchProbe')

/** A step zooms by 1 / 0.9. src/timeline/wheel.ts: factor 2^(-deltaY / 310). */
const ZOOM_DELTA = Math.log2(1 / 0.9) * 310
const PAN_PX = 40

const pan = (name: string, deltaX: number) => ({
  name,
  wheel: { ctrl: false, deltaX, deltaY: 0 },
  times: 40,
})
const zoom = (name: string, deltaY: number) => ({
  name,
  wheel: { ctrl: true, deltaX: 0, deltaY },
  times: 80,
})

/**
 * The scripted pan and zoom: over the whole, in by a factor of some thousands, to and fro there,
 * and out again, so that every zoom is drawn on the way. @internal
 */
export const SCRIPT = [
  zoom('zoom in', -ZOOM_DELTA),
  pan('pan right', PAN_PX),
  pan('pan left', -PAN_PX),
  zoom('zoom out', ZOOM_DELTA),
]

export interface Asked {
  readonly spans: number
  readonly round: number
  readonly file: string
  readonly fileBytes: number
}

const NOTHING = { load: null, moves: null, failure: null } as const

/** Runs `work` on a page of its own browser. */
async function onPage<Result>(url: string, work: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await launch('software')
  try {
    const page = await browser.newPage({ viewport: VIEWPORT })
    page.setDefaultTimeout(LOAD_CAP_MS)
    await page.addInitScript({ path: join(ROOT, 'bench', 'timeline-probe.js') })
    await page.goto(url)
    // A page that has died answers no question, and would keep us for ever.
    const crash = new Promise<never>((_, reject) => {
      page.on('crash', () => reject(new Error('the page crashed')))
    })
    return await Promise.race([work(page), crash])
  } finally {
    await browser.close()
  }
}

export async function browserVersion(): Promise<string> {
  const browser = await launch('software')
  const version = `Chromium ${browser.version()}`
  await browser.close()
  return version
}

type Outcome = Pick<Visit, 'load' | 'moves' | 'failure'>

async function visit(
  who: { readonly program: Program; readonly format: Format | null },
  asked: Pick<Asked, 'spans' | 'round' | 'fileBytes'>,
  server: Parameters<typeof serveSite>[0],
  path: string,
  work: (page: Page, note: (partly: Partial<Outcome>) => void) => Promise<void>,
): Promise<Visit> {
  const site = await serveSite(server)
  let outcome: Outcome = NOTHING
  const note = (partly: Partial<Outcome>) => (outcome = { ...outcome, ...partly })
  try {
    await onPage(`${site.url}${path}`, (page) => work(page, note))
  } catch (thrown) {
    note({ failure: thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown) })
  } finally {
    await site.close()
  }
  const { spans, round, fileBytes } = asked
  return { ...who, spans, round, fileBytes, ...outcome }
}

/** The wheel on the lab's page before a file is on it: what input and an empty frame cost here. */
export const visitControl = (round: number): Promise<Visit> =>
  visit(
    { program: 'timeline off', format: null },
    { spans: 0, round, fileBytes: 0 },
    {},
    LAB_PAGE,
    async (page, note) => {
      await page.locator(FILE_INPUT).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      note({ moves: await measureMoves(page, true) })
    },
  )

export const visitLab = (asked: Asked, format: Format): Promise<Visit> =>
  visit({ program: 'the lab', format }, asked, {}, LAB_PAGE, async (page, note) => {
    // A picture of less is no load of this file.
    const all = `${formatCount(asked.spans)} spans `
    note({ load: await hand(page, asked.file, () => probeOf(page)('shows', LAB_TEXT, all, LAB_FAILURE)) })
    await page.locator('.tl-canvas').scrollIntoViewIfNeeded()
    note({ moves: await measureMoves(page, false) })
  })

/** For the bench 'import', how long it takes to open a file. */
export const visitSpeedscope = (asked: Asked): Promise<Visit> =>
  visit(
    { program: 'speedscope', format: 'Trace Event' },
    asked,
    { root: SPEEDSCOPE, isolated: false },
    '',
    async (page, note) => {
      const load = await hand(page, asked.file, () => probeOf(page)('shows', 'title', ' - speedscope', null))
      note({ load })
    },
  )

async function hand(page: Page, file: string, shown: () => Promise<number>): Promise<Load> {
  const input = page.locator(FILE_INPUT).first()
  await input.waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  const probe = probeOf(page)
  const spent = await openCounts(page)
  const before = await spent()
  await probe('takeLongestTask')
  await input.setInputFiles(file)
  const loadMs = await withTimeout(shown(), LOAD_CAP_MS, 'the page')
  // What comes after the first picture (figures, words) may block as well.
  await page.waitForTimeout(1000)
  const cpuMs = (await spent()).processCpuMs - before.processCpuMs
  return { loadMs, cpuMs, longestTaskMs: await probe('takeLongestTask') }
}

async function measureMoves(page: Page, control: boolean): Promise<Moves> {
  const probe = probeOf(page)
  const clip = await largestArea(page, control ? 'main' : 'canvas')
  // Off the middle, where a bar is likelier than a boundary.
  await page.mouse.move(clip.x + clip.width * 0.6, clip.y + clip.height / 2)
  await page.waitForTimeout(500)
  const before = await page.screenshot({ clip })
  let farthest = before
  const spent = await openCounts(page)
  let longestTaskMs = 0
  let sent = 0
  let cpuMs = 0
  const workMs: number[] = []
  for (const { name, wheel, times } of SCRIPT) {
    const until = Date.now() + MOVES_CAP_MS / SCRIPT.length
    const beforeIt = await spent()
    await probe('takeLongestTask')
    await probe('startFrames', control)
    if (wheel.ctrl) await page.keyboard.down('Control')
    for (let at = 0; at < times && Date.now() < until; at += 1) {
      await page.mouse.wheel(wheel.deltaX, wheel.deltaY)
      sent += 1
    }
    if (wheel.ctrl) await page.keyboard.up('Control')
    const seen = await probe('takeFrames')
    longestTaskMs = Math.max(longestTaskMs, await probe('takeLongestTask'))
    cpuMs += (await spent()).cpuMs - beforeIt.cpuMs
    workMs.push(...seen)
    if (name === 'zoom in') farthest = await page.screenshot({ clip })
    await page.waitForTimeout(BETWEEN_SEGMENTS_MS)
  }
  if (workMs.length < sent * 0.9)
    throw new Error(`${String(sent)} wheel events were sent, ${String(workMs.length)} arrived`)
  if (!control && farthest.equals(before)) throw new Error('the wheel did not move the picture')
  return { ...framesOf(workMs), cpuMs: cpuMs / workMs.length, longestTaskMs }
}

/** What is in view of the largest of these. */
const largestArea = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const boxes = [...document.querySelectorAll(wanted)].map((element) => element.getBoundingClientRect())
    const [largest] = boxes.sort((a, b) => b.width * b.height - a.width * a.height)
    if (!largest) throw new Error(`no ${wanted} on the page`)
    const [left, top] = [Math.max(0, largest.left), Math.max(0, largest.top)]
    const [right, bottom] = [Math.min(innerWidth, largest.right), Math.min(innerHeight, largest.bottom)]
    if (!(right > left && bottom > top)) throw new Error(`${wanted} is out of view`)
    return { x: left, y: top, width: right - left, height: bottom - top }
  }, selector)

/** The browser's own counts since the page began. */
async function openCounts(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const ms = (wanted: string): number => {
      const found = metrics.find(({ name }) => name === wanted)
      if (!found) throw new Error(`this browser does not count its ${wanted}`)
      return found.value * 1000
    }
    // Processor time of the main thread, and of all threads of the page's process, workers among
    // them.
    return { cpuMs: ms('ThreadTime'), processCpuMs: ms('ProcessTime') }
  }
}
