/** Every program of every rung: `npm run test:mends`, on a GPU with LAB_ADAPTER=gpu. */
import { lessonsWithExercise, RUNGS } from '../src/exercises/testing/programs'
import { test } from './fixtures'
import { gradePrograms, GRADING_TIMEOUT_MS } from './mends'

for (const lesson of lessonsWithExercise())
  for (let rung = 1; rung <= RUNGS; rung += 1)
    test(`${lesson}, rung ${String(rung)}: its programs are graded as they say`, async ({ lab }) => {
      test.setTimeout(8 * GRADING_TIMEOUT_MS)
      await lab.open('/method')
      await gradePrograms((source, options) => lab.grade(lesson, source, options), lesson, {
        rung,
        wrong: 3,
        right: 2,
      })
    })
