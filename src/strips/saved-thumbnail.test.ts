/** Thumbnails: drawn from an excerpt, saved, and read back whatever a browser gives back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bar, excerpt, row as made, strip } from './testing/made'
import { readSavedThumbnail, savedThumbnailOf } from './saved-thumbnail'
import type { ExcerptRow } from './excerpt'

const LENGTH = 1e6

const row = (kind: ExcerptRow['kind'], ...times: readonly (readonly [number, number])[]): ExcerptRow =>
  made(kind, { bars: times.map(([start, end]) => bar(start, end)) })
const excerptWith = (...rowsOfStrips: readonly (readonly ExcerptRow[])[]) =>
  excerpt(LENGTH, ...rowsOfStrips.map((rows) => strip(rows)))

describe('a thumbnail', () => {
  it('has the device’s passes in thousandths, and nothing of the host', () => {
    const excerpt = excerptWith([
      row('host', [0, LENGTH]),
      row('device', [100_000, 200_000], [500_000, LENGTH]),
    ])
    expect(savedThumbnailOf(excerpt)).toEqual([[[100, 100], [500, 500]]]) // oxfmt-ignore
  })

  it('joins what is too near to be distinguished, and not what is a stall', () => {
    const excerpt = excerptWith([row('device', [0, 100_000], [104_000, 200_000], [205_000, 300_000])])
    expect(savedThumbnailOf(excerpt)).toEqual([[[0, 200], [205, 95]]]) // oxfmt-ignore
  })

  it('keeps to the excerpt where a pass began before it or goes on after it', () =>
    expect(savedThumbnailOf(excerptWith([row('device', [-50_000, 10_000], [990_000, 2 * LENGTH])]))).toEqual([
      [[0, 10], [990, 10]], // oxfmt-ignore
    ]))

  it('has a row for each of several devices', () => {
    const device = (rank: number, ...bars: readonly (readonly [number, number])[]) => ({
      ...row('device', ...bars),
      group: `rank ${String(rank)} · device`,
    })
    const excerpt = excerptWith([device(0, [0, 100_000]), device(1, [500_000, 600_000])])
    expect(savedThumbnailOf(excerpt)).toEqual([[[0, 100]], [[500, 100]]]) // oxfmt-ignore
  })

  it('of two streams of a device has the passes of both', () => {
    const excerpt = excerptWith([row('device', [500_000, 600_000]), row('device', [0, 100_000])])
    expect(savedThumbnailOf(excerpt)).toEqual([[[0, 100], [500, 100]]]) // oxfmt-ignore
  })

  it('leaves no pass out, however many there are', () => {
    const many = Array.from({ length: 100 }, (_, index) => [index * 10_000, index * 10_000 + 1000] as const)
    const [segments] = savedThumbnailOf(excerptWith([row('device', ...many)])) ?? []
    expect(segments).toHaveLength(100)
    expect(segments?.at(-1)).toEqual([990, 1])
  })

  it('has the last three strips', () => {
    const strips = [10, 20, 30, 40].map((end) => [row('device', [0, end * 1000])])
    expect(savedThumbnailOf(excerptWith(...strips))).toEqual([[[0, 20]], [[0, 30]], [[0, 40]]])
  })
})

describe('a saved thumbnail', () => {
  it('is read back as it was, whatever the run', () => {
    const time = fc.integer({ min: -LENGTH, max: 2 * LENGTH })
    const times = fc.array(
      fc.tuple(time, time).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
      { maxLength: 500 },
    )
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 3 }), (strips) => {
        const excerpt = excerptWith(
          ...strips.map((each) => [
            row('device', ...each.filter(([start, end]) => end >= 0 && start <= LENGTH)),
          ]),
        )
        const made = savedThumbnailOf(excerpt)
        const read = readSavedThumbnail(JSON.parse(JSON.stringify(made)))
        expect(read).toEqual(made)
      }),
    )
  })

  it.each([
    ['nothing', null],
    ['text', 'abc'],
    ['no rows', []],
    ['empty rows', [[], []]],
    ['too many rows', Array.from({ length: 25 }, () => [[0, 1]])],
    ['too many segments', [Array.from({ length: 5000 }, () => [0, 1])]],
    ['what lies outside', [[[-1, 10], [0, 1001], [0.5, 2], [Number.NaN, 1], ['0', 1], 7, null]]], // oxfmt-ignore
  ])('is none where it holds %s', (_what, raw) => expect(readSavedThumbnail(raw)).toBeNull())

  it('loses only what is broken', () =>
    expect(readSavedThumbnail([[[1, 2], 'x', [3]], 'row', [[4, 5]]])).toEqual([[[1, 2]], [], [[4, 5]]]))
})
