/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { seededEntry } from '../../../gpu/kernels/matmul/seeded-entry'
import { createBatchMaker } from '../../../lab/batch-maker'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport, ProgramRun } from '../../../exercises/types'
import { datasetOf, ENTRIES, KEPT_WORDS } from './batches'
import { firstRung as first, rules as last } from './checks'

const NAME = 'batches'
const MS = 1e6
const STEPS = 5
const FACTS = {
  n: ENTRIES,
  times: STEPS,
  steps: STEPS,
  seedA: 3,
  seedB: 4,
  first: STEPS,
  words: 64,
  count: 2 * STEPS,
  augmentations: 2,
  seed: 9,
}
const { valueAt } = createBatchMaker(datasetOf(FACTS))
const ARRIVED = new Uint32Array(
  Float32Array.from({ length: STEPS * KEPT_WORDS }, (_, at) => {
    const [step, index] = [Math.floor(at / KEPT_WORDS), at % KEPT_WORDS]
    return valueAt(FACTS.first + step, gatherPosition(index, gatherSeed(step), FACTS.words))
  }).buffer,
)
/** In a run of 100 ms: two threads are quick enough for it, one is not. */
const MADE_MS = 150
const RESULT = Float32Array.from({ length: ENTRIES }, (_, column) => seededEntry(FACTS, 0, column).value)

/** What a program does, and what it is told: a millisecond each. */
type Event = `ask ${number}` | 'come' | `come ${number}` | `submit ${number}` | 'ended'
const asks = (...steps: readonly number[]): readonly Event[] =>
  steps.filter((step) => step < STEPS).map((step) => `ask ${step}` as const)
const loop = (step: (step: number) => readonly Event[]): readonly Event[] =>
  Array.from({ length: STEPS }, (_, index) => step(index)).flat()

const ASKS_WHEN_TAKEN: readonly Event[] = [
  ...asks(0, 1),
  ...loop((step) => ['come', ...asks(step + 2), `submit ${step}`, 'ended']),
]

function reportOf(
  events: readonly Event[],
  found: ProgramRun['found'] = {},
  report: Partial<ProgramReport> = {},
): ProgramReport {
  const trace = new HandMadeTrace(NAME)
  const asked: { readonly step: number; readonly atNs: number; readonly come: number }[] = []
  const used: { readonly step: number; readonly atNs: number }[] = []
  const come: { readonly step: number; readonly atNs: number }[] = []
  let submission = -1
  for (const [at, event] of events.entries()) {
    const step = Number(event.split(' ')[1])
    if (event.startsWith('come')) come.push({ step: event === 'come' ? come.length : step, atNs: at * MS })
    else if (event === 'ended') trace.wait(0, 'wait-done', at - 0.5, at, submission)
    else if (event.startsWith('ask')) asked.push({ step, atNs: at * MS, come: come.length })
    else {
      used.push({ step, atNs: (at - 0.1) * MS })
      submission = trace.submit(0, at, at + 0.5)
    }
  }
  const run = programRun({
    name: NAME,
    facts: FACTS,
    found: {
      askedSteps: asked.map(({ step }) => step),
      askedNs: asked.map(({ atNs }) => atNs),
      askedCome: asked.map(({ come }) => come),
      comeNs: come.map(({ atNs }) => atNs),
      comeSteps: come.map(({ step }) => step),
      ownSteps: [],
      usedSteps: used.map(({ step }) => step),
      usedNs: used.map(({ atNs }) => atNs),
      madeMs: MADE_MS,
      products: STEPS,
      arrived: ARRIVED,
      entries: RESULT,
      ...found,
    },
  })
  return programReport([run], { trace: trace.trace, ...report })
}
/** A run beside it: so long, of which making took so much, whichever thread did it. */
const beside = (ms: number, madeMs: number) =>
  programReport([programRun({ name: NAME, ms, found: { madeMs } })])
/** Beside the making a run takes 100 ms. */
const START = beside(100 + MADE_MS, MADE_MS)

function checkOf(id: string, yours: ProgramReport, rules = last, reference = beside(110, MADE_MS)) {
  return said(rules, id, evidenceWith({ yours, start: START, reference }))
}

it('all hold for a program as the lab’s own', () => {
  for (const id of ['output', 'once', 'work', 'ahead', 'waiting', 'own', 'time'])
    expect(checkOf(id, reportOf(ASKS_WHEN_TAKEN))[0], id).toBe('yes')
  expect(last.figure.of(reportOf(ASKS_WHEN_TAKEN))).toBe(100 / STEPS)
})

describe('output', () => {
  it('names the first step without its batch; nothing is wrong too', () => {
    const torn = ARRIVED.map((word, at) => (at === 2 * KEPT_WORDS ? word + 1 : word))
    expect(checkOf('output', reportOf(ASKS_WHEN_TAKEN, { arrived: torn }))).toEqual([
      'no',
      'In step 2 the GPU did not have batch 2: 1 of 16 words of it are not its own.',
    ])
    expect(checkOf('output', reportOf(ASKS_WHEN_TAKEN, { arrived: [] }))[0]).toBe('no')
  })
  it('names the first wrong entry; no number is one', () => {
    const entries = RESULT.map((value, at) => (at === 3 ? Number.NaN : value))
    expect(checkOf('output', reportOf(ASKS_WHEN_TAKEN, { entries }))).toEqual([
      'no',
      expect.stringContaining('the layers’ result is wrong: entry (0, 3)'),
    ])
  })
})

describe('once', () => {
  it('counts workers’ batches and the program’s own together', () => {
    expect(checkOf('once', reportOf(ASKS_WHEN_TAKEN, { ownSteps: [3] }))).toEqual([
      'no',
      'Batch 3 was made 2 times.',
    ])
    expect(checkOf('once', reportOf(ASKS_WHEN_TAKEN, { askedSteps: [1, 2, 3, 4] }))).toEqual([
      'no',
      'Batch 0 was made not at all.',
    ])
  })
})

/** Whether `ahead` and `waiting` hold, on the last rung and on the first. */
const PROGRAMS: Readonly<
  Record<string, readonly [events: readonly Event[], last: string, first: string, waiting: string]>
> = {
  'two at first, the next when one is taken': [ASKS_WHEN_TAKEN, 'yes', 'yes', 'yes'],
  'two at first, the next right after it submits': [
    [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 2), 'ended'])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next right after it submits': [
    [...asks(0, 1, 2), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 3), 'ended'])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next when a step has ended': [
    [...asks(0, 1, 2), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 3)])],
    'yes',
    'yes',
    'yes',
  ],
  'three at first, the next when one is taken': [
    [...asks(0, 1, 2), ...loop((step) => ['come', ...asks(step + 3), `submit ${step}`, 'ended'])],
    'yes',
    'yes',
    'no',
  ],
  'two at first, the next when a step has ended': [
    [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 2)])],
    'no',
    'yes',
    'yes',
  ],
  'one at first, the next right after it submits': [
    [...asks(0), ...loop((step) => ['come', `submit ${step}`, ...asks(step + 1), 'ended'])],
    'no',
    'yes',
    'yes',
  ],
  'one ahead, and no end is awaited before the next batch has come': [
    [...asks(0), ...loop((step) => ['come', ...asks(step + 1), `submit ${step}`]), 'ended'],
    'no',
    'yes',
    'yes',
  ],
  'each when it is needed': [
    loop((step) => [...asks(step), 'come', `submit ${step}`, 'ended']),
    'no',
    'no',
    'yes',
  ],
  'all at once': [
    [...asks(0, 1, 2, 3, 4), ...loop((step) => ['come', `submit ${step}`, 'ended'])],
    'yes',
    'yes',
    'no',
  ],
}
describe.each(Object.entries(PROGRAMS))('%s', (_, [events, ahead, rungOne, waiting]) => {
  it('is judged by what was asked for when the loop waited', () => {
    expect(checkOf('ahead', reportOf(events))[0]).toBe(ahead)
    expect(checkOf('ahead', reportOf(events), first)[0]).toBe(rungOne)
    expect(checkOf('waiting', reportOf(events))[0]).toBe(waiting)
    expect(checkOf('waiting', reportOf(events), first)[0]).toBe(waiting)
  })
})

describe('ahead and waiting', () => {
  it('name the step and the batch', () => {
    const late = [...asks(0, 1), ...loop((step) => ['come', `submit ${step}`, 'ended', ...asks(step + 2)])]
    expect(checkOf('ahead', reportOf(late))[1]).toBe(
      'When the loop waited after step 0 was submitted, batch 2 had not been asked of a worker.',
    )
    expect(
      checkOf('waiting', reportOf([...asks(0, 1, 2, 3), ...loop((step) => [`submit ${step}`])]))[1],
    ).toBe('Batch 3 was asked for before step 0 was submitted: that is more than 2 waiting.')
  })
  it('cannot be determined without a trace', () => {
    for (const id of ['ahead', 'waiting'])
      expect(checkOf(id, reportOf(ASKS_WHEN_TAKEN, {}, { trace: null }))[0]).toBe('cannot-tell')
  })
  it('a batch that was never asked for was not asked for in time', () => {
    const own = loop((step) => [`submit ${step}`, 'ended'])
    expect(checkOf('ahead', reportOf(own))[0]).toBe('no')
    expect(checkOf('ahead', reportOf([...own].filter((event) => event !== 'ended')))[0]).toBe('no')
  })
})

describe('own', () => {
  /** Batches 0 and 1 are there; then what happens between the submissions of steps 0 and 1. */
  const between = (...events: readonly Event[]): readonly Event[] => [
    ...asks(0, 1),
    ...(['come 1', 'come 0', ...asks(2), 'submit 0', ...events, 'submit 1'] as const),
  ]
  it.each<readonly [string, readonly Event[], string]>([
    ['another comes first', between('ended'), 'yes'],
    ['another comes while the device is at work', between('come 2', 'ended'), 'yes'],
    ['the next is awaited too', between('ended', 'come 2'), 'no'],
    ['the first step awaits both', [...asks(0, 1), 'come 0', 'come 1', 'submit 0'], 'no'],
  ])('%s', (_, events, outcome) => {
    expect(checkOf('own', reportOf(events))[0]).toBe(outcome)
    expect(checkOf('own', reportOf(events), first)[0]).toBe(outcome)
  })
  it('names step and batch; a trace is needed', () => {
    expect(checkOf('own', reportOf(between('ended', 'come 2')))[1]).toBe(
      'Step 1 had its batch and was submitted only when batch 2 had come too.',
    )
    expect(checkOf('own', reportOf(ASKS_WHEN_TAKEN, {}, { trace: null }))[0]).toBe('cannot-tell')
  })
})

describe('time', () => {
  const taking = (ms: number, madeMs: number): ProgramReport => {
    const report = reportOf(ASKS_WHEN_TAKEN, { madeMs })
    return { ...report, runs: report.runs.map((run) => ({ ...run, endNs: ms * MS })) }
  }
  const timeOf = (ms: number, madeMs: number, rules = last) => checkOf('time', taking(ms, madeMs), rules)
  /** With so many made at a time: nothing hides the making of the first batch, or what comes behind the last. */
  const atBest = (made: number, many: number) =>
    Math.max(made / STEPS + 100, made / many + (many * 100) / STEPS)
  it.each([0.25, 0.5, 1, 2, 4])('is judged at the makers’ own speed: %f of what was planned', (speed) => {
    const made = MADE_MS / speed
    expect(timeOf(atBest(made, 2), made)[0]).toBe('yes')
    expect(timeOf(atBest(made, 1), made, first)[0]).toBe('yes')
    for (const rules of [last, first]) {
      expect(timeOf(made + 100, made, rules)[0]).toBe('no')
      expect(timeOf(made + 90, made, rules)[0]).toBe('no')
    }
  })
  it('says what was saved', () => {
    expect(timeOf(200, MADE_MS)[1]).toBe(
      'At the speed at which its batches were made, your program would take 250 ms without a batch ahead; it took 200 ms. That is 33 % of what can be saved; the lab’s own mend saved 93 %. Half of that is asked for.',
    )
    expect(timeOf(170, MADE_MS)[0]).toBe('yes')
  })
  it('cannot be determined where nothing was noted, where the lab’s own saves nothing, and where a processor is the GPU', () => {
    expect(timeOf(200, Number.NaN)[0]).toBe('cannot-tell')
    expect(checkOf('time', taking(200, MADE_MS), last, beside(245, MADE_MS))[0]).toBe('cannot-tell')
    expect(checkOf('time', { ...taking(200, MADE_MS), isSoftware: true })[0]).toBe('cannot-tell')
  })
})
