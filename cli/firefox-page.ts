/** The built page in a headless Firefox, driven over WebDriver BiDi through `globalThis.hostDeviceLab`, as lab-page.ts does it in Chromium. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import type { AutomationOutcome } from '../src/state/automation'
import type { Environment } from '../src/trace/report'
import type { Phase } from './firefox-report'
import { FIREFOX_PREFERENCES } from './firefox.mjs'
import type { LabGlobal } from './lab-page'
import { CommandError, say } from './terminal.mjs'

const START_TIMEOUT_MS = 60_000
/** The first run of a lesson is to take ten seconds; one that takes this long will not end. */
export const RUN_LIMIT_MS = 300_000

export interface MeasuredRun {
  readonly outcome: AutomationOutcome
  /** Each message of the run's progress with its time, in order. */
  readonly phases: readonly Phase[]
  /** From the call to the report, ms. */
  readonly tookMs: number
}

export interface FirefoxPage {
  readonly browserVersion: string
  readonly environment: Environment
  /** How long measuring the device took, ms: done once a visit, before the first run. */
  readonly probeMs: number
  run: (experiment: string) => Promise<MeasuredRun>
  close: () => Promise<void>
}

async function measuredEnvironment(page: Page): Promise<{ environment: Environment; probeMs: number }> {
  const started = performance.now()
  const { environment, fault } = await page.evaluate(async () => {
    const found = await (globalThis as LabGlobal).hostDeviceLab.environment(true)
    // Its two halves are one object here, and BiDi sends an object that comes again as a reference, which is read as nothing.
    return { environment: found.environment, fault: found.fault }
  })
  if (!environment) throw new CommandError(fault?.message ?? 'Firefox offers no WebGPU adapter.')
  return { environment, probeMs: performance.now() - started }
}

/** Runs with the experiment's default values. Watched within the page: asking from outside would wake it more often than a visitor does. */
const runInPage = (page: Page, experiment: string): Promise<MeasuredRun> =>
  page.evaluate(async (id) => {
    const { hostDeviceLab } = globalThis as LabGlobal
    const phases: { name: string; startMs: number; endMs: number }[] = []
    const started = performance.now()
    // The last run's progress stands until this one reports its own.
    const before = hostDeviceLab.progress()
    const timer = setInterval(() => {
      const progress = hostDeviceLab.progress()
      const last = phases.at(-1)
      const now = performance.now() - started
      if (last) last.endMs = now
      if (progress && progress !== before && progress.message !== last?.name)
        phases.push({ name: progress.message, startMs: now, endMs: now })
    }, 5)
    try {
      const outcome = await hostDeviceLab.run(id, {}, { record: true, live: false })
      return { outcome, phases, tookMs: performance.now() - started }
    } finally {
      clearInterval(timer)
    }
  }, experiment)

export async function openFirefoxPage(executablePath: string, siteUrl: string): Promise<FirefoxPage> {
  const browser: Browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: FIREFOX_PREFERENCES,
    protocolTimeout: RUN_LIMIT_MS,
  })
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => {
      say(`page: ${error instanceof Error ? error.message : String(error)}`)
    })
    // A page that measures nothing by itself; the home page would measure the device a second time, in the way of the first run.
    await page.goto(`${siteUrl}method/`)
    await page.waitForFunction(() => 'hostDeviceLab' in globalThis, { timeout: START_TIMEOUT_MS })
    const { environment, probeMs } = await measuredEnvironment(page)
    return {
      browserVersion: await browser.version(),
      environment,
      probeMs,
      run: (experiment) => runInPage(page, experiment),
      close: () => browser.close(),
    }
  } catch (thrown) {
    await browser.close()
    throw thrown
  }
}
