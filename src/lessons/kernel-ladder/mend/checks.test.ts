import { describe, expect, it } from 'vitest'
import { fillValue } from '../../../gpu/kernels/data/fill'
import { evidenceWith, programReport, programRun } from '../../../exercises/testing/evidence'
import type { Check, Evidence, ProgramReport, ProgramRun } from '../../../exercises/types'
import { TraceBuilder } from '../../../trace/builder'
import type { Trace } from '../../../trace/schema'
import { testInfo } from '../../../trace/testing/arbitrary-trace'
import { sampleReport } from '../../../trace/testing/sample-report'
import { firstRung, rules } from './checks'
import {
  BLOCK,
  GUARD_WORDS,
  NO_TILES,
  NOT_WRITTEN,
  PRODUCT_PASS,
  sampledPositions,
  smallSize,
} from './product'

const [SMALL, LARGE] = [20, 48]
const SEEDS = { seedA: 5, seedB: 6 }
type Entry = (row: number, column: number) => number

const productOf =
  (n: number): Entry =>
  (row, column) => {
    let sum = 0
    for (let k = 0; k < n; k += 1)
      sum += fillValue(row * n + k, SEEDS.seedA) * fillValue(k * n + column, SEEDS.seedB)
    return Math.fround(sum)
  }

/** The words of C, and of what lies behind it. */
function smallRun(
  entry: Entry = productOf(SMALL),
  alter: (words: Uint32Array) => void = () => undefined,
): ProgramRun {
  const words = new Uint32Array(SMALL * SMALL + GUARD_WORDS).fill(NOT_WRITTEN)
  const floats = new Float32Array(words.buffer)
  for (let at = 0; at < SMALL * SMALL; at += 1) floats[at] = entry(Math.floor(at / SMALL), at % SMALL)
  alter(words)
  return programRun({ name: 'small', facts: { n: SMALL, ...SEEDS, barriers: NO_TILES }, found: { words } })
}

interface Large {
  readonly entry?: Entry
  readonly found?: ProgramRun['found']
}
function largeRun(repeat: number, { entry = productOf(LARGE), found = {} }: Large = {}): ProgramRun {
  const entries = sampledPositions(LARGE, 9).map(([row, column]) => entry(row, column))
  const times = { onceMs: 5, manyMs: 15, many: 6, reached: LARGE, reachedMs: 2 }
  return programRun({
    name: 'large',
    repeat,
    facts: { n: LARGE, ...SEEDS, seedSamples: 9, barriers: NO_TILES },
    found: { ...times, entries, ...found },
  })
}

/** Passes of each run of 'large' on a device's lane, ms. */
function traceOf(passes: readonly (readonly number[])[]): Trace {
  const builder = new TraceBuilder(testInfo, { originMs: 0, stepNs: 5000 })
  const clock = builder.addClock({ kind: 'device', name: 'device', originMs: 0, originTick: '0', stepNs: 1 })
  const lane = builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
  let at = 0
  for (const [repeat, lengths] of passes.entries())
    for (const [index, ms] of [...lengths, 50].entries()) {
      // The last is a fill of the lab's own.
      const name = index < lengths.length ? PRODUCT_PASS : 'fill'
      const span = { kind: 'compute', role: 'pass', variant: 'large', repeat, name, lane } as const
      builder.addSpan({ ...span, start: at, end: at + ms * 1e6 })
      at += ms * 1e6
    }
  return builder.freeze()
}

const timed = (ms: number): ProgramReport =>
  programReport([largeRun(-2), smallRun(), largeRun(0), largeRun(1)], {
    trace: traceOf([
      [ms * 3, ms, ms],
      [ms * 1.1, ms * 1.1],
    ]),
  })
const [START, REFERENCE] = [timed(12), timed(4)]

/** The same of a kernel with workgroup memory and so many barriers. */
const withBarriers = (report: ProgramReport, barriers: number): ProgramReport => ({
  ...report,
  runs: report.runs.map((run) => ({ ...run, facts: { ...run.facts, barriers } })),
})

function judge(
  yours: ProgramReport,
  more: Partial<Evidence> = {},
  { checks: ask } = rules,
): Readonly<Record<string, Check>> {
  const environment = { ...sampleReport.environment, matmulGflops: 1 }
  const evidence = { ...evidenceWith({ yours, start: START, reference: REFERENCE }), environment, ...more }
  const checks = ask(evidence)
  expect(checks.map(({ id }) => id)).toEqual(['output', 'edges', 'work', 'time'])
  return Object.fromEntries(checks.map((each) => [each.id, each]))
}

it('the lab’s own passes', () => {
  const { output, edges, work, time } = judge(REFERENCE)
  expect([output, edges, work, time].map((each) => each?.outcome)).toEqual(['yes', 'yes', 'yes', 'yes'])
  expect(output?.text).toBe('The products of 20 × 20 and 48 × 48 are right, each of fresh matrices.')
  expect(edges?.text).toBe('Your kernel wrote nothing behind the end of C.')
  expect(work?.text).toBe(
    'Your kernel did the work of a product at 0.0553 GFLOP/s; the lab’s usual kernel does 1.00 GFLOP/s here.',
  )
  expect(time?.text).toBe('The unchanged kernel took 12.0 ms, the lab’s own mend 4.0 ms; yours took 4.0 ms.')
  expect(rules.figure.of(REFERENCE)).toBeCloseTo(0.0553, 4)
})

describe('output', () => {
  const wrong: readonly (readonly [string, Entry])[] = [
    ['no number', () => Number.NaN],
    ['0.00000', () => 0],
    ['1.00000', () => 1],
  ]
  it.each(wrong)('is wrong with %s, in words with the first entry', (words, entry) => {
    const { output } = judge(programReport([smallRun(entry), largeRun(0)]))
    expect(output?.outcome).toBe('no')
    expect(output?.text).toMatch(
      /^Entry \(0, 0\) of the product of 20 × 20 is -?[\d.]+ \(± [\d.e-]+\); your kernel wrote /,
    )
    expect(output?.text).toContain(`your kernel wrote ${words}.`)
  })
  it('is wrong where an entry was not written', () => {
    const untouched = smallRun(productOf(SMALL), (words) => {
      words[45] = NOT_WRITTEN
    })
    expect(judge(programReport([untouched, largeRun(0)]))['output']).toEqual({
      id: 'output',
      outcome: 'no',
      text: 'Your kernel did not write entry (2, 5) of the product of 20 × 20.',
    })
  })
  it('is wrong where only the large product is', () => {
    const half: Entry = (row, column) => (row < LARGE / 2 ? productOf(LARGE)(row, column) : 0)
    const { output } = judge(programReport([smallRun(), largeRun(0), largeRun(1, { entry: half })]))
    expect(output?.outcome).toBe('no')
    expect(output?.text).toContain('of the product of 48 × 48')
  })
  it.each([
    [0, 'no barrier: an invocation may read what another one has not stored yet.'],
    [1, 'one when they are complete, and one when all have read them.'],
    [2, 'So the last tiles do not hold 0 where they reach beyond the matrix.'],
  ])('says what a kernel with tiles and %i barriers lacks', (barriers, words) => {
    const { output } = judge(withBarriers(programReport([smallRun(() => 0), largeRun(0)]), barriers))
    expect(output?.text).toMatch(/^Entry \(0, 0\) of the product of 20 × 20 /)
    expect(output?.text.endsWith(words)).toBe(true)
  })
  it('speaks of the edge only where the other product is right', () => {
    const both = programReport([smallRun(() => 0), largeRun(0, { entry: () => 0 })])
    expect(judge(withBarriers(both, 2))['output']?.text).toContain(
      'Compare the entry that an invocation stores in a tile with those that it reads there.',
    )
    expect(judge(both)['output']?.text).toMatch(/your kernel wrote 0\.00000\.$/)
  })
  it('is about the small product alone where the large one was not run', () => {
    const found = { reached: 32, entries: [] }
    const { output } = judge(programReport([largeRun(-2, { found }), smallRun(), largeRun(0, { found })]))
    expect(output?.text).toBe('The product of 20 × 20 is right, of fresh matrices.')
  })
})

describe('edges', () => {
  it.each([
    [1, 'a word'],
    [3, '3 words'],
  ])('%i words behind C are found', (count, words) => {
    const run = smallRun(productOf(SMALL), (all) => all.fill(0, SMALL * SMALL, SMALL * SMALL + count))
    expect(judge(programReport([run, largeRun(0)]))['edges']).toEqual({
      id: 'edges',
      outcome: 'no',
      text: `With matrices of 20 × 20 your kernel wrote ${words} behind the end of C: some invocations stand outside the matrix.`,
    })
  })
  it('are met at another place in each grading, never at the end of a workgroup', () => {
    const sizes = Array.from({ length: 200 }, (_, seed) => smallSize(seed))
    expect(sizes.every((n) => n % BLOCK !== 0 && n > 4 * BLOCK && n < 5 * BLOCK)).toBe(true)
    expect(new Set(sizes).size).toBe(BLOCK - 1)
    // The furthest word that an invocation outside C could mean.
    for (const n of sizes) expect((5 * BLOCK - 1) * (n + 1)).toBeLessThan(n * n + GUARD_WORDS)
  })
})

describe('work', () => {
  it('takes time: far beyond the lab’s own rate it was not done', () => {
    const { work } = judge(timed(1e-3))
    expect(work).toEqual({
      id: 'work',
      outcome: 'no',
      text: 'Your kernel did the work of a product at 221 GFLOP/s; the lab’s usual kernel does 1.00 GFLOP/s here. So it cannot have done all of it.',
    })
  })
  it('is measured with room for a software adapter that was busy', () => {
    const environment = { ...sampleReport.environment, matmulGflops: 1e-3 }
    // 8 times the unchanged kernel's rate.
    const fast = timed(1.5)
    expect(judge(fast, { environment })['work']?.outcome).toBe('no')
    expect(judge({ ...fast, isSoftware: true }, { environment })['work']?.outcome).toBe('yes')
  })
  it('cannot be determined where nothing was measured', () => {
    const environment = { ...sampleReport.environment, matmulGflops: null }
    expect(judge(REFERENCE, { environment })['work']).toEqual({
      id: 'work',
      outcome: 'cannot-tell',
      text: 'How fast your kernel worked was not measured.',
    })
    expect(rules.figure.of(programReport([smallRun()]))).toBeNull()
  })
  it('is named in TFLOP/s where it is fast', () => {
    const environment = { ...sampleReport.environment, matmulGflops: 30_147 }
    expect(judge(REFERENCE, { environment })['work']?.text).toContain('does 30.1 TFLOP/s here')
  })
})

describe('time', () => {
  it('is not what the unchanged kernel takes', () => {
    const text =
      'The unchanged kernel took 12.0 ms, the lab’s own mend 4.0 ms; yours took 12.0 ms. Halfway is 8.0 ms.'
    expect(judge(START, {}, firstRung)['time']).toEqual({ id: 'time', outcome: 'no', text })
    expect(judge(START)['time']).toEqual({
      id: 'time',
      outcome: 'no',
      text: `${text} It has no workgroup memory: each invocation still reads all of its row and its column from global memory.`,
    })
    expect(judge(withBarriers(START, 2))['time']?.text).toBe(
      `${text} It has workgroup memory. Does each invocation store one entry of each tile, and does the inner loop read the tiles alone?`,
    )
  })
  it('cannot be determined where start and reference take as long, or one was not run', () => {
    const { time } = judge(REFERENCE, { start: timed(4.2) })
    expect(time?.outcome).toBe('cannot-tell')
    expect(time?.text).toContain('On this machine the first two cannot be distinguished by time.')
    expect(judge(REFERENCE, { reference: null })['time']).toEqual({
      id: 'time',
      outcome: 'cannot-tell',
      text: 'Your kernel was not timed: the kernels beside it did not run to their ends.',
    })
  })
  it('is the slope of two submissions where there are no timestamps', () => {
    const withoutStamps = (manyMs: number) =>
      programReport([
        largeRun(-2),
        smallRun(),
        largeRun(0, { found: { manyMs } }),
        largeRun(1, { found: { manyMs: 4 } }), // shorter than one: says nothing
      ])
    const { time } = judge(withoutStamps(25), { start: withoutStamps(65), reference: withoutStamps(20) })
    expect(time).toEqual({
      id: 'time',
      outcome: 'yes',
      text: 'The unchanged kernel took 12.0 ms, the lab’s own mend 3.0 ms; yours took 4.0 ms.',
    })
  })
  it('cannot be determined on the CPU, but for a kernel that is far slower', () => {
    const onCpu = (report: ProgramReport) => ({ ...report, isSoftware: true })
    expect(judge(onCpu(REFERENCE))['time']).toEqual({
      id: 'time',
      outcome: 'cannot-tell',
      text: 'This adapter computes on the CPU, where workgroup memory is memory like any other, and caches serve both kernels. Only a GPU can show the difference.',
    })
    expect(judge(onCpu(REFERENCE), {}, firstRung)['time']?.text).toBe(
      'This adapter computes on the CPU, whose caches serve both orders about as fast. Only a GPU can show the difference.',
    )
    expect(judge(onCpu(timed(100)))['time']?.outcome).toBe('cannot-tell')
    expect(judge(onCpu(timed(130)))['time']).toEqual({
      id: 'time',
      outcome: 'no',
      text: 'Your kernel took 130 ms, the unchanged kernel 12.0 ms.',
    })
  })
  it('is too long where the product was not run at its full size', () => {
    const found = { reached: 24, reachedMs: 300 }
    expect(
      judge(programReport([largeRun(-2, { found }), smallRun(), largeRun(0, { found })]))['time'],
    ).toEqual({
      id: 'time',
      outcome: 'no',
      text: 'Your kernel took 300 ms for a product of 24 × 24: too long to run it with 48 × 48. Look for a loop that does not end.',
    })
  })
})
