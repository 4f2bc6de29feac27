/**
 * The combinators that exercises put their checks together from, each once; an exercise's own tests
 * are about what it adds.
 */
import { describe, expect, it } from 'vitest'
import { goesOn, rulesFor, times, firstWrong, firstWrongPart, roundingOf, type Ask } from './rules'
import type { Found, ProgramReport } from './types'
import { queueAhead } from './queue-ahead'
import { evidenceBeside, programReport, programRun } from './testing/evidence'
import { HandMadeTrace } from './testing/hand-made-trace'
import { submissionsOf } from './trace-of-run'

const NAME = 'clean'
type Work = { count: number }
const { outputIs, ranExactly, uploadedBytes, everyTrace, atMost, halfTheTime, took } = rulesFor<Work>(NAME)

const answer = (ask: Ask, report: ProgramReport) => {
  const { outcome, text } = ask(evidenceBeside(report, NAME))
  return [outcome, text]
}
const counting = (...counts: readonly number[]) =>
  programReport(counts.map((count, repeat) => programRun({ repeat, found: { count } })))
const UNTRACED = ['cannot-tell', 'Nothing was recorded.']

it('outputIs: the first run that is not as the lab’s own decides', () => {
  const ask = outputIs(
    ({ found }, labs) => (found.count === labs.found.count ? null : 'It is wrong.'),
    'All is right',
  )
  const beside = (reference: ProgramReport | null) => {
    const { outcome, text } = ask({ ...evidenceBeside(counting(1, 3), NAME), reference })
    return [outcome, text]
  }
  expect(beside(counting(1, 3))).toEqual(['yes', 'All is right, in 2 runs.'])
  expect(beside(counting(1, 2))).toEqual(['no', 'It is wrong.'])
  for (const none of [null, counting(1)])
    expect(beside(none)).toEqual(['cannot-tell', 'The lab’s own program did not run to its end.'])
})

it.each([
  [[1, 2, 3], [1, 2, 3], 0, -1],
  [[1, 2.05, 3], [1, 2, 3], 0.1, -1],
  [[1, 2.2, 3], [1, 2, 3], 0.1, 1],
  [[1, Number.NaN], [1, 2], 1, 1],
  [[1, '2'], [1, 2], 1, 1],
  [[1], [1, 2], 1, 1],
  [[Number.NaN], [Number.NaN], 0, -1],
])('firstWrong(%j, %j, %d) is %d', (got, expected, allowed, at) =>
  expect(firstWrong(got, expected, allowed)).toBe(at),
)

it('firstWrongPart: how many words of the first wrong part are not its own', () => {
  expect(firstWrongPart([1, 2, 3, 4], [1, 2, 3, 4], 2)).toBeNull()
  expect(firstWrongPart([1, 2, 0, 0], [1, 2, 3, 4], 2)).toEqual({ part: 1, wrong: 2, of: 2 })
  expect(firstWrongPart([], [1, 2, 3, 4], 2)).toEqual({ part: 0, wrong: 2, of: 2 })
})

it('roundingOf: by the size of the numbers, whatever is none among them', () => {
  expect(roundingOf([3, -4, Number.NaN, 5, 0])).toBeCloseTo(1e-3 * Math.sqrt(50 / 4), 9)
  expect(roundingOf([])).toBe(0)
})

it('ranExactly: as often as asked for, or a tenth more', () => {
  const ask = ranExactly('count', 64, ['The GPU ran', 'steps'])
  expect(answer(ask, counting(64))).toEqual(['yes', 'The GPU ran 64 steps, as asked.'])
  expect(answer(ask, counting(70))[0]).toBe('yes')
  for (const count of [0, 63, 71, 128])
    expect(answer(ask, counting(count))).toEqual([
      'no',
      `The GPU ran ${String(count)} steps; 64 are asked for.`,
    ])
})

describe('uploadedBytes', () => {
  const ask = uploadedBytes(() => 48 * 1024)
  const sending = (...bytes: readonly number[]) => {
    const trace = new HandMadeTrace(NAME)
    for (const [at, each] of bytes.entries())
      trace.carry(0, at % 2 === 0 ? 'write' : 'fill', at, at + 0.1, each)
    return programReport([programRun({})], { trace: trace.trace })
  }
  it('went up once, or a tenth more', () => {
    expect(answer(ask, sending(32 * 1024, 16 * 1024))).toEqual([
      'yes',
      'Each run wrote 48 KiB for the GPU, as asked.',
    ])
    expect(answer(ask, sending(48 * 1024, 1024))[0]).toBe('yes')
    expect(answer(ask, sending(48 * 1024, 48 * 1024))).toEqual([
      'no',
      'Your program wrote 96 KiB for the GPU; 48 KiB are asked for.',
    ])
    expect(answer(ask, sending(16 * 1024))[0]).toBe('no')
  })
  it('cannot be told without a trace, as nothing of it can', () => {
    const asks = [ask, everyTrace(() => null, () => ''), atMost(1, () => 0, String), AHEAD] // oxfmt-ignore
    for (const each of asks) expect(answer(each, counting(1))).toEqual(UNTRACED)
  })
})

it('atMost: in the run with most of it, with the lines of the calls', () => {
  const ask = atMost(
    1,
    (trace, run) => submissionsOf(trace, run).length,
    (count) => `Your program called submit() ${times(count)} in a run`,
    () => [{ line: 7 }],
  )
  const submitting = (count: number) => {
    const trace = new HandMadeTrace(NAME)
    for (let at = 0; at < count; at += 1) trace.submit(1, at, at + 1)
    return programReport([programRun({}), programRun({ repeat: 1 })], { trace: trace.trace })
  }
  expect(answer(ask, submitting(1))).toEqual(['yes', 'Your program called submit() once in a run.'])
  expect(answer(ask, submitting(3))).toEqual([
    'no',
    'Your program called submit() 3 times in a run (line 7); at most 1 is allowed.',
  ])
})

it('halfTheTime and took: of whole runs of this name', () => {
  const lasting = (ms: number) => programReport([programRun({ ms }), programRun({ name: 'other', ms: 1 })])
  expect(answer(halfTheTime, lasting(140))[0]).toBe('yes')
  expect(answer(halfTheTime, lasting(180))[0]).toBe('no')
  expect(took('for each', () => 4).of(lasting(12))).toBe(3)
  expect(took('for each').of(programReport([]))).toBeNull()
})

describe('goesOn', () => {
  const ask = goesOn(rulesFor<Found & { waits: readonly number[] }>(NAME).everyRun, 'Both ranks')
  const waiting = (waits: readonly number[], trace: ProgramReport['trace'] = null) =>
    programReport([programRun({ found: { waits } })], { trace })
  it('says who waited for whom, in which call', () => {
    expect(answer(ask, waiting([]))).toEqual(['yes', 'Both ranks ended in every run.'])
    expect(answer(ask, waiting([0, 1, 1, 1, 0, 0]))).toEqual([
      'no',
      'The ranks hang: rank 0 waited in send() to rank 1, and rank 1 waited in recv() from rank 0.',
    ])
  })
  it('names the line of each call that never returned, not of those that did', () => {
    const trace = new HandMadeTrace(NAME)
    trace.message('send', 1, 0, 1, 4)
    trace.message('recv', 0, 0, 1, 5)
    trace.message('send', 1, 1, 501, 8)
    trace.message('send', 0, 1, 501, 11)
    expect(answer(ask, waiting([0, 1, 1, 1, 1, 0], trace.trace))[1]).toBe(
      'The ranks hang: rank 0 waited in send() to rank 1 (line 8), and rank 1 waited in send() to rank 0 (line 11).',
    )
  })
})

const AHEAD = queueAhead<{ encodedNs: readonly number[] }>(NAME, {
  encodedNs: ({ found }) => found.encodedNs,
  most: { dry: 0, lateShare: 0.25 },
  what: 'a step was submitted',
})
describe('supplied', () => {
  /**
   * Eight steps of 10 ms: when each is reported, after its submission, and of which step the host
   * waits for the end before the next.
   */
  const stepping = (reportedMs: number, waitsFor: (step: number) => number | null = () => null) => {
    const trace = new HandMadeTrace(NAME)
    const submissions: number[] = []
    for (let step = 0; step < 8; step += 1) {
      submissions.push(trace.submit(0, 10 * step + 2, 10 * step + 2 + reportedMs))
      const waited = waitsFor(step)
      if (waited !== null) trace.wait(0, 'wait-map', 10 * step + 3, 10 * step + 8, submissions[waited] ?? -1)
    }
    const encodedNs = submissions.map((_, step) => (10 * step + 1) * 1e6)
    return programReport([programRun({ found: { encodedNs } })], { trace: trace.trace })
  }
  it('is a program whose waits leave the GPU something to do', () => {
    const right = ['yes', '7 of 7 times a step was submitted while the GPU still had the one before it.']
    expect(
      answer(
        AHEAD,
        stepping(25, (step) => (step >= 2 ? step - 2 : null)),
      ),
    ).toEqual(right)
    expect(answer(AHEAD, stepping(500))).toEqual(right)
  })
  it('is none that waits for the newest step, or learns of each without waiting', () => {
    expect(
      answer(
        AHEAD,
        stepping(6, (step) => step),
      ),
    ).toEqual([
      'no',
      '7 of 7 times a step was submitted when your program had waited for all before it: the GPU had nothing to do meanwhile.',
    ])
    expect(answer(AHEAD, stepping(6))).toEqual([
      'no',
      '7 of 7 times a step was submitted when all before it had been reported complete: the GPU had nothing to do meanwhile.',
    ])
  })
})
