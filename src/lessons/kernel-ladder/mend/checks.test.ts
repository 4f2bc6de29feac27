/** The checks of a kernel: on the model none of them can be told. */
import { describe, expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { Evidence, ProgramReport, ProgramRun } from '../../../exercises/types'
import { firstRung, NO_TILES, NOT_WRITTEN, placesIn, PRODUCT_PASS, rules, SMALL } from './checks'

const LARGE = 96
const entriesOf = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => 1 + at / count)
const RIGHT = { small: entriesOf(SMALL ** 2), large: entriesOf(placesIn(LARGE).length) }

const runOf = (name: 'small' | 'large', repeat: number, found: ProgramRun['found'] = {}): ProgramRun =>
  programRun({
    name,
    repeat,
    found: {
      n: name === 'small' ? SMALL : LARGE,
      barriers: NO_TILES,
      entries: RIGHT[name],
      behind: [NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN],
      reached: LARGE,
      reachedMs: 2,
      ...found,
    },
  })

/** @param passes of each run of the large product, ms */
function reportOf(
  passes: readonly (readonly number[])[],
  {
    small = {},
    large = {},
  }: { readonly small?: ProgramRun['found']; readonly large?: ProgramRun['found'] } = {},
): ProgramReport {
  const trace = new HandMadeTrace('large')
  for (const [repeat, lengths] of passes.entries()) {
    for (const ms of lengths) trace.pass(repeat, PRODUCT_PASS, ms * 1e6)
    trace.pass(repeat, 'fill', 50e6)
  }
  const runs = [
    runOf('large', -2, large),
    runOf('small', 0, small),
    runOf('large', 0, large),
    runOf('large', 1, large),
  ]
  return programReport(runs, { trace: trace.trace })
}
const timed = (ms: number, more = {}) => reportOf([[ms * 3, ms, ms], [ms * 1.1, ms * 1.1]], more) // oxfmt-ignore
const [START, REFERENCE] = [timed(12), timed(4)]
const found = (id: string, yours: ProgramReport, more: Partial<Evidence> = {}, rung = rules) =>
  said(rung, id, evidenceWith({ yours, start: START, reference: REFERENCE, ...more }))

it('the lab’s own passes', () => {
  expect(found('output', REFERENCE)).toEqual(['yes', 'The products of 71 × 71 and 96 × 96 are right.'])
  expect(found('edges', REFERENCE)[0]).toBe('yes')
  expect(found('time', REFERENCE)).toEqual([
    'yes',
    'At best, the unchanged kernel took 12.0 ms, the lab’s own fix 4.0 ms; yours took 4.0 ms.',
  ])
  expect(rules.figure.of(REFERENCE)).toBeCloseTo((2 * LARGE ** 3) / 4e6, 4)
})

describe('output', () => {
  it.each([
    [
      { small: { entries: RIGHT.small.with(73, 0) } },
      /^Entry \(1, 2\) of the product of 71 × 71 is .*; your kernel wrote 0\.00000\.$/,
    ],
    [{ small: { entries: RIGHT.small.with(0, Number.NaN) } }, /your kernel wrote no number\.$/],
    [{ large: { entries: RIGHT.large.with(1, 0) } }, /^Entry \(95, 95\) of the product of 96 × 96 /],
    [
      { small: { entries: new Float32Array(Uint32Array.of(NOT_WRITTEN).buffer) } },
      /^Your kernel did not write entry \(0, 0\)/,
    ],
    [
      { small: { entries: [], barriers: 0 } },
      /no barrier: an invocation may read what another one has not stored yet\.$/,
    ],
    [
      { small: { entries: [], barriers: 1 } },
      /one when they are complete, and one when all have read them\.$/,
    ],
    [{ small: { entries: [], barriers: 2 } }, /Tiles that reach beyond the matrix hold 0 there\.$/],
  ])('names the first wrong entry, and what a kernel with tiles lacks: %#', (made, words) =>
    expect(found('output', timed(4, made))).toEqual(['no', expect.stringMatching(words)]),
  )
  it('is about the small product alone where the large one was not run', () => {
    const large = { reached: 32, entries: [] }
    expect(found('output', timed(4, { large }))[1]).toBe('The product of 71 × 71 is right.')
  })
})

it('edges: words behind C are found', () => {
  expect(found('edges', timed(4, { small: { behind: [0, NOT_WRITTEN, 0] } }))).toEqual([
    'no',
    'With matrices of 71 × 71 your kernel wrote 2 words past the end of C: some invocations lie outside the matrix.',
  ])
})

describe('time', () => {
  it('is not what the unchanged kernel takes', () => {
    const text =
      'At best, the unchanged kernel took 12.0 ms, the lab’s own fix 4.0 ms; yours took 12.0 ms. Halfway is 8.0 ms.'
    expect(found('time', START, {}, firstRung)).toEqual(['no', text])
    expect(found('time', START)[1]).toBe(
      `${text} It has no workgroup memory: each invocation still reads all of its row and its column from global memory.`,
    )
    expect(found('time', timed(12, { small: { barriers: 2 } }))[1]).toBe(
      `${text} It has workgroup memory. Does each invocation store one entry of each tile, and does the inner loop read only the tiles?`,
    )
  })
  it('cannot be determined where start and reference take as long', () =>
    expect(found('time', REFERENCE, { start: timed(4.2) })[0]).toBe('cannot-tell'))
  it('cannot be determined without timestamps', () =>
    expect(found('time', reportOf([]), { start: reportOf([]), reference: reportOf([]) })).toEqual([
      'cannot-tell',
      'This browser gives no device timestamps, so no kernel was timed.',
    ]))
  it('cannot be determined on the CPU, but for a kernel that is far slower', () => {
    const onCpu = (ms: number) => ({ ...timed(ms), isSoftware: true })
    for (const rung of [rules, firstRung])
      expect(found('time', onCpu(100), {}, rung)).toEqual([
        'cannot-tell',
        expect.stringContaining('Only a GPU can show the difference.'),
      ])
    expect(found('time', onCpu(130))).toEqual([
      'no',
      'Your kernel took 130 ms, the unchanged kernel 12.0 ms.',
    ])
  })
  it('is too long where the product was not run at its full size', () => {
    expect(found('time', timed(4, { large: { reached: 24, reachedMs: 300 } }))).toEqual([
      'no',
      'Your kernel took 300 ms for a product of 24 × 24: too long to run it with 96 × 96. Look for a loop that does not end.',
    ])
  })
})
