/** What the JSON reports of Vitest and Playwright say, as plain counts, with the names of what failed. */
import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Counts failures: a line each, name and first line of the error */

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
const valueAt = (value, name) =>
  typeof value === 'object' && value !== null ? /** @type {unknown} */ (Reflect.get(value, name)) : undefined

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {readonly unknown[]}
 */
function listAt(value, name) {
  const list = valueAt(value, name)
  return Array.isArray(list) ? list : []
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value : '')

/** @param {unknown} message */
const firstLine = (message) => stripVTControlCharacters(textOf(message)).split('\n')[0] ?? ''

/**
 * @param {unknown} report
 * @param {string} name
 */
function numberAt(report, name) {
  const value = valueAt(report, name)
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
  failures: listAt(report, 'testResults').flatMap((file) => {
    const failed = listAt(file, 'assertionResults').filter((test) => valueAt(test, 'status') === 'failed')
    // A file that does not load has a message of its own and no tests.
    const own = failed.length === 0 && valueAt(file, 'status') === 'failed' ? [file] : []
    return [
      ...failed.map(
        (test) =>
          `${textOf(valueAt(file, 'name'))}: ${textOf(valueAt(test, 'fullName'))}: ${firstLine(listAt(test, 'failureMessages')[0])}`,
      ),
      ...own.map((each) => `${textOf(valueAt(each, 'name'))}: ${firstLine(valueAt(each, 'message'))}`),
    ]
  }),
})

/**
 * @param {unknown} suite
 * @returns {readonly string[]}
 */
const failedSpecs = (suite) => [
  ...listAt(suite, 'suites').flatMap(failedSpecs),
  ...listAt(suite, 'specs').flatMap((spec) =>
    listAt(spec, 'tests')
      .filter((test) => ['unexpected', 'flaky'].includes(textOf(valueAt(test, 'status'))))
      .map((test) => {
        const error = listAt(test, 'results')
          .map((result) => valueAt(valueAt(result, 'error'), 'message'))
          .find((message) => message !== undefined)
        return `[${textOf(valueAt(test, 'projectName'))}] ${textOf(valueAt(spec, 'file'))}: ${textOf(valueAt(spec, 'title'))}: ${firstLine(error)}`
      }),
  ),
]

/**
 * A test that passed only when tried again has failed.
 * @param {unknown} report
 * @returns {Counts}
 */
export function countPlaywright(report) {
  const stats = valueAt(report, 'stats')
  return {
    passed: numberAt(stats, 'expected'),
    failed: numberAt(stats, 'unexpected') + numberAt(stats, 'flaky'),
    skipped: numberAt(stats, 'skipped'),
    failures: failedSpecs(report),
  }
}
