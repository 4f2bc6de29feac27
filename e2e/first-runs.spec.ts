/**
 * Every experiment once with its default values, in Firefox, as a visitor runs it first: valid, right, and where its time went. The table of
 * all is printed by runs-reporter.ts. How long a run took is in it, and no condition: that is the machine's, and what else it does.
 */
import { experiments } from '../cli/catalog'
import { failuresOf, type FirefoxRun } from '../cli/firefox-report'
import type { LabGlobal } from '../cli/lab-page'
import { expect } from './fixtures'
import { RUN_ATTACHMENT } from './runs-reporter'
import { test } from './shared-page'

let isMeasured = false
for (const { id } of experiments)
  test(`${id}: a first run`, async ({ lab, page }, info) => {
    // A page that measures nothing by itself; measuring the device is no part of a run.
    await lab.open('/method')
    if (!isMeasured) {
      const { environment } = await lab.environment(true)
      expect(environment?.isSoftware).toBe(true)
      isMeasured = true
    }
    // Watched within the page: asking from outside would wake it more often than a visitor does.
    const run: FirefoxRun = await page.evaluate(async (experiment) => {
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
        const outcome = await hostDeviceLab.run(experiment, {}, { record: true, live: false })
        return { experiment, outcome, phases, tookMs: performance.now() - started }
      } finally {
        clearInterval(timer)
      }
    }, id)
    await info.attach(RUN_ATTACHMENT, { body: JSON.stringify(run), contentType: 'application/json' })
    expect(failuresOf(run)).toEqual([])
  })
