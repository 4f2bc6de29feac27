import { describe, expect, it } from 'vitest'
import { PATH_OWNERS, type PathColumns, type PathOwner } from '../analysis/types'
import { makeLayout } from './layout'
import { makePathLines, segmentsInView, type PathLine } from './path-line'
import { makeScale } from './scale'
import { Fixture, twoSubmissions } from './testing/fixture'
import type { TimelineData } from './types'

interface Segment {
  readonly who: PathOwner
  readonly span: number
  readonly startNs: number
  readonly endNs: number
}
const columnsOf = (all: readonly Segment[]): PathColumns => ({
  length: all.length,
  owners: PATH_OWNERS,
  ns: [],
  who: Uint8Array.from(all, ({ who }) => PATH_OWNERS.indexOf(who)),
  span: Int32Array.from(all, ({ span }) => span),
  startNs: Float64Array.from(all, ({ startNs }) => startNs),
  endNs: Float64Array.from(all, ({ endNs }) => endNs),
})
const lineOf = (segments: readonly Segment[]): PathLine => {
  const part = { title: '', startNs: 0, endNs: 0, segments: columnsOf(segments) }
  const [line] = makePathLines({ parts: [part], problems: [] })
  if (!line) throw new Error('a part has a line')
  return line
}
const layoutOf = (data: TimelineData) => makeLayout(data.placed, data.gaps, { widthPx: 1000 })

describe('segmentsInView', () => {
  const { data, spans } = twoSubmissions()
  const layout = layoutOf(data)
  const of = (name: string): number => spans[name] ?? -1
  const first: readonly Segment[] = [
    { who: 'host', span: of('encode 0'), startNs: 0, endNs: 10_000 },
    { who: 'host', span: -1, startNs: 10_000, endNs: 12_000 },
    { who: 'launch', span: of('pass 0'), startNs: 12_000, endNs: 30_000 },
    { who: 'device', span: of('pass 0'), startNs: 30_000, endNs: 130_000 },
    { who: 'notice', span: of('wait 0'), startNs: 130_000, endNs: 300_000 },
  ]

  it('runs along the bars, and between host and device from the one to the other', () => {
    const scale = makeScale({ startNs: 0, endNs: 600_000 }, layout.headerPx, 1000)
    const segments = segmentsInView(lineOf(first), data, layout, scale)
    expect(segments.map(({ who }) => who)).toEqual(['host', 'host', 'launch', 'device', 'notice'])
    const [encode, between, launch, device, notice] = segments
    expect(encode?.fromYPx).toBe(encode?.toYPx)
    // Without a span it stays on the host's row.
    expect(between?.toYPx).toBe(encode?.toYPx)
    expect(launch?.fromYPx).toBe(encode?.toYPx)
    expect(launch?.toYPx).toBe(device?.fromYPx)
    expect(device?.toYPx).toBeGreaterThan(encode?.toYPx ?? Infinity)
    expect(notice?.toYPx).toBeLessThan(notice?.fromYPx ?? -Infinity)
    for (const [at, { leftPx }] of segments.entries())
      if (at > 0) expect(leftPx).toBeCloseTo(segments[at - 1]?.rightPx ?? NaN)
  })

  it('gives no more segments than the view has pixels, and only those in view', () => {
    const fixture = new Fixture()
    const segments = Array.from({ length: 20_000 }, (_, at): Segment => {
      const span = fixture.span('device', 'compute', 10_000 + at * 10, 10_010 + at * 10)
      return { who: 'device', span, startNs: 10_000 + at * 10, endNs: 10_010 + at * 10 }
    })
    const dense = fixture.data()
    const line = lineOf(segments)
    const rows = layoutOf(dense)
    const whole = makeScale({ startNs: 0, endNs: 220_000 }, rows.headerPx, 1000)
    const drawn = segmentsInView(line, dense, rows, whole)
    expect(drawn.length).toBeGreaterThan(300)
    expect(drawn.length).toBeLessThanOrEqual(1000)
    const near = makeScale({ startNs: 50_000, endNs: 50_100 }, rows.headerPx, 1000)
    expect(segmentsInView(line, dense, rows, near).length).toBeLessThanOrEqual(13)
    expect(
      segmentsInView(line, dense, rows, makeScale({ startNs: 1e6, endNs: 2e6 }, rows.headerPx, 1000)),
    ).toHaveLength(0)
  })
})
