/**
 * Families of programs that look right and are not, each as a small edit of a mend's own text: work after the end, values that lie, kernels
 * and calls taken from the lab, waits that are hidden. And what an honest program may do that is seldom done.
 */
import { mendText } from '../cli/mend-files'
import type { Grade } from '../src/mend/types'
import { expect } from './fixtures'
import { expectFailure, expectReference, GRADING_TIMEOUT_MS } from './mends'
import { test } from './shared-page'

type Edit = readonly [from: string, to: string]
interface Edited {
  readonly name: string
  readonly lesson: string
  readonly of: 'start' | 'reference'
  readonly edits: readonly Edit[]
}
interface Whole {
  readonly name: string
  readonly lesson: string
  readonly source: string
}
type Program = Edited | Whole
interface Wrong extends Edited {
  /** The check that says no. */
  readonly fails: string
}
async function textOf(program: Program): Promise<string> {
  if ('source' in program) return program.source
  let text = await mendText(program.lesson, program.of)
  for (const [from, to] of program.edits) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return text
}

/** The whole program in a promise that nobody awaits. */
const late = (lesson: string, turns: string): Wrong => ({
  name: `${lesson}: all of it ${turns === '' ? 'begun' : 'some turns'} after the end`,
  lesson,
  of: 'reference',
  edits: [
    ['export default async function ({ device, lab, input }) {', `const later = async ({ device, lab, input }) => {\n${turns}`],
    ['\n}\n', '\n}\nexport default async (scope) => { later(scope) }\n'],
  ],
  fails: 'output',
}) // oxfmt-ignore
const TURNS = 'for (let turn = 0; turn < 20; turn += 1) await null\n'

const WRONG: readonly Wrong[] = [
  late('command-queue', TURNS),
  late('transfer-cost', TURNS),
  {
    name: 'command-queue: submitted by a getter of what is returned',
    lesson: 'command-queue',
    of: 'reference',
    fails: 'finished',
    edits: [
      ['export default async function', 'const whole = async function'],
      ['\n}\n', '\n}\nexport default async (scope) => ({ get x() { whole(scope); return 1 } })\n'],
    ],
  },
  {
    name: 'sync-stalls: kernels taken from the lab by an encoder of the program’s own',
    lesson: 'sync-stalls',
    of: 'reference',
    fails: 'ended',
    edits: [
      [
        'train.encode(encoder)',
        `train.encode({ beginComputePass: (...args) => encoder.beginComputePass(...args) })`,
      ],
    ],
  },
  {
    name: 'sync-stalls: a method of the program’s on a genuine encoder',
    lesson: 'sync-stalls',
    of: 'reference',
    fails: 'ended',
    edits: [
      [
        'train.encode(encoder)',
        `const begin = encoder.beginComputePass
        encoder.beginComputePass = (...args) => begin.apply(encoder, args)
        train.encode(encoder)`,
      ],
    ],
  },
  {
    name: 'transfer-cost: waits in callbacks',
    lesson: 'transfer-cost',
    of: 'start',
    fails: 'waits',
    edits: [
      [
        'await device.queue.onSubmittedWorkDone()',
        'await new Promise((go) => device.queue.onSubmittedWorkDone().then(() => go()))',
      ],
    ],
  },
  {
    name: 'transfer-cost: waits whose promise is blinded',
    lesson: 'transfer-cost',
    of: 'start',
    fails: 'waits',
    edits: [
      [
        'await device.queue.onSubmittedWorkDone()',
        `const done = device.queue.onSubmittedWorkDone()
         try { Object.defineProperty(done, 'constructor', { value: Promise }) } catch {}
         await done`,
      ],
    ],
  },
  {
    name: 'transfer-cost: sizes that lie',
    lesson: 'transfer-cost',
    of: 'reference',
    fails: 'work',
    edits: [
      [
        'device.queue.writeBuffer(target, step * bytes, part(step))',
        `for (let time = 0; time < 2; time += 1) {
           const data = part(step)
           Object.defineProperty(data, 'byteLength', { value: time * bytes })
           device.queue.writeBuffer(target, step * bytes, data)
         }`,
      ],
    ],
  },
  {
    name: 'collectives: messages begun and not awaited',
    lesson: 'collectives',
    of: 'reference',
    fails: 'output',
    edits: [
      ['export default async function', 'const whole = async function'],
      [
        '\n}\n',
        '\n}\nexport default async (scope) => { const result = whole(scope); for (let turn = 0; turn < 9; turn += 1) await null; return scope.input.data }\n',
      ],
    ],
  },
  {
    name: 'stay-on-device: a result whose numbers are made when they are read',
    lesson: 'stay-on-device',
    of: 'reference',
    fails: 'output',
    edits: [
      [
        'return { result: values.subarray(0, -1), mean: values.at(-1) }',
        `const read = values.subarray(0, -1)
         Object.defineProperty(read, 'length', { get: () => { device.queue.submit([]); return 3 } })
         return { result: new Proxy(read, {}), mean: values.at(-1) }`,
      ],
    ],
  },
]

const READER = `
export default async function ({ device, lab, input }) {
  const AHEAD = 4
  const ring = Array.from({ length: AHEAD }, () =>
    device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }),
  )
  const losses = []
  const reads = []
  let goesOn = true
  const read = async (step) => {
    const buffer = ring[step % AHEAD]
    await buffer.mapAsync(GPUMapMode.READ)
    const [loss] = new Float32Array(buffer.getMappedRange())
    buffer.unmap()
    if (goesOn) losses.push(loss)
    if (Number.isNaN(loss)) goesOn = false
  }
  for (const step of lab.steps(input.steps)) {
    await reads[step - AHEAD]
    if (!goesOn) break
    const encoder = device.createCommandEncoder()
    input.train.encode(encoder)
    encoder.copyBufferToBuffer(input.loss, 0, ring[step % AHEAD], 0, 4)
    device.queue.submit([encoder.finish()])
    reads.push(read(step))
  }
  await Promise.all(reads)
  return losses
}`

const RIGHT: readonly Program[] = [
  { name: 'sync-stalls: a reader beside the trainer', lesson: 'sync-stalls', source: READER },
  {
    name: 'transfer-cost: a promise for each part, awaited in order after the last',
    lesson: 'transfer-cost',
    of: 'reference',
    edits: [
      ['const { part, parts', 'const asked = []\n  const { part, parts'],
      [
        'device.queue.writeBuffer(target, step * bytes, part(step))',
        'device.queue.writeBuffer(target, step * bytes, part(step))\n    asked.push(device.queue.onSubmittedWorkDone())',
      ],
      [
        'await device.queue.onSubmittedWorkDone()',
        'for (const each of asked) await each\n  await device.queue.onSubmittedWorkDone()',
      ],
    ],
  },
  {
    name: 'command-queue: a named export, a console, properties of its own',
    lesson: 'command-queue',
    of: 'reference',
    edits: [
      ['export default async function', 'async function mend'],
      [
        '\n}\n',
        `\n}
const ring = [mend]
ring.at = 0
const named = { toString: () => 'ring', valueOf: 3 }
console.error(String(named), ring.at)
export { mend as default }
`,
      ],
    ],
  },
]

/** One of each lesson is graded whole, beside the unchanged program and the lab's own as they run here; its others are held against those two. */
for (const lesson of new Set([...RIGHT, ...WRONG].map((program) => program.lesson)))
  test(`${lesson}: what is right has nothing wrong, and what looks right is not passed, for its reason`, async ({
    lab,
  }) => {
    test.setTimeout(4 * GRADING_TIMEOUT_MS)
    await lab.open('/method')
    let isAlone = true
    const gradeOf = async (program: Program): Promise<Grade> => {
      const grade = await lab.grade(lesson, await textOf(program), isAlone ? {} : { beside: 'last' })
      isAlone = false
      return grade
    }
    for (const program of RIGHT.filter((each) => each.lesson === lesson))
      expectReference(await gradeOf(program), program.name)
    for (const program of WRONG.filter((each) => each.lesson === lesson))
      expectFailure(await gradeOf(program), program.fails, program.name)
  })
