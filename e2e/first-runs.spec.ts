/**
 * Every experiment once with its default values, in Firefox, as a visitor runs it first: valid, right, and where its time went. The table of
 * all is printed by runs-reporter.ts. How long a run took is in it, and no condition: that is the machine's, and what else it does.
 */
import { experiments } from '../cli/catalog'
import { failuresOf } from '../cli/testing/firefox-report'
import { expect } from './fixtures'
import { RUN_ATTACHMENT } from './runs-reporter'
import { test } from './shared-page'
import { watchedRun } from './watched-run'

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
    const run = await page.evaluate(watchedRun, id)
    await info.attach(RUN_ATTACHMENT, { body: JSON.stringify(run), contentType: 'application/json' })
    expect(failuresOf(run)).toEqual([])
  })
