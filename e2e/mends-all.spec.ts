/**
 * Every program of every mend: `npm run test:mends`, on a GPU with LAB_ADAPTER=gpu. With LAB_RECORD_MENDS=FOLDER what each was judged by
 * is written there as FOLDER/<lesson>.br; `node cli/keep-gradings.mjs FOLDER` makes of it what the unit tests read.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lessonsWithMend, mendText, rungsOf } from '../cli/mend-files'
import type { Grade } from '../src/mend/types'
import type { EditedProgram } from '../src/mend/edits'
import { rightPrograms, wrongPrograms } from '../src/mend/testing/programs'
import { packRecorded, type RecordedEvidence } from '../src/mend/testing/recorded-gradings'
import { test } from './fixtures'
import type { GradingOptions, Lab } from './lab'
import { gradeRung } from './grade-three'
import { expectFailure, expectReference, GRADING_TIMEOUT_MS } from './mends'

const record = process.env['LAB_RECORD_MENDS']
/** One for all that is recorded, so that programs differ in what they did alone; else each has its own. */
const seeded = record === undefined ? {} : { seed: 20261122 }

for (const lesson of lessonsWithMend()) {
  test.describe(lesson, () => {
    test.setTimeout(GRADING_TIMEOUT_MS)
    const gradings: Record<string, RecordedEvidence> = {}

    const graded = async (
      lab: Lab,
      name: string,
      source: string,
      options: GradingOptions = {},
    ): Promise<Grade> => {
      const grade = await lab.grade(lesson, source, { ...seeded, ...options })
      if (record === undefined) return grade
      gradings[name] = await lab.lastEvidence()
      await mkdir(record, { recursive: true })
      await writeFile(join(record, `${lesson}.br`), packRecorded(gradings))
      return grade
    }

    test('the unchanged program is not passed', async ({ lab }) => {
      await lab.open('/method')
      expectFailure(await graded(lab, 'start', await mendText(lesson, 'start')), 'changed')
    })
    test('the lab’s own has nothing wrong', async ({ lab }) => {
      await lab.open('/method')
      expectReference(await graded(lab, 'reference', await mendText(lesson, 'reference')))
    })
    /** The two beside a program run for the first that ends, and serve the others too; what is recorded ran side by side. */
    const gradeAll = async <T extends EditedProgram>(
      lab: Lab,
      programs: readonly T[],
      expectOf: (program: T, grade: Grade) => void,
    ): Promise<void> => {
      test.setTimeout(GRADING_TIMEOUT_MS * programs.length)
      await lab.open('/method')
      let ran = false
      for (const program of programs)
        await test.step(program.name, async () => {
          const beside = ran && record === undefined ? ({ beside: 'last' } as const) : {}
          const grade = await graded(lab, program.name, program.source, beside)
          expectOf(program, grade)
          ran ||= grade.checks.some(({ id, outcome }) => id === 'ended' && outcome === 'yes')
        })
    }

    test('no wrong or cheating program passes, and each fails for its reason', async ({ lab }) => {
      await gradeAll(lab, await wrongPrograms(lesson), ({ name, fails }, grade) => {
        expectFailure(grade, fails, name)
      })
    })
    for (let rung = 1; rung < rungsOf(lesson); rung += 1)
      test(`rung ${String(rung)}: its programs are graded as they say`, async ({ lab }) => {
        test.setTimeout(8 * GRADING_TIMEOUT_MS)
        await lab.open('/method')
        await gradeRung((source, options) => lab.grade(lesson, source, options), lesson, rung, true)
      })
    test('right programs in other styles have nothing wrong', async ({ lab }) => {
      await gradeAll(lab, await rightPrograms(lesson), ({ name }, grade) => {
        expectReference(grade, name)
      })
    })
  })
}
