/** What the JSON reports of Vitest and Playwright say, as plain counts, with the names of what failed. */
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Counts failures: a line each, name, first line of the error, and under Playwright its place */

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

/**
 * The first that says something: where one command prints what another said, `Error:` stands alone in a line.
 * @param {unknown} message
 */
const firstLine = (message) =>
  stripVTControlCharacters(textOf(message))
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && line !== 'Error:') ?? ''

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
          .map((result) => valueAt(result, 'error'))
          .find((each) => each !== undefined)
        const place = valueAt(error, 'location')
        const at =
          place === undefined
            ? ''
            : ` (${basename(textOf(valueAt(place, 'file')))}:${String(valueAt(place, 'line'))})`
        return `[${textOf(valueAt(test, 'projectName'))}] ${textOf(valueAt(spec, 'file'))}: ${textOf(valueAt(spec, 'title'))}: ${firstLine(valueAt(error, 'message'))}${at}`
      }),
  ),
]

/**
 * @param {unknown} suite
 * @returns {readonly string[]}
 */
const projectsIn = (suite) => [
  ...listAt(suite, 'suites').flatMap(projectsIn),
  ...listAt(suite, 'specs').flatMap((spec) =>
    listAt(spec, 'tests').map((test) => textOf(valueAt(test, 'projectName'))),
  ),
]

/**
 * The projects that a report, or a list of tests, has tests of.
 * @param {unknown} report
 */
export const projectsOf = (report) => [...new Set(projectsIn(report))]

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
