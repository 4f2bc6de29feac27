/** Each lesson's mend: the unchanged program fails for its reason, the lab's own does not, and neither does a cheat get past. All: mends-all. */
import { cheatsOf, lessonsWithMend } from '../cli/mend-files'
import { expect } from './fixtures'
import { expectFailure, expectReference, GRADING_TIMEOUT_MS, inWords, programText, textOf } from './mends'
import { test } from './shared-page'

/** Which check the unchanged program fails. */
const START_FAILS: Readonly<Record<string, string>> = {
  'async-submission': 'output',
  collectives: 'bytes',
  'command-queue': 'submits',
  'kernel-ladder': 'time',
  'overlapped-uploads': 'overlap',
  ranks: 'goes-on',
  'staging-buffers': 'buffers',
  'stay-on-device': 'stays',
  'streams-and-events': 'early',
  'sync-stalls': 'ahead',
  'tensor-residence': 'bytes',
  'transfer-cost': 'waits',
  'worth-it': 'regret',
}
/** Graded by how long two ways take here: what runs beside it takes part of one and not of the other. */
const ALONE = ['worth-it']
for (const lesson of lessonsWithMend()) {
  const title = `${lesson}: the unchanged program is not passed, the lab’s own is, a cheat is not`
  test(title, { tag: ALONE.includes(lesson) ? '@alone' : [] }, async ({ lab }) => {
    test.setTimeout(3 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    const reference = await lab.grade(lesson, await programText(lesson, 'reference'))
    expectReference(reference)
    expect(inWords(reference)).toContain('yes ended')
    // The others against the two that ran just now: six runs of programs less.
    const start = await lab.grade(lesson, await programText(lesson, 'start'), { beside: 'last' })
    const expected = START_FAILS[lesson]
    if (expected === undefined) throw new Error(`Which check does the start of ${lesson} fail?`)
    expectFailure(start, 'changed')
    // Only a GPU shows that one: a CPU's caches serve both orders of reading.
    if (expected !== 'time' || test.info().project.name === 'gpu') expectFailure(start, expected)
    const [cheat] = await cheatsOf(lesson)
    if (!cheat) throw new Error(`The mend of ${lesson} has no cheat.`)
    expectFailure(await lab.grade(lesson, await textOf(cheat.file), { beside: 'last' }), cheat.fails)
    expect((await cheatsOf(lesson)).length, 'cheats').toBeGreaterThanOrEqual(6)
  })
}

test('after a program that did not end the next one is graded as ever', async ({ lab }) => {
  test.setTimeout(2 * GRADING_TIMEOUT_MS)
  await lab.open('/method')
  // One whose programs take little, also where each completion is heard of late.
  await lab.grade('stay-on-device', 'export default async function () { for (;;); }')
  expectReference(await lab.grade('stay-on-device', await programText('stay-on-device', 'reference')))
})
