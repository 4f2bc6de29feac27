/** Each lesson's mend: the unchanged program fails for its reason, the lab's own does not, and neither does a cheat get past. All: mends-all. */
import { lessonsWithMend, mendText } from '../cli/mend-files'
import { gradeRung, gradeThree } from './grade-three'
import { expectReference, GRADING_TIMEOUT_MS } from './mends'
import { test } from './shared-page'

/** Graded by how long two ways take here: what runs beside it takes part of one and not of the other. */
const ALONE = ['worth-it']
for (const lesson of lessonsWithMend()) {
  const title = `${lesson}: the unchanged program is not passed, the lab’s own is, a cheat is not`
  test(title, { tag: ALONE.includes(lesson) ? '@alone' : [] }, async ({ lab }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    await gradeThree((source, options) => lab.grade(lesson, source, options), lesson)
  })
}

// Of two mends, one with the checks of the last rung and one with its own. All of all: mends-all.
for (const lesson of ['command-queue', 'async-submission'])
  test(`${lesson}, rung 1: the unchanged program is not passed, the lab’s own is, a wrong one is not`, async ({
    lab,
  }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    await gradeRung((source, options) => lab.grade(lesson, source, options), lesson, 1, false)
  })

test('after a program that did not end the next one is graded as ever', async ({ lab }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  await lab.open('/method')
  // One whose programs take little, also where each completion is heard of late.
  await lab.grade('stay-on-device', 'export default async function () { for (;;); }')
  expectReference(await lab.grade('stay-on-device', await mendText('stay-on-device', 'reference')))
})
