import { describe, expect, it } from 'vitest'
import type { GapGroup } from './lod/gap-rows'
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { paintGaps } from './paint'

const PX_PER_LETTER = 6
const WIDTH = 400

const group = (startNs: number, endNs: number): GapGroup => ({
  count: 2,
  startNs,
  endNs,
  idleNs: (endNs - startNs) / 2,
  knownNs: endNs - startNs,
  cause: 'host-waited',
})

/**
 * From where to where words stand, of groups whose gaps are all too narrow for words of their own.
 */
function wordsOf(groups: readonly GapGroup[]): readonly (readonly [from: number, to: number])[] {
  const written: (readonly [number, number])[] = []
  const frame = {
    context: {
      fillText: (text: string, x: number) => {
        const half = (text.length * PX_PER_LETTER) / 2
        written.push([x - half, x + half])
      },
    },
    columns: { beginAt: () => undefined, ink: () => undefined, end: () => undefined },
    drawList: { clear: () => undefined, bars: [], cells: [] },
    merger: { run: () => undefined },
    dpr: 1,
    scale: { view: { startNs: 0, endNs: WIDTH }, leftPx: 0, rightPx: WIDTH, pxPerNs: 1 },
    theme: { hues: { wait: 0xff0000 }, text: 0, text2: 0, surface2: 0xffffff },
    fonts: {
      small: '11px sans-serif',
      smallRuler: {
        first: (texts: readonly string[], room: number) =>
          texts.find(({ length }) => length * PX_PER_LETTER <= room) ?? '',
      },
    },
  } as unknown as Frame
  const lane = {
    gaps: { row: {}, groups },
    gapTopPx: 0,
    gapHeightPx: 24,
  } as unknown as LaneLayout
  paintGaps(frame, lane)
  return written
}

describe('paintGaps', () => {
  it('writes what the gaps of each repeat come to', () =>
    expect(wordsOf([group(0, 100), group(110, 390)])).toHaveLength(2))

  it('writes no words over others where two repeats share a long pass', () => {
    for (const shared of [10, 30, 60, 90]) {
      const words = wordsOf([group(0, 100), group(100 - shared, 200), group(200 - shared, 400)])
      expect(words.length).toBeGreaterThan(1)
      for (const [index, [from]] of words.entries())
        expect(from).toBeGreaterThanOrEqual(words[index - 1]?.[1] ?? 0)
    }
  })
})
