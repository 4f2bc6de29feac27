import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lodOf } from './lod/trace-lod'
import { canFold, foldLane, startFolded } from './fold'
import { makeLayout } from './layout'
import { Fixture, placeFixture } from './testing/fixture'
import { forAll } from '../testing/for-all'

const OPTIONS = { widthPx: 1000 }

/** The moments of [0, 60) that spans cover. */
const covered = (spans: Iterable<readonly [number, number]>): readonly boolean[] => {
  const moments = Array.from({ length: 60 }, () => false)
  for (const [start, end] of spans) moments.fill(true, start, end)
  return moments
}

describe('foldLane', () => {
  it('covers what the lane covers, with spans of the lane', () =>
    forAll(
      fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 19 })), { minLength: 1, maxLength: 40 }),
      (lengths) => {
        const fixture = new Fixture()
        const given = lengths.map(([start, length]) => [start, start + length] as const)
        for (const [start, end] of given) fixture.span('host', 'host-work', start * 1e6, end * 1e6)
        const { placed } = fixture.data()
        const [lane, lod] = [placed.lanes[0], lodOf(placed).lanes[0]]
        if (!lane || !lod) throw new Error('The fixture has a host lane.')
        const { row, rowOf } = foldLane(lane, lod, placed.trace.spans)
        const kept = Array.from({ length: row.length }, (_, at) => {
          const span = row.span[at] ?? -1
          expect(placed.startNs[span]).toBe(row.startNs[at])
          return [(row.startNs[at] ?? 0) / 1e6, (row.endNs[at] ?? 0) / 1e6] as const
        })
        expect(covered(kept)).toEqual(covered(given))
        expect([...rowOf].every((value) => value === 0)).toBe(true)
        const ends = kept.map(([, end]) => end)
        expect(ends).toEqual(ends.toSorted((a, b) => a - b))
      },
    ))

  it('keeps the outermost of nested calls, and gives the lane one row', () => {
    const fixture = new Fixture()
    const outer = fixture.span('host', 'host-work', 0, 100_000)
    fixture.span('host', 'submit', 10_000, 50_000)
    const { placed } = fixture.data()
    const open = makeLayout(placed, [], OPTIONS).lanes[0]
    expect(open).toMatchObject({ fold: 'open' })
    expect(open?.rows).toHaveLength(2)
    const folded = makeLayout(placed, [], { ...OPTIONS, folded: [0] }).lanes[0]
    expect(folded).toMatchObject({ fold: 'folded' })
    expect(folded?.rows.map(({ spans }) => [...(spans?.span ?? [])])).toEqual([[outer]])
    expect(folded?.heightPx).toBeLessThan(open?.heightPx ?? 0)
  })

  it('is not for devices, nor for a lane of one row', () => {
    expect(canFold('device', { rows: [null, null] as never })).toBe(false)
    expect(canFold('host', { rows: [null] as never })).toBe(false)
    expect(canFold('host', { rows: [null, null] as never })).toBe(true)
  })
})

describe('startFolded', () => {
  const threads = (count: number) => {
    const fixture = new Fixture()
    for (let index = 0; index < count; index += 1) {
      const lane = fixture.builder.addLane({ kind: 'host', name: `pool ${index}`, clock: 0, group: 'host' })
      fixture.builder.addSpan({ lane, kind: 'host-work', name: 'call', start: 0, end: 1e6 })
      // The last one calls the device.
      const kind = index === count - 1 ? 'submit' : 'host-work'
      fixture.builder.addSpan({ lane, kind, name: 'inner', start: 2e5, end: 5e5 })
    }
    return placeFixture(fixture.builder.freeze())
  }

  it('folds the lanes that never call the device, where there are many', () => {
    const few = threads(4)
    expect(startFolded(few, lodOf(few))).toEqual([])
    const many = threads(12)
    const names = startFolded(many, lodOf(many)).map((lane) => many.trace.lanes[lane]?.name)
    expect(names).toEqual(Array.from({ length: 11 }, (_, index) => `pool ${index}`))
  })
})
