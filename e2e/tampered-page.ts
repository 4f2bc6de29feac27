/** One page under whose experiments lies a WebGPU with the effect taken out, for a whole file: the device is opened and measured once. */
import type { Page } from '@playwright/test'
import type { Report } from '../src/trace/report'
import { test } from './fixtures'
import { Lab, shortSettings, type Settings } from './lab'
import { installTampering, tamper, type Tampering } from './tamper'

/** Called once in a file. What it gives runs an experiment, and throws where no report came of it. */
export function onTamperedPage() {
  let page: Page
  let lab: Lab
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage()
    await installTampering(page)
    lab = new Lab(page)
    await lab.openRun('async-submission')
    await lab.environment(true)
  })
  test.afterAll(async () => {
    await page.close()
  })
  return async (
    experiment: string,
    tampering: Tampering,
    settings: Settings = shortSettings(experiment),
  ): Promise<Report> => {
    await tamper(page, tampering)
    const outcome = await lab.runBare(experiment, settings)
    if (outcome.status !== 'done' || !outcome.report)
      throw new Error(`${experiment}: ${JSON.stringify(outcome)}`)
    return outcome.report
  }
}
