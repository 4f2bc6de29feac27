/** Checks which losses are right, when a program must have stopped, and how late it may be. */
import { describe, expect, it } from 'vitest'
import { evidenceBeside, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport, ProgramRun } from '../../../exercises/types'
import { rules, STEPS } from './checks'

const NAN_STEP = 20
const LOSSES = Array.from({ length: STEPS }, (_, step) => 3 * (step + 1))
/** A program that stops at once gets so far. */
const LOSSES_TO_NAN = [...LOSSES.slice(0, NAN_STEP), Number.NaN]

/** A program's acts in a step, 10 ms each. */
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
const polling = ({ atMs, trace, submissions }: Step) => submissions.push(trace.submit(0, atMs + 2, atMs + 8))

interface Made {
  readonly step?: (step: Step) => void
  readonly losses?: unknown
  readonly lossesToNan?: unknown
  readonly stepsRunToNan?: number
  readonly withNan?: boolean
}

function reportOf(made: Made): ProgramReport {
  const { step: run = behind, stepsRunToNan = NAN_STEP + 5, withNan = true } = made
  const { losses = LOSSES, lossesToNan = LOSSES_TO_NAN } = made
  const trace = new HandMadeTrace('clean')
  const submissions: number[] = []
  const encodedNs: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    run({ step, atMs: step * 10, trace, submissions })
    encodedNs.push((step * 10 + 1) * 1e6)
  }
  const clean: ProgramRun = programRun({
    output: losses,
    found: { stepsRun: STEPS, hostRuns: STEPS, encodedNs, nanStep: -1 },
  })
  const nan: ProgramRun = programRun({
    name: 'nan',
    output: lossesToNan,
    found: { stepsRun: stepsRunToNan, hostRuns: STEPS, encodedNs: [], nanStep: NAN_STEP },
  })
  return programReport(withNan ? [clean, nan] : [clean], { trace: trace.trace })
}

const found = (id: string, made: Made = {}) =>
  said(rules, id, { ...evidenceBeside(reportOf(made), 'clean'), reference: reportOf({}) })

describe('output', () => {
  it('is right with all losses', () => {
    expect(found('output')).toEqual([
      'yes',
      'All losses are right, up to the end or to the one that is not a number, in 2 runs.',
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
    expect(text).toMatch(/^The loss of step 5 is \S+; your program returned .+\.$/)
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
})
