/**
 * Each lesson's mend: the lab's own program has nothing wrong, and in long the unchanged one fails for its reason, and a cheat. All: mends-all.
 * In short mends-on-model.test and mends-recorded.test judge every program, mend-screen.spec, mend-walls.spec and mend-containment.spec grade four
 * lessons' own here, and this file those whose program no unit test can run, with a worker beside it, and on ranks.
 */
import { lessonsWithMend } from '../cli/mend-files'
import { gradeRung, gradeThree } from './grade-three'
import { expect, IS_LONG, LONG } from './fixtures'
import { GRADING_TIMEOUT_MS } from './mends'
import { test } from './shared-page'

/** Graded by how long two ways take here: what runs beside it takes part of one and not of the other. */
const ALONE = ['worth-it']
/** The model does not run their kernels; the loader's worker and ranks are of a browser alone. */
const IN_SHORT = ['kernel-ladder', 'tensor-residence', 'starved-by-the-loader', 'ranks', 'worth-it']
for (const lesson of lessonsWithMend()) {
  const title = `${lesson}: the lab’s own program has nothing wrong${IS_LONG ? ', the unchanged one and a cheat do' : ''}`
  const tag = [...(ALONE.includes(lesson) ? ['@alone'] : []), ...(IN_SHORT.includes(lesson) ? [] : ['@long'])]
  test(title, { tag }, async ({ lab, page }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    await gradeThree((source, options) => lab.grade(lesson, source, options), lesson)
    const programs = () => page.workers().filter((worker) => worker.url().startsWith('blob:')).length
    await expect.poll(programs, 'each program ended with its thread').toBe(0)
  })
}

/** Of two mends, one with checks of its own and one with those of the last rung. In short mend-screen.spec passes one. All of all: mends-all. */
for (const lesson of ['async-submission', 'command-queue'])
  test(
    `${lesson}, rung 1: the unchanged program is not passed, the lab’s own is, a wrong one is not`,
    LONG,
    async ({ lab }) => {
      test.setTimeout(3 * GRADING_TIMEOUT_MS)
      await lab.open('/method')
      await gradeRung((source, options) => lab.grade(lesson, source, options), lesson, 1, false)
    },
  )
