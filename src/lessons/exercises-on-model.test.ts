/**
 * Every program of every rung on the model: right ones have nothing wrong, wrong ones fail for
 * their reason.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { h200 } from '../model/machines/h200'
import { stageOf } from '../model/stage'
import { gradeOf } from '../exercises/checks'
import { allChecksOf, type Exercise } from '../exercises/exercise'
import { programsOf } from '../exercises/testing/programs'
import { runProgram } from '../exercises/worker/run-program'
import { TraceAssembler } from '../trace/builder'
import { testInfo } from '../trace/testing/arbitrary-trace'
import type { Check, Message, Plan, ProgramReport, ProgramRun } from '../exercises/types'
import type { PrepareExercise } from '../exercises/workload'
import { inShort, IS_LONG } from '../testing/long'
import { exerciseOf } from './exercises'
import sentences from './testing/exercise-sentences.txt?raw'

/** The answer to each wrong program, with N for each number. */
const SENTENCES = sentences.split('\n')

// The test's own realm is not emptied.
vi.mock(import('../exercises/worker/global'), async (original) => ({
  ...(await original()),
  emptyGlobal: () => undefined,
}))
/** Programs only read these: worked out once for all that ask for the same. */
vi.mock(import('../lab/operands'), async (original) => {
  const { createOperands } = await original()
  const known = new Map<string, ReturnType<typeof createOperands>>()
  return {
    createOperands: (...asked) => {
      const found = known.get(String(asked)) ?? createOperands(...asked)
      known.set(String(asked), found)
      return found
    },
  }
})

const prepares = import.meta.glob<PrepareExercise>('./*/mend/prepare.ts', { import: 'prepare', eager: true })

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('location', { href: 'data:text/javascript' })
  vi.stubGlobal('setInterval', () => 0)
})

/**
 * Recorder and budget patch the model's classes for as long as their worker lives: here they are
 * put back.
 */
async function unpatched(body: () => Promise<void>): Promise<void> {
  const realm = globalThis as unknown as Readonly<Record<string, { readonly prototype?: object } | undefined>>
  const prototypes = Object.getOwnPropertyNames(globalThis)
    .filter((name) => name.startsWith('GPU'))
    .flatMap((name) => realm[name]?.prototype ?? [])
  const before = prototypes.map((each) => [each, Object.getOwnPropertyDescriptors(each)] as const)
  try {
    await body()
  } finally {
    for (const [each, descriptors] of before) Object.defineProperties(each, descriptors)
  }
}

async function reportOf(
  { lesson, language }: Exercise,
  source: string,
  plan: Plan | null,
): Promise<ProgramReport> {
  const assembler = new TraceAssembler(testInfo)
  const runs: ProgramRun[] = []
  const log: string[] = []
  let report: ProgramReport = {
    runs, log, stop: null, trace: null, plan: {}, isSoftware: false, hasTimestamps: false,
  } // oxfmt-ignore
  const receive = (message: Message): void => {
    if (message.type === 'ran') runs.push(message.run)
    else if (message.type === 'prepared') report = { ...report, ...message }
    else if (message.type === 'trace') assembler.append(message.chunk)
    else if (message.type === 'stop') report = { ...report, stop: report.stop ?? message.stop }
    else if (message.type === 'done') report = { ...report, ...message }
    else if (message.type === 'log') log.push(message.line)
  }
  // The clone stands for the border between two realms.
  const post = (message: Message): void => receive(structuredClone(message))
  const text = Buffer.from(`${source}//${String(Math.random())}`).toString('base64')
  const url = `data:text/javascript;base64,${text}`
  const load = async (): Promise<unknown> =>
    ((await import(/* @vite-ignore */ url)) as { readonly default: unknown }).default
  const stage = stageOf(h200, false)
  const inModel = (body: () => Promise<void>) => stage.run(() => unpatched(body))
  await runProgram(
    {
      lesson,
      seed: 1,
      plan,
      environment: h200.environment,
      info: testInfo,
      wgsl: language === 'wgsl' ? source : null,
    },
    post,
    prepares[`./${lesson}/mend/prepare.ts`],
    language === 'wgsl' ? null : load,
    undefined,
    { ...stage, run: inModel },
  )
  return { ...report, trace: assembler.trace() }
}

/**
 * The model knows neither what these programs compute nor how long it takes. They are rungs by
 * lesson.
 */
const OWN_WGSL: Readonly<Record<string, readonly number[]>> = {
  'kernel-ladder': [1, 2],
  'tensor-residence': [2],
}
const lessons = Object.keys(prepares).map((path) => path.split('/')[1] ?? '')
const rungs = lessons.flatMap((lesson) => [1, 2].map((rung) => ({ lesson, rung })))

/**
 * Each of their programs takes a second or more: in short only the last rung's start and reference
 * are graded.
 */
const SLOW = [
  'async-submission',
  'command-queue',
  'overlapped-uploads',
  'stay-on-device',
  'streams-and-events',
  'tensor-residence',
]
const tried = inShort(rungs, ({ lesson, rung }) => !SLOW.includes(lesson) || rung === 2)

describe.each(tried)('$lesson, rung $rung', ({ lesson, rung }) => {
  it('passes its right programs, and no wrong one', async () => {
    const mend = await exerciseOf(lesson, rung)
    const reference = await reportOf(mend, mend.reference, null)
    const start = await reportOf(mend, mend.start, reference.plan)
    const judge = (yours: ProgramReport, source: string) =>
      allChecksOf(mend, source, {
        yours,
        start,
        reference,
        environment: h200.environment,
        isModelled: true,
      })
    const having = (checks: readonly Check[], outcome: Check['outcome']) =>
      checks.filter((each) => each.outcome === outcome)
    const idsOf = (checks: readonly Check[]) => checks.map(({ id }) => id)
    const passed = judge(reference, mend.reference)
    expect(having(passed, 'no')).toEqual([])
    expect(idsOf(passed).sort()).toEqual(mend.words.must.map(({ id }) => id).sort())
    const isUnknown = OWN_WGSL[lesson]?.includes(rung) === true
    expect(gradeOf(passed).passed).toBe(isUnknown ? null : true)

    const { startFails, ...others } = await programsOf(lesson, rung)
    const { wrong, right } = SLOW.includes(lesson) && !IS_LONG ? { wrong: [], right: [] } : others
    for (const { name, source } of right)
      expect(having(judge(await reportOf(mend, source, reference.plan), source), 'no'), name).toEqual([])
    if (isUnknown) return
    expect(idsOf(having(judge(start, mend.start), 'no'))).toEqual(
      expect.arrayContaining(['changed', startFails]),
    )
    for (const { name, source, fails } of wrong) {
      const noes = having(judge(await reportOf(mend, source, reference.plan), source), 'no')
      expect(idsOf(noes), name).toContain(fails)
      const text = noes.find(({ id }) => id === fails)?.text.replaceAll(/-?\d[\d,.]*(?=\W|$)/g, 'N') ?? ''
      expect(SENTENCES).toContain(`${lesson} ${String(rung)} ${name}: ${text}`)
    }
  })
})
