/** A reporter for browsers.config.ts: one table of the runs that first-runs.spec.ts attached. */
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
    console.log(`\n${environment.userAgent}\n${environmentText(environment)}\n\n${runsText(this.#runs)}`)
  }
}
