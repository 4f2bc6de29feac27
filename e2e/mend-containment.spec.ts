/** What a learner's program may not do, and what becomes of one that does not end: a sentence, within seconds, and an unharmed page. */
import { mendText } from '../cli/mend-files'
import { expect, IS_LONG } from './fixtures'
import { expectReference, failed, GRADING_TIMEOUT_MS, inWords } from './mends'
import type { Grade } from '../src/mend/types'
import { test } from './shared-page'

const LESSON = 'sync-stalls'
/** Graded in little more than half the time: for programs that are of no lesson. */
const FAST = 'command-queue'
/** A call ends within 5 s and what 64 waits take here (src/mend/client.ts); the lab's own part before it takes longer on a busy machine. */
const START = 'export default async function ({ device, lab, input }) {\n'

const sentenceOf = ({ checks }: Grade): string => checks.find(({ id }) => id === 'ended')?.text ?? ''

const ENDINGS: readonly (readonly [name: string, source: string, sentence: RegExp])[] = [
  ['an endless loop', `${START}for (;;);\n}`, /still computing after \d+ s/],
  ['an exception', `${START}\n\nnull.x\n}`, /TypeError.*\(line 4\)/],
  ['a thrown value', `${START}throw 'no'\n}`, /it threw no/],
  ['a lost device', `${START}device.destroy()\nawait device.queue.onSubmittedWorkDone()\n}`, /device/i],
  ['a mistake of syntax', `${START}const = 1\n}`, /‘=’ is not expected here\. \(line 2\)/],
  ['no program', 'const x = 1', /export default/],
  ['an export that is no function', 'export default 3', /must be a function/],
  ['a call that WebGPU refuses', `${START}device.createBuffer({ size: 3, usage: 0 })\n}`, /usage/i],
]

/** As long as the loop. In short mend/client.test tells a program that computes from one that waits. */
const AS_LONG: typeof ENDINGS = [
  ['an endless chain of promises', `${START}for (;;) await null\n}`, /still computing after \d+ s/],
  ['an endless wait', `${START}await new Promise(() => undefined)\n}`, /had not returned after \d+ s/],
]

/** Two halves, for two workers: no program leaves anything to the next. */
const HALF = Math.ceil(ENDINGS.length / 2)
for (const some of [[...(IS_LONG ? AS_LONG : []), ...ENDINGS.slice(0, HALF)], ENDINGS.slice(HALF)])
  test(`ends with a sentence, and the next is graded as ever: ${some.map(([name]) => name).join(', ')}`, async ({
    lab,
  }) => {
    test.setTimeout((some.length + 1) * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    for (const [name, source, sentence] of some)
      await test.step(name, async () => {
        const grade = await lab.grade(FAST, source)
        expect.soft(grade.passed, inWords(grade)).toBe(false)
        expect.soft(sentenceOf(grade), name).toMatch(sentence)
      })
    // One whose programs take little, also where each completion is reported late.
    expectReference(await lab.grade('stay-on-device', await mendText('stay-on-device', 'reference')))
  })

test('a promise that nobody awaited is named in the log, and one that the end rejects is not', async ({
  lab,
}) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
  // The second buffer is mapped again whenever it has been: at the end, when the lab destroys it, it is being mapped.
  const grade = await lab.grade(
    FAST,
    `${START}
      const make = () => device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
      const first = make()
      first.mapAsync(GPUMapMode.READ)
      first.destroy()
      const second = make()
      const again = async () => {
        for (;;) {
          await second.mapAsync(GPUMapMode.READ)
          second.unmap()
        }
      }
      again()
      await device.queue.onSubmittedWorkDone()
    }`,
  )
  expect(grade.passed, inWords(grade)).toBe(false)
  const { log } = (await lab.lastEvidence()).yours
  expect(new Set(log).size, log.join('\n')).toBe(1)
  expect(log[0]).toMatch(/rejected, and nothing awaited it: AbortError: .*destroyed/)
})

test('a program that submits nothing is graded, and fails', async ({ lab }) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
  const grade = await lab.grade(FAST, `${START}return []\n}`)
  expect(failed(grade), inWords(grade)).toEqual(expect.arrayContaining(['output', 'work']))
})

test('the global has the language and WebGPU’s flags, and nothing that leads out', async ({ lab }) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
  const names =
    'fetch XMLHttpRequest WebSocket EventSource WebTransport importScripts indexedDB caches Worker SharedWorker BroadcastChannel MessageChannel postMessage setTimeout setInterval requestAnimationFrame queueMicrotask navigator location self close WebAssembly SharedArrayBuffer Atomics eval Function OffscreenCanvas FileReaderSync URL Blob crypto'
  const grade = await lab.grade(
    LESSON,
    `${START}
      const found = '${names}'.split(' ').filter((name) => name in globalThis)
      const tries = [
        () => (() => {}).constructor('return 1')(),
        () => Object.getPrototypeOf(async () => {}).constructor('return 1')(),
        () => globalThis.constructor.constructor('return 1')(),
        () => { globalThis.fetch = 1 },
        () => { Object.prototype.x = 1 },
        () => { GPUQueue.prototype.submit = 1 },
        () => { performance.now = () => 0 },
        () => { Promise.prototype.then = 1 },
        () => { Array.prototype.push = 1 },
        () => { device.queue.submit = 1 },
        () => { input.train.encode = 1 },
        () => { Object.defineProperty(Float32Array.prototype, 'length', { value: 0 }) },
      ]
      const open = tries.flatMap((attempt, index) => {
        try { attempt(); return [index] } catch { return [] }
      })
      throw new Error('found: ' + found.join(' ') + '; open: ' + open.join(' ') + '; now: ' + typeof performance.now())
    }`,
  )
  expect(sentenceOf(grade)).toContain('found: ; open: ; now: number')
})

const NOT_LET_IN: readonly (readonly [name: string, source: string])[] = [
  ['an import', `import '/assets/x.js'\n${START}}`],
  ['an import()', `${START}await import('data:text/javascript,0')\n}`],
  ['import.meta', `${START}return import.meta.url\n}`],
  ['a wrapper that is closed', `${START}}}); fetch('/'); (async function () {{`],
  ['a function of a name that was deleted', `function fetch() {}\n${START}return globalThis.fetch.name\n}`],
]
test(`not let in: ${NOT_LET_IN.map(([name]) => name).join(', ')}`, async ({ lab, page }) => {
  test.setTimeout(NOT_LET_IN.length * GRADING_TIMEOUT_MS)
  const asked: string[] = []
  await lab.open('/method')
  page.on('request', (request) => asked.push(request.url()))
  for (const [name, source] of NOT_LET_IN)
    await test.step(name, async () => {
      const grade = await lab.grade(FAST, source)
      expect.soft(grade.passed, inWords(grade)).toBe(false)
      expect.soft(sentenceOf(grade), name).not.toBe('Your program ran to its end.')
    })
  expect(asked.filter((url) => url.startsWith('data:') || url.endsWith('/x.js'))).toEqual([])
})
