/** Checks whether the first result was handed over early, and how long all took. */
import { describe, expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport, ProgramRun } from '../../../exercises/types'
import { rules } from './checks'

const MS = 1e6
const SUBMITS = [[1, 31], [2, 61], [3, 91]] as const // oxfmt-ignore

interface Made {
  readonly words?: readonly number[]
  readonly steps?: readonly number[]
  /** The time in ms at which each was handed over. */
  readonly handed?: readonly number[]
  /** The times in ms at which each product was submitted and reported. */
  readonly submits?: readonly (readonly [startMs: number, completedMs: number])[]
  readonly waits?: readonly (readonly [role: 'wait-map' | 'wait-done', submission: number, line: number])[]
  readonly ms?: number
}
/**
 * A run like the reference's: three products of 30 ms, submitted at once, each handed over when it
 * is there.
 */
function runOf(trace: HandMadeTrace, repeat: number, made: Made): ProgramRun {
  const { words = [1, 2, 3, 4, 5, 6], steps = [0, 1, 2], handed = [31, 61, 91] } = made
  const { submits = SUBMITS, waits = [], ms = 92 } = made
  for (const [startMs, completedMs] of submits) trace.submit(repeat, startMs, completedMs)
  for (const [role, submission, line] of waits) trace.wait(repeat, role, 4, 90.9, submission, line)
  const encodedNs = SUBMITS.map(([startMs]) => (startMs - 0.5) * MS)
  const handedNs = handed.map((at) => at * MS)
  const found = { count: 3, products: 3, encodedNs, handedSteps: steps, handedNs, words }
  return programRun({ name: 'results', repeat, ms, found })
}
function reportOf(...made: readonly Made[]): ProgramReport {
  const trace = new HandMadeTrace('results')
  const runs = (made.length > 0 ? made : [{}]).map((each, repeat) => runOf(trace, repeat, each))
  return programReport(runs, { trace: trace.trace })
}
const found = (id: string, yours: ProgramReport, reference: ProgramReport | null = reportOf()) =>
  said(rules, id, evidenceWith({ yours, reference }))
const ALL_AT_THE_END = { handed: [91, 91.1, 91.2] } as const

it('names what was not handed over, or more than once, and the first number that is wrong', () => {
  expect(found('output', reportOf())[0]).toBe('yes')
  expect(found('output', reportOf({ steps: [0, 2] }))[1]).toBe('Result 1 was handed over not at all.')
  expect(found('output', reportOf({ steps: [0, 1, 2, 1] }))[1]).toBe('Result 1 was handed over 2 times.')
  for (const wrong of [0.5, Number.NaN])
    expect(found('output', reportOf({ words: [1, 2, 3, wrong, 5, 6] }))[1]).toMatch(
      /^Number 1 of result 1 is /,
    )
})

describe('early', () => {
  it('is the first hand-over before the last product is reported', () => {
    expect(found('early', reportOf())[0]).toBe('yes')
    expect(found('early', reportOf(ALL_AT_THE_END))).toEqual([
      'no',
      'In 0 of 1 runs the first result was handed over before the last matmul was reported done.',
    ])
    expect(found('early', reportOf({ handed: [] }))[0]).toBe('no')
    expect(found('early', reportOf({ submits: [[1, 91]], handed: [50, 51, 52] }))[0]).toBe('no')
    // An empty submission behind the products does not count as the last.
    expect(found('early', reportOf({ handed: [93, 94, 95], submits: [...SUBMITS, [92, 99]] }))[0]).toBe('no')
  })
  it('names the wait for the last product, not what ended with it, nor an earlier one', () => {
    const waiting = (...waits: NonNullable<Made['waits']>) =>
      found('early', reportOf({ ...ALL_AT_THE_END, waits }))[1]
    expect(waiting(['wait-map', 2, 11], ['wait-done', 2, 15])).toContain('for the last matmul (line 15).')
    expect(waiting(['wait-map', 0, 11], ['wait-map', 2, 12])).toContain('(line 12)')
    expect(waiting(['wait-map', 0, 11])).toMatch(/reported done\.$/)
  })
  it('is decided by most runs, and not where the lab’s own does no better', () => {
    const late = (count: number) => reportOf(...[0, 1, 2].map((at) => (at < count ? ALL_AT_THE_END : {})))
    expect([0, 1, 2, 3].map((count) => found('early', late(count))[0])).toEqual(['yes', 'yes', 'no', 'no'])
    expect(found('early', late(2), late(1))[0]).toBe('no')
    expect(found('early', late(2), late(2))[0]).toBe('cannot-tell')
  })
})

it('takes at most half as long again, which a processor that plays the GPU does not decide', () => {
  expect(found('time', reportOf({ ms: 130 }))[0]).toBe('yes')
  expect(found('time', reportOf({ ms: 150 }))).toEqual(['no', expect.stringContaining('At most 138 ms')])
  expect(found('time', { ...reportOf({ ms: 150 }), isSoftware: true })[0]).toBe('cannot-tell')
  expect(found('time', reportOf(), null)[0]).toBe('cannot-tell')
})
