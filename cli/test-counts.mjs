/**
 * What the JSON reports of Vitest and Playwright say, as plain counts, with the names of what
 * failed.
 */
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }}
 * Counts failures: a line each, name, first line of the error, and under Playwright its place
 */
/** @typedef {import('vitest/reporters').JsonTestResults} VitestReport */
/** @typedef {import('@playwright/test/reporter').JSONReport} PlaywrightReport */
/** @typedef {PlaywrightReport['suites'][number]} Suite */

/**
 * The first that says something: where one command prints what another said, `Error:` stands alone
 * in a line.
 * @param {string | null | undefined} message
 */
const firstLine = (message) =>
  stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && line !== 'Error:') ?? ''

/**
 * @param {Counts} counts
 * @returns {Counts}
 */
function whole(counts) {
  const { passed, failed, skipped } = counts
  if (![passed, failed, skipped].every(Number.isInteger)) throw new Error('A test report lacks its counts.')
  return counts
}

/** @param {unknown} report */
export function countVitest(report) {
  const { testResults, ...counts } = /** @type {VitestReport} */ (report) // `whole` refuses another
  return whole({
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    skipped: counts.numPendingTests + counts.numTodoTests,
    failures: testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      // A file that does not load has a message of its own and no tests.
      if (failed.length === 0) return status === 'failed' ? [`${name}: ${firstLine(message)}`] : []
      return failed.map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
    }),
  })
}

/**
 * @param {readonly Suite[]} [suites]
 * @returns {Suite['specs']}
 */
const specsIn = (suites = []) => suites.flatMap((each) => [...specsIn(each.suites), ...each.specs])

/**
 * A test that passed only when tried again has failed.
 * @param {unknown} report
 */
export function countPlaywright(report) {
  const { stats, suites } = /** @type {PlaywrightReport} */ (report) // `whole` refuses another
  return whole({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: specsIn(suites).flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ projectName, results }) => {
          const { message, location } = results.find(({ error }) => error !== undefined)?.error ?? {}
          const at = location ? ` (${basename(location.file)}:${location.line})` : ''
          return `[${projectName}] ${file}: ${title}: ${firstLine(message)}${at}`
        }),
    ),
  })
}
