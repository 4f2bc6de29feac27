/** A lesson's mend: the lab's own program is not failed, and in long the unchanged one fails for its reason, and so does a cheat. */
import { expect, test } from '@playwright/test'
import { mendText } from '../cli/mend-files'
import { lowerRungPrograms, START_FAILS, wrongPrograms } from '../src/mend/testing/programs'
import type { Grade } from '../src/mend/types'
import { IS_LONG } from './fixtures'
import type { GradingOptions } from './lab'
import { expectFailure, expectReference, inWords } from './mends'

/** The model cannot tell what the kernels of these compute, nor how long they take: OWN_WGSL of mends-on-model.test. */
const UNKNOWN_TO_MODEL = ['kernel-ladder', 'tensor-residence']

/** @param grade a program of this lesson, on one page */
export async function gradeThree(
  grade: (source: string, options?: GradingOptions) => Promise<Grade>,
  lesson: string,
): Promise<void> {
  const reference = await grade(await mendText(lesson, 'reference'))
  expectReference(reference)
  expect(inWords(reference)).toContain('yes ended')
  // In short the others are judged by what each did (mends-recorded.test) or does on the model (mends-on-model.test), and mend-walls.spec runs some.
  if (!IS_LONG && !UNKNOWN_TO_MODEL.includes(lesson)) return
  // Against the two that ran just now: six runs of programs less.
  const start = await grade(await mendText(lesson, 'start'), { beside: 'last' })
  const expected = START_FAILS[lesson]
  if (expected === undefined) throw new Error(`Which check does the start of ${lesson} fail?`)
  expectFailure(start, 'changed')
  // Only a GPU shows that one: a CPU's caches serve kernels with tiles and without.
  if (expected !== 'time' || test.info().project.name === 'gpu') expectFailure(start, expected)
  if (!IS_LONG) return
  const [cheat] = await wrongPrograms(lesson)
  if (!cheat) throw new Error(`The mend of ${lesson} has no cheat.`)
  expectFailure(await grade(cheat.source, { beside: 'last' }), cheat.fails)
  expect((await wrongPrograms(lesson)).length, 'cheats').toBeGreaterThanOrEqual(6)
}

/** Where a processor plays the GPU: it computes no product sooner, and its caches serve both orders of reading. */
const startFailsOnGpuAlone = (lesson: string): boolean =>
  ['worth-it', 'kernel-ladder'].includes(lesson) && process.env['LAB_ADAPTER'] !== 'gpu'

/**
 * The same of a rung before the last.
 *
 * @param all its other programs, too; else one of the wrong ones
 */
export async function gradeRung(
  grade: (source: string, options?: GradingOptions) => Promise<Grade>,
  lesson: string,
  rung: number,
  all: boolean,
): Promise<void> {
  const { start, startFails, reference, wrong, right } = await lowerRungPrograms(lesson, rung)
  expectReference(await grade(reference, { rung }), 'reference')
  const beside = { rung, beside: 'last' } as const
  const unchanged = await grade(start, beside)
  expectFailure(unchanged, 'changed', 'start')
  if (!startFailsOnGpuAlone(lesson)) expectFailure(unchanged, startFails, 'start')
  for (const { name, source, fails } of all ? wrong : wrong.slice(0, 1))
    expectFailure(await grade(source, beside), fails, name)
  for (const { name, source } of all ? right : []) expectReference(await grade(source, beside), name)
}
