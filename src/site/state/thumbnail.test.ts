/** Thumbnails: drawn from a story, saved, and read back whatever a browser gives back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Story, StoryBar, StoryRow } from './story'
import { readThumbnail, thumbnailOf } from './thumbnail'

const LENGTH = 1e6

const bar = (startNs: number, endNs: number): StoryBar => ({
  kind: 'compute',
  role: 'pass',
  name: 'matmul',
  startNs,
  endNs,
  line: -1,
  step: 0,
  startBoundNs: 0,
  endBoundNs: 0,
  isInferred: false,
  span: 0,
})
const row = (kind: StoryRow['kind'], ...times: readonly (readonly [number, number])[]): StoryRow => ({
  kind,
  name: kind,
  group: kind,
  bars: times.map(([startNs, endNs]) => bar(startNs, endNs)),
})
const storyWith = (...rowsOfStrips: readonly (readonly StoryRow[])[]): Story => ({
  lengthNs: LENGTH,
  isDeviceTimed: true,
  strips: rowsOfStrips.map((rows, index) => ({
    variant: `v${String(index)}`,
    repeat: 0,
    zeroNs: 0,
    windowNs: LENGTH,
    rows,
    idle: [],
    depth: [],
    messages: [],
    stepsEnded: 1,
  })),
})

describe('a thumbnail', () => {
  it('has the device’s passes in thousandths, and nothing of the host', () => {
    const story = storyWith([row('host', [0, LENGTH]), row('device', [100_000, 200_000], [500_000, LENGTH])])
    expect(thumbnailOf(story)).toEqual([[[100, 100], [500, 500]]]) // oxfmt-ignore
  })

  it('joins what is too near to be distinguished, and not what is a stall', () => {
    const story = storyWith([row('device', [0, 100_000], [104_000, 200_000], [205_000, 300_000])])
    expect(thumbnailOf(story)).toEqual([[[0, 200], [205, 95]]]) // oxfmt-ignore
  })

  it('keeps to the story where a pass began before it or goes on after it', () => {
    expect(thumbnailOf(storyWith([row('device', [-50_000, 10_000], [990_000, 2 * LENGTH])]))).toEqual([
      [[0, 10], [990, 10]], // oxfmt-ignore
    ])
  })

  it('of two device lanes has the passes of both', () => {
    const story = storyWith([row('device', [500_000, 600_000]), row('device', [0, 100_000])])
    expect(thumbnailOf(story)).toEqual([[[0, 100], [500, 100]]]) // oxfmt-ignore
  })

  it('leaves no pass out, however many there are', () => {
    const many = Array.from({ length: 100 }, (_, index) => [index * 10_000, index * 10_000 + 1000] as const)
    const [segments] = thumbnailOf(storyWith([row('device', ...many)]))
    expect(segments).toHaveLength(100)
    expect(segments?.at(-1)).toEqual([990, 1])
  })

  it('has the last three strips', () => {
    const strips = [10, 20, 30, 40].map((end) => [row('device', [0, end * 1000])])
    expect(thumbnailOf(storyWith(...strips))).toEqual([[[0, 20]], [[0, 30]], [[0, 40]]])
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
        const story = storyWith(
          ...strips.map((each) => [
            row('device', ...each.filter(([start, end]) => end >= 0 && start <= LENGTH)),
          ]),
        )
        const made = thumbnailOf(story)
        const read = readThumbnail(JSON.parse(JSON.stringify(made)))
        expect(read).toEqual(made.some((segments) => segments.length > 0) ? made : null)
      }),
    )
  })

  it.each([
    ['nothing', null],
    ['text', 'abc'],
    ['no rows', []],
    ['empty rows', [[], []]],
    ['too many rows', [[[0, 1]], [[0, 1]], [[0, 1]], [[0, 1]]]],
    ['too many segments', [Array.from({ length: 5000 }, () => [0, 1])]],
    ['what lies outside', [[[-1, 10], [0, 1001], [0.5, 2], [Number.NaN, 1], ['0', 1], 7, null]]], // oxfmt-ignore
  ])('is none where it holds %s', (_what, raw) => {
    expect(readThumbnail(raw)).toBeNull()
  })

  it('loses only what is broken', () => {
    expect(readThumbnail([[[1, 2], 'x', [3]], 'row', [[4, 5]]])).toEqual([[[1, 2]], [], [[4, 5]]])
  })
})
