/** What is expected of a mend's programs, for the specs that grade them. */
import { expect } from '@playwright/test'
import type { Grade } from '../src/exercises/types'

/** Three workers, each with its own device, on a machine that may be busy. */
export const GRADING_TIMEOUT_MS = 120_000

export const failed = ({ checks }: Grade): readonly string[] =>
  checks.filter(({ outcome }) => outcome === 'no').map(({ id }) => id)

/** With every sentence, so that a failure says what was found. */
export const inWords = ({ checks }: Grade): string =>
  checks.map(({ outcome, id, text }) => `${outcome} ${id}: ${text}`).join('\n')

/** On this machine: passed, or nothing wrong and something that cannot be determined. Soft, so that one run names all programs that are not. */
export function expectReference(grade: Grade, name = ''): void {
  expect.soft(failed(grade), `${name}\n${inWords(grade)}`).toEqual([])
}
export function expectFailure(grade: Grade, check: string, name = ''): void {
  expect.soft(grade.passed, `${name}\n${inWords(grade)}`).toBe(false)
  expect.soft(failed(grade), `${name}\n${inWords(grade)}`).toContain(check)
}
