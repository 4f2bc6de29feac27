import { describe, expect, it } from 'vitest'
import { TraceBuilder } from '../trace/builder'
import { placeTrace } from '../trace/place'
import { importedInfo } from '../site/import-worker/testing/synthetic'
import { IndexedSet } from './intervals'
import { laneTimes } from './lane-times'

const MOST_SAMPLES = 2 ** 20
type Asked = (this: IndexedSet, ...args: Parameters<IndexedSet['totalWithin']>) => number

/** A run of one variant, as a hostile file may have it. */
function wide({ lanes, devices = 0, repeats }: { lanes: number; devices?: number; repeats: number }) {
  const builder = new TraceBuilder(importedInfo, { originMs: 0, stepNs: 1000 })
  const hosts = Array.from({ length: lanes }, (_, lane) =>
    builder.addLane({ kind: 'host', name: `host ${String(lane)}`, clock: 0, group: 'host' }),
  )
  const clock = builder.addClock({ kind: 'device', name: 'd', originMs: 0, originTick: '0', stepNs: 1 })
  const all = Array.from({ length: devices }, (_, lane) =>
    builder.addLane({ kind: 'device', name: `device ${String(lane)}`, clock, group: 'd' }),
  )
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const of = { start: 1000 * repeat, end: 1000 * repeat + 900, variant: 'v', repeat, name: 'x' }
    builder.addSpan({ ...of, lane: hosts[0] ?? 0, kind: 'window' })
    for (const lane of hosts.slice(0, 2))
      builder.addSpan({ ...of, end: of.start + 300, lane, kind: 'submit' })
    for (const lane of all) builder.addSpan({ ...of, lane, kind: 'compute' })
  }
  return placeTrace(builder.freeze())
}

describe('laneTimes', () => {
  it('has a sample of each repeat, and no note, of a run as large as any of the lab’s', () => {
    const [host] = laneTimes(wide({ lanes: 12, repeats: 2000 }), 'v')
    expect(host?.metrics.map(({ name, value, n, note }) => [name, value, n, note])).toEqual([
      ['busy', expect.closeTo(3e-4, 9), 2000, undefined],
      ['wait', 0, 2000, undefined],
      ['idle', expect.closeTo(6e-4, 9), 2000, undefined],
    ])
  })

  it('takes no more samples than lanes and repeats allow together, and says what it left out', () => {
    const repeats = 600
    const lanes = 3000
    const { prototype } = IndexedSet
    const totalWithin: Asked = Reflect.get(prototype, 'totalWithin')
    let looked = 0
    // Counted, not spied upon: a spy would keep three million calls.
    prototype.totalWithin = function (...args) {
      looked += 1
      return totalWithin.apply(this, args)
    }
    const times = laneTimes(wide({ lanes, repeats }), 'v')
    prototype.totalWithin = totalWithin
    // Three sets of intervals a lane, each asked once a repeat.
    expect(looked).toBeGreaterThan(MOST_SAMPLES)
    expect(looked).toBeLessThanOrEqual(3 * MOST_SAMPLES)
    expect(times).toHaveLength(lanes)
    const most = Math.floor(MOST_SAMPLES / lanes)
    expect(times[1]?.metrics.map(({ n, note }) => [n, note])).toEqual(
      Array(3).fill([most, `of the first ${String(most)} of ${String(repeats)} repeats`]),
    )
  })

  it('deals the windows of devices out once', () => {
    const times = laneTimes(wide({ lanes: 1, devices: 300, repeats: 30 }), 'v')
    expect(times).toHaveLength(301)
    expect(times.at(-1)?.metrics.map(({ name, n }) => [name, n])).toEqual([
      ['busy', 30],
      ['idle', 30],
    ])
  })
})
