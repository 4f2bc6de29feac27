/**
 * What is expected of a mend's programs: the lab's own has nothing wrong, the unchanged one fails
 * for its reason, and so do the wrong ones.
 */
import { expect, test } from '@playwright/test'
import { programsOf, RUNGS } from '../src/exercises/testing/programs'
import type { Grade } from '../src/exercises/types'
import type { GradingOptions } from './lab'

/** Three workers, each with its own device, on a machine that may be busy. */
export const GRADING_TIMEOUT_MS = 120_000

const failed = ({ checks }: Grade): readonly string[] =>
  checks.filter(({ outcome }) => outcome === 'no').map(({ id }) => id)

/** With every sentence, so that a failure says what was found. */
export const inWords = ({ checks }: Grade): string =>
  checks.map(({ outcome, id, text }) => `${outcome} ${id}: ${text}`).join('\n')

/**
 * On this machine: passed, or nothing wrong and something that cannot be determined. Soft, so that
 * one run names all programs that are not.
 */
export function expectReference(grade: Grade, name = ''): void {
  expect.soft(failed(grade), `${name}\n${inWords(grade)}`).toEqual([])
}
export function expectFailure(grade: Grade, check: string, name = ''): void {
  expect.soft(grade.passed, `${name}\n${inWords(grade)}`).toBe(false)
  expect.soft(failed(grade), `${name}\n${inWords(grade)}`).toContain(check)
}

/**
 * Only a GPU shows these checks of the start: a CPU computes no product sooner, and its caches
 * serve kernels with tiles and without.
 */
const ON_GPU_ALONE = ['worth-it', 'kernel-ladder']

interface Which {
  /** Default: the last. */
  readonly rung?: number
  /** How many wrong programs. */
  readonly wrong: number
  readonly right: number
}

/**
 * @param grade a program of this lesson, on one page; all are held against the two that ran first
 */
export async function gradePrograms(
  grade: (source: string, options?: GradingOptions) => Promise<Grade>,
  lesson: string,
  { rung = RUNGS, ...count }: Which,
): Promise<void> {
  const { start, startFails, reference, wrong, right } = await programsOf(lesson, rung)
  const passed = await grade(reference, { rung })
  expectReference(passed, 'reference')
  expect(inWords(passed)).toContain('yes ended')
  const beside = { rung, beside: 'last' } as const
  const unchanged = await grade(start, beside)
  expectFailure(unchanged, 'changed', 'start')
  if (
    !ON_GPU_ALONE.includes(lesson) ||
    test.info().project.name === 'gpu' ||
    process.env['LAB_ADAPTER'] === 'gpu'
  )
    expectFailure(unchanged, startFails, 'start')
  for (const { name, source, fails } of wrong.slice(0, count.wrong))
    await test.step(name, async () => expectFailure(await grade(source, beside), fails, name))
  for (const { name, source } of right.slice(0, count.right))
    await test.step(name, async () => expectReference(await grade(source, beside), name))
}
