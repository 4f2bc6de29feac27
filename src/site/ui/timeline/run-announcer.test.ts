import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Gap } from '../../../timeline'
import { announce, SHORTEST_MS, type RunGlance, type Said } from './run-announcer'

const GAPS_EVERY_MS = 4000

const glance = (live: boolean, gaps: number): RunGlance => ({
  live,
  spans: 10,
  gaps: Array.from({ length: gaps }, () => ({}) as Gap),
})
const SILENT: Said = { live: false, gaps: 0, atMs: -Infinity }

it('says begun, gaps so far, and done', () => {
  const begun = announce(SILENT, glance(true, 0), 0)
  expect(begun?.text).toBe('The run has begun.')
  if (!begun) return
  expect(announce(begun.said, glance(true, 3), SHORTEST_MS)).toBeNull()
  expect(announce(begun.said, glance(true, 1), GAPS_EVERY_MS)?.text).toBe('1 gap on the device so far.')
  expect(announce(begun.said, glance(false, 0), SHORTEST_MS)?.text).toBe(
    'The run is done: 10 spans, no gaps on the device.',
  )
})

it('says nothing of a run that was over before', () => {
  expect(announce(SILENT, glance(false, 5), 1e6)).toBeNull()
})

it('never speaks twice within a second, and always says the end', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.boolean(), fc.nat(50))), (looks) => {
      let said = SILENT
      let atMs = 0
      let last = -Infinity
      for (const [after, live, gaps] of [...looks, [SHORTEST_MS, false, 0] as const]) {
        atMs += after
        const made = announce(said, glance(live, gaps), atMs)
        if (!made) continue
        expect(atMs - last).toBeGreaterThanOrEqual(SHORTEST_MS)
        last = atMs
        said = made.said
      }
      expect(said.live).toBe(false)
    }),
  )
})
