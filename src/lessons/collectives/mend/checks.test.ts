/** Every branch of every check of this mend, on evidence made by hand. */
import { expect, it } from 'vitest'
import { evidenceWith, programReport, programRun, said } from '../../../exercises/testing/evidence'
import type { ProgramReport } from '../../../exercises/types'
import { rules, BLOCK, RANKS, resultsOf, sentOf, WORDS } from './checks'

const SEED = 9
const SENT = sentOf(SEED)
const RESULT = resultsOf(SEED).flat()
const SHARE = WORDS - BLOCK

interface Made {
  readonly sent?: readonly (readonly number[])[]
  readonly counts?: Readonly<Record<'sent' | 'received' | 'elsewhere', readonly number[]>>
  readonly got?: readonly number[]
  readonly waits?: readonly number[]
}
const COUNTS = {
  sent: RANKS.map(() => SHARE),
  received: RANKS.map(() => SHARE),
  elsewhere: RANKS.map(() => 0),
}
/** As the reference. */
function reportOf({ sent = SENT, counts = COUNTS, got = RESULT, waits = [] }: Made = {}): ProgramReport {
  const links = Object.fromEntries(RANKS.map((rank) => [`sent${String(rank)}`, sent[rank] ?? []]))
  return programReport([
    programRun({ name: 'reduce-scatter', facts: { seed: SEED }, found: { ...links, ...counts, got, waits } }),
  ])
}
function found(id: string, made: Made = {}) {
  return said(rules, id, evidenceWith({ yours: reportOf(made), start: reportOf(), reference: reportOf() }))
}

it('all hold for the lab’s own, whose busiest rank has three quarters', () => {
  for (const id of ['goes-on', 'output', 'bytes', 'messages']) expect(found(id)[0], id).toBe('yes')
  expect(rules.figure.of(reportOf())).toBe(0.75)
  expect(rules.figure.of(programReport([]))).toBeNull()
})

it('its numbers are sums: the last block that comes to a rank, with its own, is the result', () => {
  const alone = sentOf(SEED)
  for (const rank of RANKS) {
    const came = alone[(rank + RANKS.length - 1) % RANKS.length]?.slice(-BLOCK) ?? []
    const result = resultsOf(SEED)[rank] ?? []
    for (const [index, sum] of result.entries()) expect(sum).toBeGreaterThanOrEqual(came[index] ?? NaN)
  }
})

it('output: names the first wrong number; nothing, and no number, are wrong', () => {
  const wrong = RESULT.map((value, index) => (index === BLOCK + 3 ? value + 1 : value))
  expect(found('output', { got: wrong })).toEqual([
    'no',
    expect.stringContaining('Number 3 of the block that rank 1'),
  ])
  expect(found('output', { got: [] })[0]).toBe('no')
  expect(found('output', { got: RESULT.map(() => Number.NaN) })[0]).toBe('no')
})

it('bytes: of each rank, both ways', () => {
  const more = (name: 'sent' | 'received', rank: number) => ({
    ...COUNTS,
    [name]: RANKS.map((each) => (each === rank ? SHARE + 1 : SHARE)),
  })
  expect(found('bytes', { counts: more('received', 2) })).toEqual([
    'no',
    expect.stringContaining('Rank 2 received 49'),
  ])
  expect(found('bytes', { counts: more('sent', 0) })[0]).toBe('no')
})

it('messages: to the next rank, three blocks, each a sum', () => {
  const past = { ...COUNTS, elsewhere: [0, BLOCK, 0, 0] }
  expect(found('messages', { counts: past })).toEqual([
    'no',
    expect.stringContaining('Rank 1 sent to another rank'),
  ])
  expect(found('messages', { sent: [] })).toEqual(['no', expect.stringContaining('Rank 0 sent 0 numbers')])
  const zeros = SENT.map((sent, rank) =>
    rank === 3 ? sent.map((value, at) => (at < BLOCK ? value : 0)) : sent,
  )
  expect(found('messages', { sent: zeros })).toEqual([
    'no',
    expect.stringContaining('Block 2 that rank 3 sent'),
  ])
})
