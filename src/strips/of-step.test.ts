/**
 * Tests that a replayed step is drawn as it is: rows, shares, idle time where no stream works, few
 * elements.
 */
import { describe, expect, it } from 'vitest'
import { WAIT, type Marks, type StepPicture } from '../analysis/replay/step-picture'
import { SPAN_KINDS } from '../trace/schema'
import { joined } from './marks'
import { excerptOfStep } from './of-step'
import { sceneOf } from './scene'

const row = (
  ...marks: readonly (readonly [start: number, end: number, of: number, share?: number])[]
): Marks => ({
  startNs: marks.map(([start]) => start),
  endNs: marks.map(([, end]) => end),
  of: marks.map(([, , of]) => of),
  share: marks.map(([, , , share = 1]) => share),
})
const COMPUTE = SPAN_KINDS.indexOf('compute')
const TRANSFER = SPAN_KINDS.indexOf('transfer')
const picture: StepPicture = {
  lengthNs: 100,
  threads: [row([0, 40, 0], [40, 60, WAIT], [60, 70, 1, 0.5]), row([10, 20, 1])],
  streams: [row([10, 30, COMPUTE]), row([20, 50, TRANSFER])],
  busy: row([10, 50, 0]),
  busyNs: 40,
}
const cut = { basis: 'predicted', pxPerNs: 1, nameOf: (block: number) => `f${String(block)}()` } as const
const rowsOf = (of: StepPicture) => excerptOfStep(of, cut).strips[0]?.rows ?? []

describe('a step', () => {
  it('has a row a thread and a stream, blocks by name and waits apart', () => {
    const [main, , compute, copies] = rowsOf(picture)
    expect(rowsOf(picture).map(({ kind }) => kind)).toEqual(['host', 'host', 'device', 'device'])
    expect(main?.bars.map(({ kind, name, share }) => [kind, name, share])).toEqual([
      ['host-work', 'f0()', 1],
      ['host-wait', 'waits', 1],
      ['host-work', 'f1()', 0.5],
    ])
    expect([compute, copies].map((each) => each?.bars[0]?.kind)).toEqual(['compute', 'transfer'])
  })

  it('is idle where no stream works, in the row of each', () => {
    for (const { idle } of rowsOf(picture).slice(2))
      expect(idle.map(({ startNs, endNs }) => [startNs, endNs])).toEqual([
        [0, 10],
        [50, 100],
      ])
    const idle = { ...picture, streams: [], busy: row(), busyNs: 0 }
    expect(rowsOf(idle).at(-1)?.idle).toMatchObject([{ startNs: 0, endNs: 100 }])
  })

  it('draws no more than four of either', () => {
    const many = { ...picture, threads: Array.from({ length: 9 }, () => row([0, 1, 0])) }
    expect(rowsOf(many)).toHaveLength(4 + 2)
  })

  it('is few elements, as high as the share of several bars', () => {
    const excerpt = excerptOfStep(picture, cut)
    const [strip] = excerpt.strips
    if (!strip) throw new Error('no strip')
    const heights = { host: 10, queue: 0, staging: 0, device: 10, gap: 0 }
    const { marks } = sceneOf(strip, excerpt, { width: 100, lanes: 'all', heights, labels: null })
    expect(marks.filter(({ fill }) => fill?.hue === 'host')).toMatchObject([
      { y: 0, height: 10 },
      { y: 5, height: 5 },
      { y: 10, height: 10 },
    ])
    const few = joined(marks)
    expect(few.filter(({ fill }) => fill?.hue === 'host')).toHaveLength(1)
    // The ground lies below all that stands on it.
    expect(few[0]?.part).toBe('ground')
  })
})
