/** A lane's counter (queue depth) over its rows. */
import { lowerBound, upperBound } from '../base/search'
import { visitCounter } from '../trace/counter-levels'
import { pictureOf } from '../trace/picture'
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { nsToPx } from './scale'
import { toCss } from './theme'

type Point = readonly [px: number, py: number]

/** A stepped area that holds each sample until the next; samples that share a pixel show their extremes. */
export function paintCounter({ context, scale, data, theme, dpr }: Frame, lane: LaneLayout): void {
  const levels = pictureOf(data.placed).counters[lane.counters[0] ?? -1]
  const counter = levels?.columns
  if (!counter || counter.length === 0) return
  const bottom = lane.counterTopPx + lane.counterHeightPx
  const perUnit = (lane.counterHeightPx - 3) / lane.counterMax
  const yOf = (value: number): number => bottom - value * perUnit
  const { startNs, endNs } = scale.view
  const first = Math.max(0, upperBound(counter.timeNs, startNs, counter.length) - 1)
  const last = Math.min(counter.length, lowerBound(counter.timeNs, endNs, counter.length) + 1)
  const lastNs = Math.max(data.nowNs, counter.timeNs[counter.length - 1] ?? 0)
  const leftPx = Math.max(scale.leftPx - 2, nsToPx(scale, counter.timeNs[first] ?? 0))
  const points: Point[] = [[leftPx, yOf(counter.value[first] ?? 0)]]
  const at = (px: number, y: number): void => {
    points.push([px, y])
  }
  let y = yOf(counter.value[first] ?? 0)
  let column = Math.floor(leftPx * dpr)
  let [top, bottomOfColumn] = [y, y]
  const closeColumn = (): void => {
    if (top === y && bottomOfColumn === y) return
    at(column / dpr, top)
    at(column / dpr, bottomOfColumn)
    at(column / dpr, y)
  }
  visitCounter(levels, first + 1, last, 1 / (scale.pxPerNs * dpr), (timeNs, low, high, lastValue) => {
    const px = nsToPx(scale, timeNs)
    const [highest, lowest, next] = [yOf(high), yOf(low), yOf(lastValue)]
    if (Math.floor(px * dpr) === column) {
      top = Math.min(top, highest)
      bottomOfColumn = Math.max(bottomOfColumn, lowest)
    } else {
      closeColumn()
      at(px, y)
      at(px, next)
      column = Math.floor(px * dpr)
      top = highest
      bottomOfColumn = lowest
    }
    y = next
  })
  closeColumn()
  const rightPx = Math.max(Math.min(scale.rightPx + 2, nsToPx(scale, lastNs)), column / dpr)
  at(rightPx, y)

  const draw = (): void => {
    context.beginPath()
    for (const [index, [px, py]] of points.entries())
      if (index === 0) context.moveTo(px, py)
      else context.lineTo(px, py)
  }
  draw()
  context.lineTo(rightPx, bottom)
  context.lineTo(leftPx, bottom)
  context.closePath()
  context.fillStyle = toCss(theme.hues.queue, 0.28)
  context.fill()
  draw()
  context.strokeStyle = toCss(theme.hues.queue)
  context.lineWidth = 1.25
  context.stroke()
}
