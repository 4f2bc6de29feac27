/**
 * Figures of recordings by their names: those of files that are there, with their unit; a fault
 * where a file, or a figure, is not.
 */
import { describe, expect, it } from 'vitest'
import { inJson } from './json-figures'
import { recordedIn } from './recorded-figures'

const FILE = {
  device: 'A GPU',
  ways: { oneMs: { median: 2, low: 1, high: 3 } },
  'a-lesson': { 'its-choice': { stepMs: 3 } },
  plain: { median: 7, low: 6, high: 8 },
  link: { lanes: 16 },
  points: [
    { kib: 4, way: 'up', upMs: 0.5, aMs: 8, bMs: 1, cMs: 9 },
    { kib: 16, way: 'up', upMs: 1.5, aMs: 4, bMs: 2, cMs: 9 },
    { kib: 64, way: 'up', upMs: 2.5, aMs: 2, bMs: 4, cMs: 9 },
    { kib: 4, way: 'down', upMs: 9 },
  ],
  runs: [{ stages: [6, 2], peakBytes: [300, 100] }],
}
const find = (path: string) => inJson(FILE)(path, '')

describe('a field of JSON', () => {
  it('is a median with its interval, or a number, in the unit that its name ends with', () => {
    expect(find('ways.oneMs')).toEqual({ value: 2, low: 1, high: 3, unit: 'ms' })
    expect(find('plain')).toEqual({ value: 7, low: 6, high: 8, unit: 'count' })
    expect(find('a-lesson.its-choice.stepMs')).toMatchObject({ value: 3, unit: 'ms' })
    expect(find('link.lanes')).toEqual({ value: 16, low: 16, high: 16, unit: 'count' })
    expect(find('points[first].kib')).toMatchObject({ value: 4096, unit: 'bytes' })
  })

  it('is found in a list by its fields, or by its place', () => {
    expect(find('points[kib=16].upMs')?.value).toBe(1.5)
    expect(find('points[kib=4&way=down].upMs')?.value).toBe(9)
    expect(find('points[last].upMs')?.value).toBe(9)
    expect(find('runs[stages=6,2].peakBytes[last]')).toMatchObject({ value: 100, unit: 'bytes' })
  })

  it('is not there where nothing, more than one, or no number is meant', () => {
    for (const path of [
      'points[kib=5].upMs',
      'points[kib=4].upMs',
      'points.upMs',
      'device',
      'nothing.at.all',
    ])
      expect(find(path), path).toBeNull()
  })

  it('may be where two curves cross: interpolated between points, in the unit of what they are over', () => {
    const found = find('points[way=up].kib@aMs<=bMs')
    // log 2 ahead at 16 KiB, log 2 behind at 64: half of the way, in logarithms.
    expect(found?.value).toBeCloseTo(32 * 1024)
    expect(found?.unit).toBe('bytes')
  })

  it('is no crossing where one curve is below the other from the first point on, or still not at the last', () => {
    expect(find('points[way=up].kib@aMs<=cMs')).toBeNull()
    expect(find('points[way=up].kib@cMs<=aMs')).toBeNull()
  })
})

describe('the recordings', () => {
  it('are found by name: runs of the lab, profiles, ranks and JSON', async () => {
    const recordings = await recordedIn([
      'torch-nccl-late-rank',
      'torch-sync-stalls-stalled',
      'torch-transfer-cost',
    ])
    const { figure } = recordings
    expect(figure('sync-stalls', 'stall-ms', 'every-step')).toMatchObject({ unit: 'ms' })
    expect(figure('torch-nccl-late-rank', 'work-ratio', '0').value).toBeLessThan(
      figure('torch-nccl-late-rank', 'busy-ratio', '0').value,
    )
    expect(figure('torch-sync-stalls-stalled', 'kernel-ratio', '')).toMatchObject({ unit: 'ratio' })
    expect(figure('torch-transfer-cost', 'points[kib=4].pageableUpMs', '')).toMatchObject({ unit: 'ms' })
    expect(recordings.origin('torch-transfer-cost').device).toContain('H200')
    expect(recordings.facts('sync-stalls').run?.origin).toBe('recorded')
  })

  it('are faults where the file, or the figure in it, is not there', async () => {
    const { figure, facts, origin } = await recordedIn(['no-such-file', 'torch-ranks'])
    expect(() => figure('no-such-file', 'some-ms', '')).toThrow("no recording 'no-such-file'")
    expect(() => figure('torch-ranks', 'some-ms', '')).toThrow("'some-ms' is no figure of the recording")
    expect(() => origin('never-quoted')).toThrow("no recording 'never-quoted'")
    expect(() => facts('torch-ranks')).toThrow('no run of the lab')
  })
})

describe('a run of the lab', () => {
  it('is quoted by a metric, by what it worked out and by what it was asked for', async () => {
    const { figure } = await recordedIn(['worth-it/larger'])
    expect(figure('worth-it/larger', 'derived.processorThreads', '').value).toBeGreaterThan(1)
    expect(figure('worth-it/larger', 'param.uses', '')).toMatchObject({ value: 1, unit: 'count' })
    expect(() => figure('worth-it/larger', 'derived.nothing', '')).toThrow('is no figure')
  })
})
