import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachMark, findSpans, nextFound, rankOf, type Found, type FoundRow } from './search'
import { Fixture, twoSubmissions } from './testing/fixture'
import type { TimelineData } from './types'
import { forAll } from '../testing/for-all'

const findAll = ({ placed }: TimelineData, query: string): Found => findSpans(placed, query)
const spansOf = (found: Found) => [...found.spans].sort((a, b) => a - b)

describe('findSpans', () => {
  const { data, spans } = twoSubmissions()

  it('finds by name, whatever the case', () => {
    const { placed } = data
    const { strings, spans: columns } = placed.trace
    const name = strings[columns.name[spans['pass 0'] ?? -1] ?? -1] ?? ''
    expect(spansOf(findAll(data, name.toUpperCase()))).toContain(spans['pass 0'])
    expect(findAll(data, 'nothing is called so').spans).toHaveLength(0)
  })

  it('finds a submission by its number, all of it and nothing else', () => {
    const { trace } = data.placed
    const own = trace.spans.submission[spans['pass 0'] ?? -1] ?? -1
    const found = spansOf(findAll(data, `#${String(own)}`))
    expect(found.length).toBeGreaterThan(1)
    expect(found).toEqual(
      [...trace.spans.submission.keys()].filter((span) => trace.spans.submission[span] === own),
    )
    expect(spansOf(findAll(data, `#${String(own)}5`))).toEqual([])
  })

  it('finds the spans of a kind and of a lane', () => {
    const compute = spansOf(findAll(data, 'compute pass'))
    expect(compute).toContain(spans['pass 0'])
    const { trace } = data.placed
    const device = trace.lanes.find(({ kind }) => kind === 'device')
    const inLane = [...trace.spans.lane.keys()].filter((span) => trace.spans.lane[span] === device?.id)
    expect(spansOf(findAll(data, device?.name ?? ''))).toEqual(expect.arrayContaining(inLane))
  })
})

interface Made {
  readonly lane: 'host' | 'staging' | 'device'
  readonly start: number
  readonly length: number
  readonly wanted: boolean
}
const made = fc.array(
  fc.record<Made>({
    lane: fc.constantFrom('host', 'staging', 'device'),
    start: fc.integer({ min: 0, max: 40 }).map((at) => 10_000 + at * 1000),
    length: fc.integer({ min: 0, max: 9 }).map((at) => at * 500),
    wanted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)
const build = (all: readonly Made[]) => {
  const fixture = new Fixture()
  for (const { lane, start, length, wanted } of all)
    fixture.span(lane, 'other', start, start + length, { name: wanted ? 'needle' : 'hay' })
  return fixture.data()
}

describe('nextFound', () => {
  it('goes through all of them once in order of start, there and back, and says which it is', () =>
    forAll(made, (all) => {
      const data = build(all)
      const found = findAll(data, 'needle')
      expect(found.spans.length).toBe(all.filter(({ wanted }) => wanted).length)
      const order: number[] = []
      for (let step = 0; step < found.spans.length; step += 1) {
        const next = nextFound(found, order.at(-1) ?? null, -1, 1)
        if (next === null) throw new Error('one is left')
        expect(rankOf(found, next)).toBe(step)
        order.push(next)
      }
      expect(new Set(order).size).toBe(found.spans.length)
      const starts = order.map((span) => data.placed.startNs[span] ?? 0)
      expect(starts).toEqual([...starts].sort((a, b) => a - b))
      // Back again, and round both ends.
      for (const [at, span] of order.entries())
        expect(nextFound(found, span, 0, -1)).toBe(order.at(at === 0 ? -1 : at - 1))
      if (order.length > 0) expect(nextFound(found, order.at(-1) ?? 0, 0, 1)).toBe(order[0])
    }))

  it('starts from a time where none of them is selected', () => {
    const data = build([
      { lane: 'host', start: 10_000, length: 500, wanted: true },
      { lane: 'device', start: 20_000, length: 500, wanted: true },
      { lane: 'host', start: 30_000, length: 500, wanted: false },
    ])
    const found = findAll(data, 'needle')
    expect(nextFound(found, null, 15_000, 1)).toBe(1)
    expect(nextFound(found, null, 15_000, -1)).toBe(0)
    expect(nextFound(found, 2, 25_000, 1)).toBe(0)
    expect(rankOf(found, 2)).toBe(-1)
  })
})

describe('eachMark', () => {
  const row = (extents: readonly (readonly [number, number])[]): FoundRow => {
    let last = -Infinity
    const sorted = [...extents].sort((a, b) => a[0] - b[0])
    return {
      length: sorted.length,
      startNs: Float64Array.from(sorted, ([start]) => start),
      maxEndNs: Float64Array.from(sorted, ([, end]) => (last = Math.max(last, end))),
    }
  }
  const marks = (of: FoundRow, startNs: number, endNs: number, leastNs: number) => {
    const found: (readonly [number, number])[] = []
    eachMark(of, startNs, endNs, leastNs, (from, to) => found.push([from, to]))
    return found
  }

  it('marks every found span in view, in order, and no more marks than the view has room for', () => {
    const extent = fc
      .tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 30 }))
      .map(([start, length]) => [start, start + length] as const)
    forAll(
      fc.array(extent, { maxLength: 80 }),
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 1, max: 50 }),
      (extents, startNs, leastNs) => {
        const endNs = startNs + 100
        const found = marks(row(extents), startNs, endNs, leastNs)
        for (const [start, end] of extents)
          if (end >= startNs && start <= endNs)
            expect(found.some(([from, to]) => from <= start && to >= Math.min(end, endNs))).toBe(true)
        for (const [at, [from, to]] of found.entries()) {
          expect(to - from).toBeGreaterThanOrEqual(leastNs)
          if (at > 0) expect(from).toBeGreaterThan(found[at - 1]?.[1] ?? Infinity)
        }
        expect(found.length).toBeLessThanOrEqual(2 + 130 / leastNs)
      },
    )
  })

  it('looks at as much of 10^6 found spans as the view can show', () => {
    const length = 1e6
    let read = 0
    const counting = (column: Float64Array): Float64Array =>
      new Proxy(column, {
        get: (target, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
          const value: unknown = Reflect.get(target, key)
          return value
        },
      })
    const startNs = Float64Array.from({ length }, (_, at) => at * 10)
    const maxEndNs = startNs.map((start) => start + 5)
    eachMark(
      { length, startNs: counting(startNs), maxEndNs: counting(maxEndNs) },
      0,
      1e7,
      1e7 / 500,
      () => undefined,
    )
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(50_000)
  })
})
