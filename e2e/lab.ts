/** What a visitor does, as verbs; and, for what no visitor sees, the page's automation (`globalThis.hostDeviceLab`). */
import { expect, type Locator, type Page } from '@playwright/test'
import type { LabGlobal } from '../cli/lab-page'
import { findExperiment } from '../cli/catalog'
import { formatParam, type ParamValues } from '../src/experiments/experiment'
import type { AutomationOutcome } from '../src/state/automation'
import { decodeRun, type SavedRun } from '../src/trace/codec'
import type { Environment } from '../src/trace/report'
import type { RunOptions } from '../src/worker/protocol'

export type Settings = Readonly<Record<string, string>>

/** As long as a small run may take on a slow machine, all calibration included. A limit, not an expectation. */
export const RUN_TIMEOUT_MS = 90_000

const asSettings = (values: ParamValues): Settings =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatParam(value)]))

/** The values of an experiment's `short` preset: small enough for two processor cores. */
export function shortSettings(experiment: string): Settings {
  const preset = findExperiment(experiment)?.presets.find(({ id }) => id === 'short')
  if (!preset) throw new Error(`${experiment} has no preset 'short'.`)
  return asSettings(preset.values)
}

export class Lab {
  readonly page: Page
  readonly timeline: Locator
  readonly runButton: Locator
  readonly cancelButton: Locator
  readonly status: Locator

  constructor(page: Page) {
    this.page = page
    this.timeline = page.getByTestId('timeline')
    this.runButton = page.locator('.run-bar').getByRole('button', { name: /^(Run|Play the recording)$/ })
    this.cancelButton = page.locator('.run-bar').getByRole('button', { name: 'Cancel' })
    this.status = page.locator('.run-bar').getByRole('status')
  }

  /** A route with its query, as after the #. */
  async open(route: string, settings: Settings = {}): Promise<void> {
    const query = new URLSearchParams(settings).toString()
    await this.page.goto(`./#${route}${query === '' ? '' : `?${query}`}`)
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  openLesson(id: string, settings: Settings = {}): Promise<void> {
    return this.open(`/lessons/${id}`, settings)
  }
  openRun(experiment: string, settings: Settings = shortSettings(experiment)): Promise<void> {
    return this.open(`/run/${experiment}`, settings)
  }

  async predict(): Promise<void> {
    const prediction = this.page.getByTestId('prediction')
    await prediction.getByRole('slider').press('ArrowRight')
    await prediction.getByRole('button', { name: /^Predict / }).click()
  }
  async run(): Promise<void> {
    await this.runButton.click()
    await expect(this.cancelButton).toBeVisible()
  }
  /** Pressed although it says that it is disabled: that it may be pressed, and does nothing, is what aria-disabled promises. */
  async runInVain(): Promise<void> {
    await expect(this.runButton).toHaveAttribute('aria-disabled', 'true')
    await this.runButton.click({ force: true })
    await expect(this.cancelButton).toBeHidden()
  }
  /** Until the run has ended, in whichever way. */
  async waitEnded(): Promise<void> {
    await expect(this.cancelButton).toBeHidden({ timeout: RUN_TIMEOUT_MS })
  }
  async waitDone(): Promise<void> {
    await this.waitEnded()
    await expect(this.page.getByTestId('verdict')).toBeVisible()
  }
  /** A run at work on the device, not still loading. */
  async waitMeasuring(): Promise<void> {
    await this.page.waitForFunction(
      () => ((globalThis as LabGlobal).hostDeviceLab.progress()?.fraction ?? 0) > 0,
      null,
      { timeout: RUN_TIMEOUT_MS },
    )
  }
  fault(code: string): Locator {
    return this.page.locator(`[data-fault="${code}"]`)
  }

  environment(
    full = false,
  ): Promise<{ readonly environment?: Environment; readonly fault?: { readonly code: string } }> {
    return this.page.evaluate((all) => (globalThis as LabGlobal).hostDeviceLab.environment(all), full)
  }
  /** A run through the automation, to its end. */
  runBare(
    experiment: string,
    settings: Settings = shortSettings(experiment),
    options: Partial<RunOptions> = {},
  ): Promise<AutomationOutcome> {
    return this.page.evaluate(
      ([id, params, opts]) => (globalThis as LabGlobal).hostDeviceLab.run(id, params, opts),
      [experiment, settings, options] as const,
    )
  }
  destroyDevice(): Promise<void> {
    return this.page.evaluate(() => {
      ;(globalThis as LabGlobal).hostDeviceLab.destroyDevice()
    })
  }
  traceEventJson(): Promise<string> {
    return this.page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.traceEventJson())
  }
  /** The run on the page, saved and read back: trace and report. */
  async savedRun(): Promise<SavedRun> {
    const base64 = await this.page.evaluate(() => (globalThis as LabGlobal).hostDeviceLab.runBytes())
    const decoded = await decodeRun(Buffer.from(base64, 'base64'), { origin: 'live' })
    if (!decoded.ok) throw new Error(`The saved run cannot be read: ${JSON.stringify(decoded.error)}`)
    return decoded.value
  }
}
