/**
 * Programs of exercises in a browser: of each lesson the lab's own has nothing wrong, the unchanged
 * one is not passed. In short those that no unit test can run on the model (mends-on-model.test).
 * All programs: mends-all.spec.
 */
import { lessonsWithExercise } from '../src/exercises/testing/programs'
import { expect, LONG } from './fixtures'
import { gradePrograms, GRADING_TIMEOUT_MS } from './mends'
import { test, watchWorkers } from './shared-page'

/**
 * The model does not run their kernels; the loader's worker and ranks are of a browser alone.
 * Worth-it compares a processor with a GPU: `npm run test:gpu` grades it.
 */
const IN_SHORT = ['kernel-ladder', 'tensor-residence', 'starved-by-the-loader', 'ranks']
for (const lesson of lessonsWithExercise()) {
  const details = IN_SHORT.includes(lesson) ? {} : LONG
  test(
    `${lesson}: the lab’s own program has nothing wrong, the unchanged one has`,
    details,
    async ({ lab, page }) => {
      test.setTimeout(3 * GRADING_TIMEOUT_MS)
      const alive = watchWorkers(page, /^blob:/)
      await lab.open('/method')
      await gradePrograms((source, options) => lab.grade(lesson, source, options), lesson, {
        wrong: 0,
        right: 0,
      })
      await expect.poll(alive, 'each program ended with its thread').toBe(0)
    },
  )
}
