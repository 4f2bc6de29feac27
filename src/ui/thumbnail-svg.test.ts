/** Thumbnails: what lies after the end of a variant is drawn as neither computing nor idle. */
import { expect, it } from 'vitest'
import { readRecording } from '../../vite/previews'
import { thumbnailSvg } from './thumbnail-svg'

it('draws idle time where it was recorded, and nothing after the end of a loop that reads nothing', async () => {
  const svg = (await thumbnailSvg('sync-stalls', readRecording)) ?? ''
  const boxes = [...svg.matchAll(/<rect class="([\w-]+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map(
    ([, hue, x, y, width]) => ({ hue, row: Number(y), end: Number(x) + Number(width) }),
  )
  const [never, , everyStep] = [...new Set(boxes.map(({ row }) => row))].map((row) =>
    boxes.filter((box) => box.row === row && box.hue !== 'surface-2').map(({ end }) => end),
  )
  const whole = Math.max(...boxes.map(({ end }) => end))
  expect(Math.max(...(everyStep ?? []))).toBeCloseTo(whole, 0)
  expect(Math.max(...(never ?? []))).toBeLessThan(whole / 2)
})
