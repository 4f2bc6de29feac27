/** Every branch of every check of this mend, on evidence made by hand. */
import { expect, it } from 'vitest'
import { bubbleOf, GPIPE } from '../../../experiments/pipeline-bubble/variants'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import type { ProgramReport } from '../../../exercises/types'
import { firstRung, MOST_SLOTS, rules } from './checks'
import { words } from './rung-1.md'
import { COUNT, passNumber, RANKS, SIZE, stepOf, WEIGHTS, WORDS } from './stages'

const SEED = 9
const STEP = stepOf(SEED)
const IDS = ['goes-on', 'output', 'work', 'messages', 'slots', 'kept']

/** Of a rank: as of 1F1B. */
const PASSES = RANKS.map((rank) =>
  Array.from({ length: COUNT + SIZE - 1 - rank }, (_, turn) => [
    ...(turn < COUNT ? [passNumber(turn, false)] : []),
    ...(turn >= SIZE - 1 - rank ? [passNumber(turn - (SIZE - 1 - rank), true)] : []),
  ]).flat(),
)
const sentBy = (way: 'forward' | 'back', rank: number): readonly number[] =>
  STEP[way][rank]?.flatMap((block) => [...block]) ?? []
const GRADIENTS = STEP.gradients.flatMap((own) => [...own])

interface Made {
  readonly passes?: readonly (readonly number[])[]
  readonly forward?: readonly (readonly number[])[]
  readonly back?: readonly (readonly number[])[]
  readonly elsewhere?: readonly number[]
  readonly kept?: readonly number[]
  readonly slots?: number
  readonly gradients?: readonly number[]
  readonly waits?: readonly number[]
}
/** As the reference. */
function reportOf({ passes = PASSES, forward, back, ...others }: Made = {}): ProgramReport {
  const byRank = RANKS.flatMap((rank) => [
    [`passes${String(rank)}`, passes[rank] ?? []] as const,
    [`forward${String(rank)}`, forward?.[rank] ?? sentBy('forward', rank)] as const,
    [`back${String(rank)}`, back?.[rank] ?? sentBy('back', rank)] as const,
  ])
  const found = {
    ...Object.fromEntries(byRank),
    elsewhere: RANKS.map(() => 0),
    kept: [4, 3, 2, 1],
    slots: MOST_SLOTS,
    gradients: GRADIENTS,
    waits: [],
    ...others,
  }
  return programReport([programRun({ name: 'step', facts: { seed: SEED }, found })])
}
function found(id: string, made: Made = {}) {
  return said(rules, id, evidenceWith({ yours: reportOf(made) }))
}

it('all hold for the lab’s own, whose first rank keeps half of the batch', () => {
  for (const id of IDS) expect(found(id)[0], id).toBe('yes')
  expect(found('kept')[1]).toContain('4, 3, 2, 1 micro-batches')
  expect(rules.figure.of(reportOf())).toBe(0.5)
  expect(rules.figure.of(programReport([]))).toBeNull()
})

it('a rank is idle as much as in the lesson’s model of GPipe', () => {
  expect(firstRung.figure.of(reportOf())).toBeCloseTo(bubbleOf(GPIPE, RANKS.map(() => 1), COUNT), 12) // oxfmt-ignore
})

it('output: names the first wrong gradient; nothing, and no number, are wrong', () => {
  const wrong = GRADIENTS.map((value, index) => (index === WEIGHTS + 3 ? value + 1 : value))
  expect(found('output', { gradients: wrong })).toEqual([
    'no',
    expect.stringContaining('The gradient of weight 3 on rank 1'),
  ])
  expect(found('output', { gradients: [] })[0]).toBe('no')
  expect(found('output', { gradients: GRADIENTS.map(() => Number.NaN) })[0]).toBe('no')
})

it('work: each pass once, of each rank', () => {
  const at = (rank: number, change: (own: readonly number[]) => readonly number[]) => ({
    passes: PASSES.map((own, each) => (each === rank ? change(own) : own)),
  })
  const last = passNumber(COUNT - 1, true)
  expect(
    found(
      'work',
      at(2, (own) => own.filter((pass) => pass !== last)),
    ),
  ).toEqual(['no', 'On rank 2 micro-batch 7 came back not at all; it should be once.'])
  expect(
    found(
      'work',
      at(0, (own) => [passNumber(3, false), ...own]),
    ),
  ).toEqual(['no', 'On rank 0 micro-batch 3 went forward 2 times; it should be once.'])
})

it('messages: one of each micro-batch both ways, in whatever order, and to neighbours alone', () => {
  const changed = (way: 'forward' | 'back', rank: number, change: (own: readonly number[]) => readonly number[]) => ({
    [way]: RANKS.map((each) => (each === rank ? change(sentBy(way, each)) : sentBy(way, each))),
  }) // oxfmt-ignore
  const turned = changed('forward', 0, (own) => [...own.slice(WORDS), ...own.slice(0, WORDS)])
  expect(found('messages', turned)[0]).toBe('yes')
  expect(
    found(
      'messages',
      changed('forward', 1, (own) => own.slice(WORDS)),
    ),
  ).toEqual(['no', 'Rank 1 sent 7 micro-batches to the next rank; there are 8.'])
  expect(found('messages', changed('back', 3, (own) => [...own.slice(WORDS), ...own.slice(-WORDS)]))).toEqual([
    'no',
    'Message 8 that rank 3 sent back is not what its stage makes of a micro-batch.',
  ]) // oxfmt-ignore
  expect(found('messages', { elsewhere: [0, 0, 8, 0] })).toEqual([
    'no',
    expect.stringContaining('Rank 2 sent to a rank'),
  ])
})

it('slots: as many as GPipe’s, in an order that can be', () => {
  expect(found('slots', { slots: MOST_SLOTS + 1 / 3 })).toEqual(['no', expect.stringContaining('11.3 slots')])
  expect(found('slots', { slots: -1 })[0]).toBe('no')
})

it('kept: of each rank', () => {
  expect(found('kept', { kept: [4, 5, 2, 1] })).toEqual([
    'no',
    'Rank 1 kept the activations of 5 micro-batches at once; at most 4 are allowed.',
  ])
})

it('its sums stay whole numbers that float32 holds, of any seed', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const { forward, back, gradients } = stepOf(seed)
    const values = [...forward.flat(), ...back.flat(), ...gradients].flatMap((each) => [...each])
    expect(values.every(Number.isInteger)).toBe(true)
    expect(Math.max(...values.map(Math.abs))).toBeLessThan(2 ** 24)
  }
})

it('says in words of the first rung how many slots GPipe takes', () => {
  expect(JSON.stringify(words.task)).toContain(`GPipe takes ${String(MOST_SLOTS)}.`)
})
