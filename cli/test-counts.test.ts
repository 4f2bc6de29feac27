import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-counts.mjs'

test('what failed under Vitest is named with the first line of its error, a file that does not load by itself', () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'adds', status: 'passed', failureMessages: [] },
          { fullName: 'divides', status: 'failed', failureMessages: ['Error: by zero\n    at a.ts:1'] },
        ],
      },
      { name: 'b.test.ts', status: 'failed', message: 'No such module\nat b.ts', assertionResults: [] },
    ],
  }
  expect(countVitest(report)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['a.test.ts: divides: Error: by zero', 'b.test.ts: No such module'],
  })
})

test('what failed under Playwright is named at any depth of suites, a test that passed when tried again with it', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'x.spec.ts',
    tests: [
      {
        projectName: 'pages',
        status,
        results:
          message === undefined
            ? [{}]
            : [
                {
                  error: {
                    message: `\u001B[31m${message}\u001B[39m`,
                    location: { file: '/there/x.spec.ts', line: 7 },
                  },
                },
                {},
              ],
      },
    ],
  })
  const report = {
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [
      {
        specs: [spec('stands', 'expected')],
        suites: [
          { specs: [spec('falls', 'unexpected', 'Error: \n\n  down\nat x'), spec('sways', 'flaky', 'late')] },
        ],
      },
    ],
  }
  expect(countPlaywright(report)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: [
      '[pages] x.spec.ts: falls: down (x.spec.ts:7)',
      '[pages] x.spec.ts: sways: late (x.spec.ts:7)',
    ],
  })
})

test('skipped and to-do tests are counted as skipped, and a report that is none is refused', () => {
  const counts = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [],
  }
  expect(countVitest(counts)).toMatchObject({ passed: 5, failed: 1, skipped: 3 })
  for (const report of [null, {}, { stats: { expected: '7' } }]) {
    expect(() => countPlaywright(report)).toThrow()
    expect(() => countVitest(report)).toThrow()
  }
})
