/** Every branch of every check of this mend, on evidence made by hand. */
import { expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import { HandMadeTrace } from '../../../exercises/testing/hand-made-trace'
import type { ProgramReport } from '../../../exercises/types'
import { rules, blocksOf, RANKS, ROUNDS, WORDS } from './checks'

const SEED = 9
const BLOCKS = blocksOf(SEED)
const sentBy = (rank: number): number[] =>
  BLOCKS.slice(0, ROUNDS).flatMap((blocks) => [...(blocks[rank] ?? [])])
const RESULT = (BLOCKS.at(-1) ?? []).flatMap((block) => [...block])

interface Made {
  readonly sent?: readonly (readonly number[])[]
  readonly received?: readonly number[]
  readonly got?: readonly number[]
  readonly waits?: readonly number[]
  readonly ms?: number
  readonly report?: Partial<ProgramReport>
}
/** As the reference. */
function reportOf({
  sent = RANKS.map(sentBy),
  received = [ROUNDS, ROUNDS],
  got = RESULT,
  waits = [],
  ms = 2,
  report = {},
}: Made = {}): ProgramReport {
  const found = { sent0: sent[0] ?? [], sent1: sent[1] ?? [], received, got, waits }
  return programReport([programRun({ name: 'exchange', ms, facts: { seed: SEED }, found })], report)
}
const START = reportOf({ waits: [0, 1, 1, 1, 1, 0], ms: 550 })
function found(id: string, made: Made = {}, start: ProgramReport | null = START) {
  return said(rules, id, evidenceWith({ yours: reportOf(made), start, reference: reportOf() }))
}

it('all hold for the lab’s own', () => {
  for (const id of ['goes-on', 'output', 'messages', 'time']) expect(found(id)[0], id).toBe('yes')
})

it('messages: names the lines of the calls', () => {
  const trace = new HandMadeTrace('exchange')
  trace.message('send', 1, 0, 1, 8)
  trace.message('recv', 0, 0, 1, 9)
  const report = { trace: trace.trace }
  expect(found('messages', { received: [ROUNDS, ROUNDS - 1], report })[1]).toContain('(lines 8, 9)')
})

it('output: names the first wrong number; nothing, and no number, are wrong', () => {
  const wrong = RESULT.map((value, index) => (index === WORDS + 3 ? value + 1 : value))
  expect(found('output', { got: wrong })).toEqual(['no', expect.stringContaining('Number 3 of rank 1')])
  expect(found('output', { got: [] })[0]).toBe('no')
  expect(found('output', { got: RESULT.map(() => Number.NaN) })[0]).toBe('no')
})

it('messages: counts them both ways, and looks at what was in them', () => {
  expect(found('messages', { received: [ROUNDS, ROUNDS - 1] })).toEqual([
    'no',
    expect.stringContaining('Rank 1 sent 4 blocks and received 3'),
  ])
  expect(found('messages', { sent: [sentBy(0), []] })[0]).toBe('no')
  expect(found('messages', { sent: [[...sentBy(0), ...sentBy(0)], sentBy(1)] })[0]).toBe('no')
  const zeros = sentBy(1).map((value, index) => (index < 2 * WORDS ? value : 0))
  expect(found('messages', { sent: [sentBy(0), zeros] })).toEqual([
    'no',
    'Rank 1 sent another block than its own in round 2.',
  ])
})

it('its blocks stay whole numbers that float32 holds', () => {
  for (const value of RESULT) {
    expect(Number.isInteger(value)).toBe(true)
    expect(value).toBeLessThan(2 ** 24)
  }
})
