/**
 * A program that does not end, fails or reaches for the network: the grade says so in a sentence
 * within seconds, and the page goes on.
 */
import { exerciseText } from '../src/exercises/testing/programs'
import { expect } from './fixtures'
import { expectReference, GRADING_TIMEOUT_MS, inWords } from './mends'
import type { Grade } from '../src/exercises/types'
import { test } from './shared-page'

/** It is graded in little more than half the time of others. */
const FAST = 'command-queue'
const START = 'export default async function ({ device, lab, input }) {\n'

const sentenceOf = ({ checks }: Grade): string => checks.find(({ id }) => id === 'ended')?.text ?? ''

const ENDINGS: readonly (readonly [name: string, source: string, sentence: RegExp])[] = [
  ['an endless loop', `${START}for (;;);\n}`, /still computing after \d+ s/],
  ['an exception', `${START}\n\nnull.x\n}`, /TypeError.*\(line 4\)/],
  ['a lost device', `${START}device.destroy()\nawait device.queue.onSubmittedWorkDone()\n}`, /device/i],
  ['an export that is no function', 'export default 3', /must be a function/],
  ['a request', `${START}await fetch('/')\n}`, /fetch is not defined.*\(line 2\)/],
  [
    'more memory than a program may use',
    `${START}device.createBuffer({ size: 2 ** 36, usage: 8 })\n}`,
    /asked for 64 GiB/,
  ],
]

test(`ends with a sentence, and the next is graded as ever: ${ENDINGS.map(([name]) => name).join(', ')}`, async ({
  lab,
}) => {
  test.setTimeout((ENDINGS.length + 1) * GRADING_TIMEOUT_MS)
  await lab.open('/method')
  for (const [name, source, sentence] of ENDINGS)
    await test.step(name, async () => {
      const grade = await lab.grade(FAST, source)
      expect.soft(grade.passed, inWords(grade)).toBe(false)
      expect.soft(sentenceOf(grade), name).toMatch(sentence)
    })
  // One whose programs take little, also where each completion is reported late.
  expectReference(await lab.grade('stay-on-device', await exerciseText('stay-on-device', 'reference')))
})

test('a program finds neither network, storage, timers nor other workers', async ({ lab }) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
  const names =
    'fetch XMLHttpRequest WebSocket EventSource WebTransport importScripts indexedDB caches Worker SharedWorker BroadcastChannel MessageChannel postMessage setTimeout setInterval requestAnimationFrame queueMicrotask navigator location self close WebAssembly'
  const grade = await lab.grade(
    FAST,
    `${START}throw new Error('found: ' + '${names}'.split(' ').filter((name) => name in globalThis).join(' ') + '.')\n}`,
  )
  expect(sentenceOf(grade)).toContain('found: .')
})
