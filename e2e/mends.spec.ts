/**
 * Programs of exercises in a browser: of each lesson the lab's own has nothing wrong, the unchanged one is not passed, and in long a wrong one
 * fails for its reason. In short those that no unit test can run on the model (mends-on-model.test). All programs: mends-all.spec.
 */
import { lessonsWithMend } from '../cli/mend-files'
import { gradePrograms } from './grade-programs'
import { expect, IS_LONG, LONG } from './fixtures'
import { GRADING_TIMEOUT_MS } from './mends'
import { test } from './shared-page'

/** These are graded by how long two ways take here, and what runs beside them slows one of the two. */
const ALONE = ['worth-it']
/** The model does not run their kernels; the loader's worker and ranks are of a browser alone. */
const IN_SHORT = ['kernel-ladder', 'tensor-residence', 'starved-by-the-loader', 'ranks', 'worth-it']
for (const lesson of lessonsWithMend()) {
  const tag = [...(ALONE.includes(lesson) ? ['@alone'] : []), ...(IN_SHORT.includes(lesson) ? [] : ['@long'])]
  test(
    `${lesson}: the lab’s own program has nothing wrong, the unchanged one has`,
    { tag },
    async ({ lab, page }) => {
      test.setTimeout(3 * GRADING_TIMEOUT_MS)
      await lab.open('/method')
      await gradePrograms((source, options) => lab.grade(lesson, source, options), lesson, {
        wrong: IS_LONG ? 1 : 0,
        right: 0,
      })
      const programs = () => page.workers().filter((worker) => worker.url().startsWith('blob:')).length
      await expect.poll(programs, 'each program ended with its thread').toBe(0)
    },
  )
}

/** One mend with checks of its own in the first rung, and one with those of the last rung. */
for (const lesson of ['async-submission', 'command-queue'])
  test(`${lesson}, rung 1: the same, and a wrong one is not passed`, LONG, async ({ lab }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    await gradePrograms((source, options) => lab.grade(lesson, source, options), lesson, {
      rung: 1,
      wrong: 1,
      right: 0,
    })
  })
