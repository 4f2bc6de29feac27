/** What the JSON reports of Vitest and Playwright say, as plain counts. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @param {unknown} report
 * @param {string} name
 */
function numberAt(report, name) {
  const value =
    typeof report === 'object' && report !== null
      ? /** @type {unknown} */ (Reflect.get(report, name))
      : undefined
  if (typeof value !== 'number') throw new Error(`A test report has no number '${name}'.`)
  return value
}

/**
 * @param {unknown} report
 * @returns {Counts}
 */
export const countVitest = (report) => ({
  passed: numberAt(report, 'numPassedTests'),
  failed: numberAt(report, 'numFailedTests'),
  skipped: numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests'),
})

/**
 * A test that passed only when tried again has failed.
 * @param {unknown} report
 * @returns {Counts}
 */
export function countPlaywright(report) {
  const stats =
    typeof report === 'object' && report !== null
      ? /** @type {unknown} */ (Reflect.get(report, 'stats'))
      : null
  return {
    passed: numberAt(stats, 'expected'),
    failed: numberAt(stats, 'unexpected') + numberAt(stats, 'flaky'),
    skipped: numberAt(stats, 'skipped'),
  }
}
