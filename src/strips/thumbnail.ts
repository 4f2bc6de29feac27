/**
 * An excerpt small: a row for each of the last strips, with its devices, or with its hosts where no
 * device was timed.
 */
import type { Excerpt } from './excerpt'
import { movedBy, type Mark } from './marks'
import { sceneOf } from './scene'

export const MOST_STRIPS = 3
const SIZE = { width: 240, row: 22, gap: 6 } as const

export interface Thumbnail {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

/** @param asShares of whole profiles, all of them: their gaps are narrower than a pixel */
export function thumbnailScene(excerpts: readonly Excerpt[], asShares = false): Thumbnail | null {
  const cut = { width: SIZE.width, lanes: 'work', heights: SIZE.row, labels: null, asShares } as const
  const scenes = excerpts.flatMap((excerpt) =>
    (asShares ? excerpt.strips : excerpt.strips.slice(-MOST_STRIPS)).map((strip) =>
      sceneOf(strip, excerpt, cut),
    ),
  )
  const pitch = SIZE.row + SIZE.gap
  const marks = scenes.flatMap((scene, at) => movedBy(scene.marks, 0, at * pitch))
  if (marks.every(({ part }) => part === 'ground')) return null
  return { width: SIZE.width, height: scenes.length * pitch - SIZE.gap, marks }
}
