/** Each lesson's mend: the unchanged program fails for its reason, the lab's own does not, and in long a cheat does. All: mends-all. */
import { lessonsWithMend } from '../cli/mend-files'
import { gradeRung, gradeThree } from './grade-three'
import { IS_LONG, LONG } from './fixtures'
import { GRADING_TIMEOUT_MS } from './mends'
import { test } from './shared-page'

/** Graded by how long two ways take here: what runs beside it takes part of one and not of the other. */
const ALONE = ['worth-it']
for (const lesson of lessonsWithMend()) {
  const title = `${lesson}: the unchanged program is not passed, the lab’s own is${IS_LONG ? ', a cheat is not' : ''}`
  test(title, { tag: ALONE.includes(lesson) ? '@alone' : [] }, async ({ lab }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    await gradeThree((source, options) => lab.grade(lesson, source, options), lesson)
  })
}

/** Of two mends, one with checks of its own and one with those of the last rung, which mend-screen.spec passes. All of all: mends-all. */
for (const [lesson, details] of [
  ['async-submission', {}],
  ['command-queue', LONG],
] as const)
  test(
    `${lesson}, rung 1: the unchanged program is not passed, the lab’s own is, a wrong one is not`,
    details,
    async ({ lab }) => {
      test.setTimeout(3 * GRADING_TIMEOUT_MS)
      await lab.open('/method')
      await gradeRung((source, options) => lab.grade(lesson, source, options), lesson, 1, false)
    },
  )
