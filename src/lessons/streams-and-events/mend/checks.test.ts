/** Every branch of every check of this mend, on evidence made by hand. */
import { describe, expect, it } from 'vitest'
import { fillValue } from '../../../gpu/kernels/data/fill'
import { referenceEntry } from '../../../gpu/kernels/matmul/reference'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport, ProgramRun } from '../../../exercises/types'
import { rules } from './checks'

const [N, TIMES, SEED_A, SEED_B, WIDTH] = [8, 2, 5, 6, 4]
const ROWS = [3, 0, 6]
const MS = 1e6
const word = (row: number, column: number): number =>
  TIMES *
  referenceEntry(
    row,
    column,
    N,
    (i, k) => fillValue(i * N + k, SEED_A),
    (k, j) => fillValue(k * N + j, SEED_B),
  ).value
const RIGHT = ROWS.flatMap((row) => Array.from({ length: WIDTH }, (_, column) => word(row, column)))

interface Made {
  readonly steps?: readonly number[]
  readonly words?: readonly number[]
  /** When each was handed over, ms. */
  readonly handed?: readonly number[]
  /** When each product was submitted and reported, ms. */
  readonly submits?: readonly (readonly [startMs: number, completedMs: number | null])[]
  readonly encoded?: readonly number[]
  /** [start, end, of which submission] */
  readonly waits?: readonly (readonly [startMs: number, endMs: number, submission: number])[]
  readonly ms?: number
  readonly report?: Partial<ProgramReport>
}
/** As the reference: three products of 30 ms, submitted at once, each awaited by itself. */
function runOf(
  trace: HandMadeTrace,
  repeat: number,
  {
    steps = [0, 1, 2],
    words = RIGHT,
    handed = [31, 61, 91],
    submits = [
      [1, 31],
      [2, 61],
      [3, 91],
    ],
    encoded = [TIMES, TIMES, TIMES],
    waits = [
      [4, 31, 0],
      [32, 61, 1],
      [62, 91, 2],
    ],
    ms = 92,
  }: Made,
): ProgramRun {
  for (const [startMs, completedMs] of submits) trace.submit(repeat, startMs, completedMs)
  for (const [startMs, endMs, submission] of waits) trace.wait(repeat, 'wait-map', startMs, endMs, submission)
  return programRun({
    name: 'results',
    repeat,
    ms,
    facts: { n: N, times: TIMES, seedA: SEED_A, seedB: SEED_B, rows: ROWS },
    found: {
      encodedNs: submits.slice(0, encoded.length).map(([startMs]) => (startMs - 0.5) * MS),
      encodedTimes: encoded,
      handedSteps: steps,
      handedNs: handed.map((at) => at * MS),
      words: Float32Array.from(words),
    },
  })
}
function reportOf(...made: readonly Made[]): ProgramReport {
  const trace = new HandMadeTrace('results')
  const runs = (made.length > 0 ? made : [{}]).map((each, repeat) => runOf(trace, repeat, each))
  return programReport(runs, { trace: trace.trace, ...made[0]?.report })
}
function found(id: string, made: Made = {}, reference: ProgramReport | null = reportOf()) {
  return said(rules, id, evidenceWith({ yours: reportOf(made), reference }))
}
const ALL_AT_THE_END = { handed: [91, 91.1, 91.2], waits: [[4, 90.9, 2]] } as const

it('all is well with the lab’s own', () => {
  for (const { id } of rules.checks(evidenceWith({ yours: reportOf(), reference: reportOf() })))
    expect(found(id)[0], id).toBe('yes')
  expect(rules.figure.of(reportOf())).toBe(31)
  expect(rules.figure.of(programReport([]))).toBeNull()
})

describe('output', () => {
  it('names what was not handed over, or more than once', () => {
    const [steps, words] = [
      [0, 2],
      [...RIGHT.slice(0, WIDTH), ...RIGHT.slice(2 * WIDTH)],
    ]
    expect(found('output', { steps, words })).toEqual(['no', 'Result 1 was handed over not at all.'])
    expect(found('output', { steps: [0, 1, 2, 1], words: [...RIGHT, ...RIGHT.slice(0, WIDTH)] })).toEqual([
      'no',
      'Result 1 was handed over 2 times.',
    ])
    expect(found('output', { steps: [], words: [], handed: [] })[0]).toBe('no')
  })
  it('names the first number that is wrong; what is no number is wrong', () => {
    for (const wrong of [0.5, Number.NaN])
      expect(found('output', { words: RIGHT.with(5, wrong) })).toEqual([
        'no',
        expect.stringMatching(/^Number 1 of result 1 is /),
      ])
    // Handed over in another order is fine, under another number is not.
    const turned = [...RIGHT.slice(WIDTH), ...RIGHT.slice(0, WIDTH)]
    expect(found('output', { steps: [1, 2, 0], words: turned })[0]).toBe('yes')
    expect(found('output', { words: turned })[0]).toBe('no')
  })
})

describe('early', () => {
  it('is the first hand-over before the last product is reported', () => {
    expect(found('early', ALL_AT_THE_END)).toEqual([
      'no',
      'In 0 of 1 runs the first result was handed over before the last product was reported done.',
    ])
    expect(found('early', { handed: [] })[0]).toBe('no')
    expect(found('early', { submits: [[1, 91]], handed: [50, 51, 52] })[0]).toBe('no')
    expect(found('early', { report: { trace: null } })[0]).toBe('cannot-tell')
  })
  it('names the wait for the last product, not what ended with it, nor an earlier one', () => {
    const early = (
      ...calls: readonly (readonly [role: 'wait-map' | 'wait-done', submission: number, line: number])[]
    ) => {
      const trace = new HandMadeTrace('results')
      const run = runOf(trace, 0, { ...ALL_AT_THE_END, waits: [] })
      for (const [role, submission, line] of calls) trace.wait(0, role, 4, 90.9, submission, line)
      const yours = programReport([run], { trace: trace.trace })
      return rules.checks(evidenceWith({ yours, reference: reportOf() })).find(({ id }) => id === 'early')
        ?.text
    }
    expect(early(['wait-map', 2, 11], ['wait-done', 2, 15])).toContain(
      'reported done. Your program had waited for the last product (line 15).',
    )
    expect(early(['wait-map', 0, 11], ['wait-map', 2, 12])).toContain('(line 12)')
    expect(early(['wait-map', 0, 11])).toMatch(/reported done\.$/)
  })
  it('is not held against a program where reports come so seldom that the lab’s own does no better', () => {
    expect(found('early', ALL_AT_THE_END, reportOf(ALL_AT_THE_END))).toEqual([
      'cannot-tell',
      expect.stringContaining('reports come too seldom'),
    ])
    expect(found('early', ALL_AT_THE_END, null)[0]).toBe('no')
  })
  it('is decided by most runs, since a busy browser reports completions together now and then', () => {
    const outcome = (late: number, lateReference: number) => {
      const runs = (count: number) => reportOf(...[0, 1, 2].map((at) => (at < count ? ALL_AT_THE_END : {})))
      const checks = rules.checks(evidenceWith({ yours: runs(late), reference: runs(lateReference) }))
      return checks.find(({ id }) => id === 'early')?.outcome
    }
    expect([0, 1, 2, 3].map((late) => outcome(late, 0))).toEqual(['yes', 'yes', 'no', 'no'])
    expect(outcome(2, 1)).toBe('no')
    expect(outcome(2, 2)).toBe('cannot-tell')
  })
  it('an empty submission behind the products does not count as the last', () => {
    const submits = [[1, 31], [2, 61], [3, 91], [92, 99]] as const // oxfmt-ignore
    expect(found('early', { ...ALL_AT_THE_END, handed: [93, 94, 95], submits })[0]).toBe('no')
  })
})

it('takes at most half as long again, which a processor that plays the GPU does not decide', () => {
  expect(found('time', { ms: 130 })[0]).toBe('yes')
  expect(found('time', { ms: 150 })).toEqual(['no', expect.stringContaining('At most 138 ms')])
  expect(found('time', { ms: 150, report: { isSoftware: true } })[0]).toBe('cannot-tell')
  expect(found('time', {}, null)[0]).toBe('cannot-tell')
})
