import { describe, expect, it } from 'vitest'
import { drawnPathOfColumns, pathColumns } from './drawn-path'
import type { CriticalPath } from './critical-path'

const path: CriticalPath = {
  beginUs: 1,
  endUs: 9,
  pieces: [
    { part: 'host', beginUs: 1, endUs: 3, span: 4 },
    { part: 'launch', beginUs: 3, endUs: 4, span: 7 },
    { part: 'device', beginUs: 4, endUs: 9, span: 7 },
  ],
  us: { device: 5, host: 2, launch: 1, stream: 0, notice: 0 },
}

describe('drawnPathOfColumns', () => {
  it('gives back the pieces in ns, as one part', () => {
    const { parts, problems } = drawnPathOfColumns(pathColumns(path))
    expect(problems).toEqual([])
    expect(parts).toHaveLength(1)
    expect(parts[0]).toMatchObject({ startNs: 1000, endNs: 9000 })
    expect(parts[0]?.stretches).toEqual([
      { who: 'host', span: 4, startNs: 1000, endNs: 3000 },
      { who: 'launch', span: 7, startNs: 3000, endNs: 4000 },
      { who: 'device', span: 7, startNs: 4000, endNs: 9000 },
    ])
  })

  it('says why where there is none', () => {
    expect(drawnPathOfColumns(null)).toMatchObject({
      parts: [],
      problems: [expect.stringContaining('device')],
    })
  })
})
