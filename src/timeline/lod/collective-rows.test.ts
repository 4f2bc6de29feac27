/**
 * Waiting within a collective, in rows: each moment of the lane is one kind's, at every level of
 * detail.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_REDUCE, madeUpRanks } from '../../analysis/ranks/testing/made-up-ranks'
import { analyseRanks } from '../../analysis/ranks'
import { makeTraceLod } from './trace-lod'
import { placeTrace } from '../../trace/place'
import { SPAN_KINDS } from '../../trace/schema'
import { forAllAwaited } from '../../testing/for-all'

async function joinedRanks(laterUs: (rank: number, step: number) => number) {
  const { joined } = analyseRanks(
    await madeUpRanks({
      ranks: 3,
      stepsUs: [1000, 1200, 900, 1100, 1300, 1000],
      collectives: [ALL_REDUCE, { operation: 'broadcast', elements: 2 ** 18 }],
      transferUs: 100,
      laterUs,
    }),
  )
  if (!joined) throw new Error('nothing was joined')
  return placeTrace(joined)
}

describe('rows of ranks that are joined', () =>
  it('have waiting and the rest of the collective side by side, in order, and nothing twice', async () => {
    await forAllAwaited(15)(fc.array(fc.nat(800), { minLength: 18, maxLength: 18 }), async (laterUs) => {
      const placed = await joinedRanks((rank, step) => laterUs[rank * 6 + step] ?? 0)
      const { lanes } = makeTraceLod(placed)
      const { spans } = placed.trace
      let waits = 0
      for (const { lane, rows } of lanes)
        for (const row of rows) {
          for (let at = 1; at < row.length; at += 1)
            expect(row.startNs[at] ?? 0).toBeGreaterThanOrEqual((row.endNs[at - 1] ?? 0) - 1e-3)
          for (const span of row.span)
            if (spans.kind[span] === SPAN_KINDS.indexOf('collective-wait')) waits += 1
          const root = row.levels.at(-1)
          const shownNs = (kind: 'collective' | 'collective-wait') =>
            [...row.buckets].reduce(
              (sum, bucket, index) =>
                SPAN_KINDS[bucket >> 1] === kind ? sum + (root?.busyNs[index] ?? 0) : sum,
              0,
            )
          const all = [...row.span].filter((span) => spans.kind[span] === SPAN_KINDS.indexOf('collective'))
          const wholeNs = all.reduce(
            (sum, span) => sum + (placed.endNs[span] ?? 0) - (placed.startNs[span] ?? 0),
            0,
          )
          // At the root the sums of both kinds are the collectives' whole time: no moment of it
          // counts twice.
          expect(shownNs('collective') + shownNs('collective-wait')).toBeCloseTo(wholeNs, 0)
          expect(placed.trace.lanes[lane]).toBeDefined()
        }
      expect(waits).toBe(spans.kind.filter((kind) => kind === SPAN_KINDS.indexOf('collective-wait')).length)
    })
  }))
