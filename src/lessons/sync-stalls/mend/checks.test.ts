/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { Check, ProgramReport, ProgramRun } from '../../../exercises/types'
import { rules } from './checks'
import { expectedLosses, nanStepOf, positionsOf, STEPS } from './losses'

const [N, NAN_STEP] = [16, 20]
const FACTS = { n: N, seedA: 1, seedB: 2, seedPlan: 3, nanStep: -1 } as const

const LOSSES = expectedLosses(FACTS).map(({ value }) => Math.fround(value))
/** As far as a program gets that stops at once. */
const LOSSES_TO_NAN = [...LOSSES.slice(0, NAN_STEP), Number.NaN]

/** What a program does in a step, 10 ms each. */
interface Step {
  readonly step: number
  readonly atMs: number
  readonly trace: HandMadeTrace
  readonly submissions: number[]
}
/** Waits for the step four before; each is reported 25 ms later. */
const behind = ({ step, atMs, trace, submissions }: Step): void => {
  submissions.push(trace.submit(0, atMs + 2, atMs + 27))
  if (step >= 4) trace.wait(0, 'wait-map', atMs + 3, atMs + 4, submissions[step - 4] ?? -1)
}
const dry = ({ atMs, trace, submissions }: Step): void => {
  const submission = trace.submit(0, atMs + 2, atMs + 8)
  submissions.push(submission)
  trace.wait(0, 'wait-map', atMs + 3, atMs + 8, submission)
}
const polling = ({ atMs, trace, submissions }: Step): void => {
  submissions.push(trace.submit(0, atMs + 2, atMs + 8))
}
const neverWaiting = ({ atMs, trace, submissions }: Step): void => {
  submissions.push(trace.submit(0, atMs + 2, 1000))
}

interface Made {
  readonly step?: (step: Step) => void
  readonly losses?: unknown
  readonly lossesToNan?: unknown
  readonly stepsRun?: number
  readonly stepsRunToNan?: number
  readonly hostRuns?: number
  readonly withNan?: boolean
  readonly report?: Partial<ProgramReport>
}

function reportOf(made: Made): ProgramReport {
  const {
    step: run = behind,
    stepsRun = STEPS,
    hostRuns = STEPS,
    stepsRunToNan = NAN_STEP + 5,
    withNan = true,
  } = made
  const { losses = LOSSES, lossesToNan = LOSSES_TO_NAN } = made
  const trace = new HandMadeTrace('clean')
  const submissions: number[] = []
  const encodedNs: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    run({ step, atMs: step * 10, trace, submissions })
    encodedNs.push((step * 10 + 1) * 1e6)
  }
  const clean: ProgramRun = programRun({
    facts: FACTS,
    output: losses,
    found: { stepsRun, hostRuns, encodedNs },
  })
  const nan: ProgramRun = programRun({
    name: 'nan',
    facts: { ...FACTS, nanStep: NAN_STEP },
    output: lossesToNan,
    found: { stepsRun: stepsRunToNan, hostRuns, encodedNs: [] },
  })
  return programReport(withNan ? [clean, nan] : [clean], { trace: trace.trace, ...made.report })
}

function found(id: string, made: Made = {}): readonly [Check['outcome'] | undefined, string | undefined] {
  const checks = rules.checks(evidenceBeside(reportOf(made), 'clean'))
  expect(checks.map((each) => each.id)).toEqual(['output', 'work', 'host', 'stops', 'ahead', 'time'])
  const check = checks.find((each) => each.id === id)
  return [check?.outcome, check?.text]
}

it('has a loss that is not a number neither among the first nor among the last', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    expect(nanStepOf(seed)).toBeGreaterThanOrEqual(16)
    expect(nanStepOf(seed)).toBeLessThan(STEPS - 8)
  }
  expect(positionsOf(N, 3).every((word) => word >= 0 && word < N * N)).toBe(true)
})

describe('output', () => {
  it('is right with all losses', () => {
    expect(found('output')).toEqual([
      'yes',
      'All losses are right, up to the end or to the one that is not a number, in 2 runs with fresh numbers.',
    ])
    // A step or two may follow before the program knows.
    expect(found('output', { lossesToNan: [...LOSSES_TO_NAN, 1, 2] })[0]).toBe('yes')
  })

  it('is no list, too short or too long', () => {
    expect(found('output', { losses: 7 })).toEqual(['no', 'Your program must return the list of losses.'])
    expect(found('output', { losses: LOSSES.slice(1) })).toEqual([
      'no',
      'Your program returned 63 losses; there are 64.',
    ])
    expect(found('output', { losses: [...LOSSES, 1] })).toEqual([
      'no',
      'Your program returned 65 losses of 64 steps.',
    ])
    expect(found('output', { lossesToNan: LOSSES.slice(0, 3) })).toEqual([
      'no',
      'Your program returned 3 losses; 20 came before the one that is not a number.',
    ])
  })

  it.each([
    ['another number', LOSSES.with(5, (LOSSES[5] ?? 0) + 1)],
    ['not a number', LOSSES.with(5, Number.NaN)],
    ['the loss of the step before', LOSSES.with(5, LOSSES[4] ?? 0)],
  ])('is wrong where a loss is %s', (_, losses) => {
    const [outcome, text] = found('output', { losses })
    expect(outcome).toBe('no')
    expect(text).toMatch(/^The loss of step 5 is \S+ \(± \S+\); your program returned .+\.$/)
  })

  it('is wrong where a loss is no number at all', () => {
    const losses: unknown[] = [...LOSSES]
    losses[5] = '1'
    expect(found('output', { losses })[1]).toContain('your program returned no number.')
  })

  it('must say which loss is not a number', () => {
    expect(found('output', { lossesToNan: LOSSES.slice(0, NAN_STEP + 1) })).toEqual([
      'no',
      'The loss of step 20 is not a number; your program did not report it so.',
    ])
  })
})

describe('work', () => {
  it('is each step once, or a tenth more', () => {
    expect(found('work')).toEqual(['yes', 'The GPU ran 64 training steps, as asked.'])
    expect(found('work', { stepsRun: 70 })[0]).toBe('yes')
    for (const stepsRun of [63, 71, 128])
      expect(found('work', { stepsRun })).toEqual([
        'no',
        `The GPU ran ${String(stepsRun)} training steps; 64 are asked for.`,
      ])
  })
})

it('asks for the host’s own work in every step', () => {
  expect(found('host')[0]).toBe('yes')
  expect(found('host', { hostRuns: 1 })).toEqual([
    'no',
    'The host did its own work 1 times; 64 are asked for.',
  ])
})

describe('stops', () => {
  it('at most eight steps after the loss that is not a number', () => {
    expect(found('stops')).toEqual([
      'yes',
      'The loss of step 20 was not a number, and 4 more steps ran after it.',
    ])
    expect(found('stops', { stepsRunToNan: NAN_STEP + 2 })[1]).toBe(
      'The loss of step 20 was not a number, and 1 more step ran after it.',
    )
    expect(found('stops', { stepsRunToNan: NAN_STEP + 9 })[0]).toBe('yes')
    expect(found('stops', { stepsRunToNan: NAN_STEP + 10 })).toEqual([
      'no',
      'The loss of step 20 was not a number, and 9 more steps ran after it; 8 are allowed.',
    ])
  })

  it('cannot be determined where no run had one', () => {
    expect(found('stops', { withNan: false })).toEqual([
      'cannot-tell',
      'No run had a loss that is not a number.',
    ])
  })
})

describe('ahead', () => {
  it('is a program whose waits leave the GPU something to do', () => {
    expect(found('ahead')).toEqual([
      'yes',
      '63 of 63 times a step was submitted while the GPU still had the one before it.',
    ])
    expect(found('ahead', { step: neverWaiting })).toEqual([
      'yes',
      '63 of 63 times a step was submitted while the GPU still had the one before it.',
    ])
  })

  it('is not one that waits for the newest step', () => {
    expect(found('ahead', { step: dry })).toEqual([
      'no',
      '63 of 63 times a step was submitted when your program had waited for all before it: the GPU had nothing to do meanwhile.',
    ])
    const everyEighth = (each: Step) => {
      if (each.step % 8 === 7) dry(each)
      else behind({ ...each, step: 0 })
    }
    expect(found('ahead', { step: everyEighth })[0]).toBe('no')
  })

  it('is not one that learns of each step without waiting', () => {
    expect(found('ahead', { step: polling })).toEqual([
      'no',
      '63 of 63 times a step was submitted when all before it had been reported complete: the GPU had nothing to do meanwhile.',
    ])
  })

  it('lets some submissions be late, as a busy machine makes them', () => {
    const sometimes = (each: Step) => {
      if (each.step % 8 === 0) polling(each)
      else behind({ ...each, step: 0 })
    }
    expect(found('ahead', { step: sometimes })[0]).toBe('yes')
  })

  it('is one with a reader beside the trainer, which waits for the newest step while the next is submitted', () => {
    const beside = ({ step, atMs, trace, submissions }: Step): void => {
      submissions.push(trace.submit(0, atMs + 2, atMs + 13))
      trace.wait(0, 'wait-map', atMs + 3, atMs + 13, submissions[step] ?? -1)
    }
    expect(found('ahead', { step: beside })[0]).toBe('yes')
  })

  it('cannot be determined where nothing was recorded', () => {
    expect(found('ahead', { report: { trace: null } })).toEqual(['cannot-tell', 'Nothing was recorded.'])
  })
})

it('times the clean runs', () => {
  expect(found('time')).toEqual([
    'yes',
    'The unchanged program took 200 ms, the lab’s own mend 100 ms; yours took 100 ms.',
  ])
})
