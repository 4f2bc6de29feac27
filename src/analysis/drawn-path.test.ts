import { describe, expect, it } from 'vitest'
import { drawnPathOf, drawnPathOfColumns, pathColumns } from './drawn-path'
import { readFile } from 'node:fs/promises'
import { decodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import type { CriticalPath } from './critical-path'
import { PATH_WHO } from './types'

const path: CriticalPath = {
  beginUs: 1,
  endUs: 9,
  pieces: [
    { part: 'host', beginUs: 1, endUs: 3, span: 4 },
    { part: 'launch', beginUs: 3, endUs: 4, span: 7 },
    { part: 'device', beginUs: 4, endUs: 9, span: 7 },
  ],
  us: { device: 5, host: 2, launch: 1, stream: 0, message: 0, notice: 0 },
}

describe('drawnPathOfColumns', () => {
  it('gives back the pieces in ns, as one part', () => {
    const { parts, problems } = drawnPathOfColumns(pathColumns(path))
    expect(problems).toEqual([])
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatchObject({ startNs: 1000, endNs: 9000 })
    expect(parts[0]?.stretches).toEqual({
      length: 3,
      owners: PATH_WHO,
      who: Uint8Array.from(['host', 'launch', 'device'] as const, (who) => PATH_WHO.indexOf(who)),
      span: Int32Array.of(4, 7, 7),
      startNs: Float64Array.of(1000, 3000, 4000),
      endNs: Float64Array.of(3000, 4000, 9000),
    })
  })

  it('says why where there is none', () => {
    expect(drawnPathOfColumns(null)).toMatchObject({
      parts: [],
      problems: [expect.stringContaining('device')],
    })
  })
})

describe('drawnPathOf', () => {
  it('follows one repeat of each variant of a recorded run, without holes', async () => {
    const bytes = new Uint8Array(await readFile('public/recordings/sync-stalls.hdl.gz'))
    const decoded = await decodeRun(bytes)
    if (!decoded.ok) throw new Error('the recording is read')
    const placed = placeTrace(decoded.value.trace)
    const { parts } = drawnPathOf(placed)
    expect(parts.length).toBeGreaterThan(1)
    let lastNs = -Infinity
    for (const { title, startNs, endNs, stretches } of parts) {
      expect(title).toMatch(/, repeat \d+$/)
      expect(startNs).toBeGreaterThanOrEqual(lastNs)
      lastNs = endNs
      for (let at = 1; at < stretches.length; at += 1)
        expect(stretches.startNs[at]).toBe(stretches.endNs[at - 1])
    }
  })
})
