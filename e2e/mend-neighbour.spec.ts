/**
 * Whatever a program does, another tab's device answers: while programs that would hog the device
 * are graded in one tab, a second tab submits next to nothing and waits for it, over and over. One
 * of each kind: src/exercises/budget/budget.test has them all. `npm run test:mends`, on a GPU with
 * LAB_ADAPTER=gpu.
 */
import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { exerciseText } from '../src/exercises/testing/programs'
import { expect, test } from './fixtures'
import { GRADING_TIMEOUT_MS, inWords } from './mends'

/**
 * ms, on a GPU. Where a processor plays it, programs and device share its cores, and the longest
 * answer is reported alone.
 */
const LONGEST_MS = 2000

type Edit = readonly [from: string, to: string]
interface Hog {
  readonly name: string
  readonly lesson: string
  /** Of the lab's own mend. */
  readonly edits: readonly Edit[]
}

const DISPATCH = 'pass.dispatchWorkgroups(Math.ceil(words / 256))'
const WORK = 'tensor[id.x] = hash(id.x + hash(seed));'
const HOGS: readonly Hog[] = [
  {
    name: 'nothing: the lab’s own fix',
    lesson: 'tensor-residence',
    edits: [],
  },
  {
    name: 'a loop without an end in each of its invocations',
    lesson: 'tensor-residence',
    edits: [[WORK, `for (var i = 0u; i < 1u; i *= 2u) { tensor[id.x] += i; } ${WORK}`]],
  },
  {
    name: 'a dispatch of 65,535 × 65,535 workgroups',
    lesson: 'tensor-residence',
    edits: [[DISPATCH, 'pass.dispatchWorkgroups(65535, 65535)']],
  },
  {
    name: 'a given pipeline with all the workgroups there can be',
    lesson: 'command-queue',
    edits: [['pass.dispatchWorkgroups(x)', 'pass.dispatchWorkgroups(65535, 65535)']],
  },
  {
    name: 'a flood of the lab’s kernels that the program leaves behind',
    lesson: 'sync-stalls',
    edits: [
      ['export default async function', 'const whole = async function'],
      [
        '\n  return losses\n}\n',
        `
  return losses
}
export default async (scope) => {
  const flood = async () => {
    for (;;) {
      await scope.device.queue.onSubmittedWorkDone()
      for (let time = 0; time < 1000; time += 1) {
        const encoder = scope.device.createCommandEncoder()
        scope.input.train.encode(encoder)
        scope.device.queue.submit([encoder.finish()])
      }
    }
  }
  flood()
  return []
}
`,
      ],
    ],
  },
  {
    name: 'uploads and no end',
    lesson: 'transfer-cost',
    edits: [
      [
        'await device.queue.onSubmittedWorkDone()',
        `const [target, data] = [device.createBuffer({ size: 2 ** 24, usage: GPUBufferUsage.COPY_DST }), new Uint8Array(2 ** 24)]
        for (;;) device.queue.writeBuffer(target, 0, data)`,
      ],
    ],
  },
]

async function hogText({ lesson, edits }: Hog): Promise<string> {
  let text = await exerciseText(lesson, 'reference')
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  return text
}

/**
 * A device of the tab's own; `neighbour()` gives the longest answer since the last call, up to one
 * that was asked for after it.
 */
const watch = async (): Promise<void> => {
  const adapter = await navigator.gpu.requestAdapter()
  if (!adapter) throw new Error('The second tab has no adapter.')
  const device = await adapter.requestDevice()
  const { queue, lost } = device
  const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST })
  // A lost device answers at once.
  let isLost = false
  lost.then(
    () => (isLost = true),
    () => undefined,
  )
  let [longest, count] = [0, 0]
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
  const word = new Uint32Array(1)
  const ask = async () => {
    while (!isLost) {
      const begunAt = performance.now()
      queue.writeBuffer(buffer, 0, word)
      queue.submit([])
      await queue.onSubmittedWorkDone()
      longest = Math.max(longest, performance.now() - begunAt)
      count += 1
      await pause()
    }
  }
  // Where it ends, answers do not come any more.
  ask().catch(() => undefined)
  Object.assign(globalThis, {
    neighbour: async () => {
      // The one under way may have begun before the end of what is looked at, the next has not.
      const enough = count + 2
      while (count < enough && !isLost) await pause()
      const found = { longestMs: longest, answers: count, isLost }
      ;[longest, count] = [0, 0]
      return found
    },
  })
}
type Answers = Readonly<Record<'longestMs' | 'answers', number>> & { readonly isLost: boolean }
const answersOf = (page: Page): Promise<Answers> =>
  page.evaluate(() => (globalThis as unknown as { neighbour: () => Promise<Answers> }).neighbour())

test('whatever a program does, another tab’s device answers', async ({ lab, page, context }, info) => {
  test.setTimeout(GRADING_TIMEOUT_MS * HOGS.length)
  await lab.open('/method')
  const { environment } = await lab.environment(true)
  const second = await context.newPage()
  await second.goto(page.url())
  await second.evaluate(watch)
  // The tab that is looked at is graded; the other's timers may be slowed to one a second, which
  // its waits are not.
  await page.bringToFront()
  const rows: (Answers & { readonly name: string; readonly grade: string })[] = []
  for (const hog of HOGS)
    await test.step(hog.name, async () => {
      await answersOf(second)
      const grade = await lab.grade(hog.lesson, await hogText(hog))
      const answers = await answersOf(second)
      rows.push({ name: `${hog.lesson}: ${hog.name}`, ...answers, grade: inWords(grade) })
      if (hog.edits.length > 0) expect.soft(grade.passed, `${hog.name}\n${inWords(grade)}`).toBe(false)
      expect.soft(answers, hog.name).toMatchObject({ isLost: false })
      if (environment?.isSoftware === false) expect.soft(answers.longestMs, hog.name).toBeLessThan(LONGEST_MS)
    })
  const said = rows.map(
    ({ name, longestMs, answers }) =>
      `${longestMs.toFixed(0).padStart(6)} ms  ${String(answers).padStart(5)} answers  ${name}`,
  )
  console.log([`Longest answer of another tab on ${environment?.adapterName ?? '?'}:`, ...said].join('\n'))
  await writeFile(info.outputPath('neighbour.json'), JSON.stringify(rows, null, 2))
})
