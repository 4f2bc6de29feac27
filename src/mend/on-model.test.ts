/** What is said of a program while it is typed: of one run on the model, and nothing where the model has no times. */
import { describe, expect, it, vi } from 'vitest'
import { tinyEnvironment } from '../experiments/testing/tiny'
import { TraceBuilder } from '../trace/builder'
import type { Trace } from '../trace/schema'
import { testInfo } from '../trace/testing/arbitrary-trace'
import type { Mend } from './mend'
import { runOnModel } from './on-model'
import { programReport, programRun } from './testing/evidence'
import type { ProgramReport, Stop } from './types'

const { answer } = vi.hoisted((): { readonly answer: { report: unknown; request: unknown } } => ({
  answer: { report: null, request: null },
}))
vi.mock('./client', () => ({
  runProgram: (request: unknown) => {
    answer.request = request
    return Promise.resolve(answer.report)
  },
}))

const MS = 1e6
const PLAN = { n: 64 }
const mend: Mend = {
  lesson: 'a',
  rung: 1,
  rungs: 1,
  experiment: 'sync-stalls',
  language: 'javascript',
  start: 'start',
  reference: 'reference',
  ways: [],
  scope: null,
  isTimedOnModel: true,
  worker: '/worker.js',
  modelWorker: '/model-worker.js',
  words: { title: '', task: [], must: [], hints: [], pytorch: { before: [], code: '', after: [] }, why: [] },
  figure: { words: '', unit: 'ms', run: 'clean', of: () => 1 },
  checks: () => [],
}

/** Passes of 2 ms each, one in each of these steps; and one of another run, that counts for nothing. */
function traceOf(steps: readonly number[]): Trace {
  const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
  const clock = builder.addClock({ kind: 'device', name: 'device', originMs: 0, originTick: '0', stepNs: 1 })
  const lane = builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
  const pass = (variant: string, step: number, startMs: number) => {
    builder.addSpan({
      lane,
      kind: 'compute',
      role: 'pass',
      name: 'matmul',
      start: startMs * MS,
      end: (startMs + 2) * MS,
      variant,
      repeat: 0,
      step,
    })
  }
  for (const [index, step] of steps.entries()) pass('clean', step, 3 * index)
  pass('other', 9, 50)
  return builder.freeze()
}

async function seen(parts: Partial<ProgramReport>, of: Partial<Mend> = {}) {
  const runs = [programRun({ name: 'clean', ms: 12 }), programRun({ name: 'other', ms: 80 })]
  answer.report = programReport(runs, { plan: PLAN, trace: traceOf([0, 1, 2]), ...parts })
  const { signal } = new AbortController()
  return await runOnModel({ ...mend, ...of }, 'mine', { environment: tinyEnvironment, plan: null, signal })
}

const stop = (reason: Stop['reason']): Stop => ({ reason, text: 'It did not.', line: 2 })
const NOTHING = { trace: null, tookMs: null, busy: null }

describe('what is said of a run', () => {
  it('the time of a step, and the share in which the device computes', async () => {
    expect(await seen({})).toMatchObject({ stop: null, plan: PLAN, steps: 3, tookMs: 4, busy: 0.5 })
  })

  it('without steps the time of the call', async () => {
    expect(await seen({ trace: traceOf([-1, -1]) })).toMatchObject({ steps: 0, tookMs: 12, busy: 2 / 6 })
  })

  it('of a call that did not return what it did, and no figure', async () => {
    const made = await seen({ runs: [], stop: stop('threw') })
    expect(made).toMatchObject({ stop: { line: 2 }, tookMs: null, busy: null })
    expect(made?.trace).not.toBeNull()
  })

  it('runs in the model’s worker, briefly', async () => {
    await seen({})
    expect(answer.request).toMatchObject({ worker: '/model-worker.js', whileTyped: { limitMs: 2000 } })
  })
})

describe('nothing is said', () => {
  it('of kernels that the model does not know', async () => {
    expect(await seen({ unknown: 'kernels' })).toMatchObject({ ...NOTHING, isUnknown: true })
    expect(await seen({ unknown: 'results' })).toMatchObject({ isUnknown: false, tookMs: 4 })
  })

  it('of a mend for which the model has no times, but an error', async () => {
    expect(await seen({}, { isTimedOnModel: false })).toMatchObject(NOTHING)
    expect(await seen({ stop: stop('threw') }, { isTimedOnModel: false })).toMatchObject({
      ...NOTHING,
      stop: { line: 2 },
    })
  })

  it.each(['cancelled', 'hidden', 'lab'] as const)(
    'where it ended for no reason of its own: %s',
    async (reason) => {
      expect(await seen({ stop: stop(reason) })).toBeNull()
    },
  )
})
