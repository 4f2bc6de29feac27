/**
 * A reporter for browsers.config.ts: one table of the runs that first-runs.spec.ts attached. LAB_KEEP_REPORTS=FOLDER keeps their reports there,
 * for cli/keep-reports.mjs.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { environmentText, runsText, type FirefoxRun } from '../cli/testing/firefox-report'

export const RUN_ATTACHMENT = 'first run'

export default class RunsReporter implements Reporter {
  readonly #runs: FirefoxRun[] = []

  printsToStdio(): boolean {
    return false
  }

  onTestEnd(_test: TestCase, { attachments }: TestResult): void {
    for (const { name, body } of attachments)
      if (name === RUN_ATTACHMENT && body) this.#runs.push(JSON.parse(body.toString()) as FirefoxRun)
  }

  onEnd(): void {
    const environment = this.#runs.flatMap(({ outcome: { report } }) => report?.environment ?? [])[0]
    if (!environment) return
    const folder = process.env['LAB_KEEP_REPORTS']
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      for (const { experiment, outcome } of this.#runs)
        if (outcome.report) writeFileSync(join(folder, `${experiment}.json`), JSON.stringify(outcome.report))
    }
    console.log(`\n${environment.userAgent}\n${environmentText(environment)}\n\n${runsText(this.#runs)}`)
  }
}
