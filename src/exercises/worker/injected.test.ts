/**
 * A fault at the n-th call of WebGPU that gives a promise, in the mend of every lesson: the lab's
 * own program, from the opening of the device to what is found after its last run. A worker is
 * ended with its program, so what a program made is no leak; what the lab made is. The sample and
 * INJECT are those of site/worker/testing/injected.ts.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tinyEnvironment } from '../../experiments/testing/tiny'
import { succeed } from '../../base/fault'
import { inShort } from '../../testing/long'
import type { AwaitedCall } from '../../testing/fake-webgpu'
import { testInfo } from '../../trace/testing/arbitrary-trace'
import {
  HANGING,
  injectedGpu,
  injections,
  leftOn,
  stubRealm,
  type Injection,
} from '../../site/worker/testing/injected'
import { exerciseOf } from '../../lessons/exercises'
import type { Message, Start } from '../types'
import type { PrepareExercise } from '../workload'
import { runProgram } from './run-program'

// The test's own realm is not emptied, and its WebGPU not budgeted: these have tests of their own.
vi.mock(import('./global'), async (original) => ({
  ...(await original()),
  emptyGlobal: () => undefined,
}))
vi.mock('../budget/budget', () => ({
  createBudget: () => ({
    install: () => () => undefined,
    spent: {},
    violation: null,
    given: () => undefined,
    open: () => undefined,
    close: () => undefined,
  }),
}))
// A worker of its own.
vi.mock('./cpu', () => ({
  openCpu: () => ({
    time: (n: number) => Promise.resolve({ library: 'plain TypeScript', ms: n ** 3 / 1e6 }),
    close: () => undefined,
  }),
}))
// Workers of its own: here a batch is there at once, whatever it holds.
vi.mock(import('../../lab/loader'), async (original) => ({
  ...(await original()),
  openMakers: (_context, _options, _count, { made }) =>
    Promise.resolve(
      succeed((_worker: number, index: number, memory: ArrayBuffer) => {
        queueMicrotask(() => {
          made(index, memory)
        })
      }),
    ),
}))
const prepares = import.meta.glob<PrepareExercise>('../../lessons/*/mend/prepare.ts', {
  import: 'prepare',
  eager: true,
})
const programs = import.meta.glob<{ readonly default: unknown }>('../../lessons/*/mend/reference.js')

beforeEach(() => {
  stubRealm()
  vi.stubGlobal('setInterval', () => 0)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('location', { href: 'blob:mend' })
  vi.stubGlobal('GPUBufferUsage', {
    MAP_READ: 1,
    MAP_WRITE: 2,
    COPY_SRC: 4,
    COPY_DST: 8,
    UNIFORM: 0x40,
    STORAGE: 0x80,
    QUERY_RESOLVE: 0x200,
  })
  vi.stubGlobal('GPUShaderStage', { COMPUTE: 4 })
})

/** A cancelled program is ended with its worker, by the page: client.test.ts. */
const FAULTS = ['loss', 'out-of-memory', 'validation', 'hang'] as const

async function runMend(lesson: string, injection: Injection | null) {
  const { gpu, devices, calls, hit } = injectedGpu(injection)
  const messages: Message[] = []
  vi.stubGlobal('navigator', { userAgent: 'test', hardwareConcurrency: 2, gpu })
  const { language, reference } = await exerciseOf(lesson)
  const start: Start = {
    lesson,
    seed: 1,
    plan: null,
    environment: tinyEnvironment,
    info: testInfo,
    wgsl: language === 'wgsl' ? reference : null,
  }
  const post = (message: Message) => void messages.push(message)
  const load = programs[`../../lessons/${lesson}/mend/reference.js`]
  const limits = injection?.fault === 'hang' ? { ...HANGING, openMs: HANGING.silenceMs } : undefined
  const prepare = prepares[`../../lessons/${lesson}/mend/prepare.ts`]
  await runProgram(start, post, prepare, load ? async () => (await load()).default : null, limits)
  const ending = messages.at(-1)
  const found = hit()
  return {
    calls: calls.length,
    // A run without a device can lose none and raise no error; its thread can still hang.
    hit: found?.hasDevice || injection?.fault === 'hang' ? found : null,
    left: leftOn(devices),
    /** 'done', or why it stopped. */
    ending: ending?.type === 'stop' ? ending.stop.reason : ending?.type,
    text: ending?.type === 'stop' ? ending.stop.text : '',
  }
}

function rightEndings(
  fault: Injection['fault'],
  { call, openScopes }: { readonly call: AwaitedCall; readonly openScopes: number },
): readonly (string | undefined)[] {
  if (fault === 'loss') return ['device-lost']
  // The recorder's own questions are not waited for.
  if (fault === 'hang') return ['lab', 'done']
  // In a scope of the recorder's own: without its timestamps nothing is graded.
  return call === 'popErrorScope' || openScopes > 3 ? ['gpu-error', 'done', 'lab'] : ['gpu-error']
}

const lessonsWithExercise = Object.keys(prepares).map((path) => path.split('/').at(-3) ?? '')

const cases = lessonsWithExercise.map((lesson, index) => ({ lesson, seed: index + 100 }))
/** A program in JavaScript, and one in WGSL. */
const IN_SHORT = ['sync-stalls', 'kernel-ladder']

describe.each(inShort(cases, ({ lesson }) => IN_SHORT.includes(lesson)))('$lesson', ({ lesson, seed }) => {
  it('ends rightly, and leaves nothing of the lab’s', async () => {
    const undisturbed = await runMend(lesson, null)
    expect([undisturbed.ending, undisturbed.text]).toEqual(['done', ''])
    const tried = injections(undisturbed.calls, FAULTS, seed)
    let hits = 0
    for (const injection of tried) {
      const { ending, hit, left, text } = await runMend(lesson, injection)
      const where = JSON.stringify({ injection, hit, ending, text })
      // It made fewer calls this time. Where a hang is to be found soon, a busy machine is slow
      // enough to be taken for one.
      if (!hit) expect(injection.fault === 'hang' ? ['done', 'lab'] : ['done'], where).toContain(ending)
      else {
        hits += 1
        expect(rightEndings(injection.fault, hit), where).toContain(ending)
        if (ending === 'lab')
          expect(text, where).toMatch(/did not answer|did not come|no memory for the timestamps/)
      }
      expect(
        left.filter((label) => !undisturbed.left.includes(label)),
        where,
      ).toEqual([])
    }
    expect(hits).toBeGreaterThan(tried.length / 2)
  })
})
