import { expect, test } from 'vitest'
import type { DraftWork } from './draft'
import { tieUploads } from './tie-page'

const MS = 1e6
const WRITE = 0

/** A write, and a pass that begins 30 ms after both were called. */
function latePass(bytes: number): { readonly write: DraftWork; readonly pass: DraftWork } {
  const each = { stream: 0, lengthNs: MS, leastNs: MS, latencyNs: 0, pauseNs: 0 }
  const write = { ...each, code: WRITE, bytes, callNs: 0, startNs: 0, endNs: 0 } as DraftWork
  const pass = {
    ...each,
    code: -1,
    bytes: Number.NaN,
    callNs: 0,
    startNs: 30 * MS,
    endNs: 31 * MS,
  } as DraftWork
  tieUploads([write, pass], -10 * MS, () => false)
  return { write, pass }
}

test('a pass that is late behind a large write waits for it', () => {
  const { write, pass } = latePass(2 ** 26)
  expect(write.lengthNs).toBeCloseTo(29.8 * MS, -3)
  expect(pass.latencyNs).toBeLessThan(MS)
})

test('a write is charged with no more than its bytes can take: a busy machine is late for other reasons', () => {
  const { write, pass } = latePass(2 ** 14)
  expect(write.lengthNs).toBeLessThan(0.2 * MS)
  expect(pass.latencyNs).toBeGreaterThan(29 * MS)
  expect(write.endNs + pass.pauseNs).toBe(pass.startNs)
})
