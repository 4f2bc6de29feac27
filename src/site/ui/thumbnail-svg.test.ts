/** Thumbnails: what lies after the end of a variant is drawn as neither computing nor idle. */
import { expect, it } from 'vitest'
import { readRecording } from '../../../vite/previews'
import { questionFigures } from 'virtual:question-figures'
import { ranksSvg, thumbnailSvg } from './thumbnail-svg'

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

const huesOf = (svg: string): ReadonlySet<string> =>
  new Set([...svg.matchAll(/<rect class="([\w-]+)"/g)].map(([, hue = '']) => hue))

it.each([
  ['transfer-cost', ['surface-2', 'host', 'wait']],
  ['collectives', ['surface-2', 'collective']],
])('draws the hosts of %s, where no device was timed', async (id, hues) => {
  expect(huesOf((await thumbnailSvg(id, readRecording)) ?? '')).toEqual(new Set(hues))
})

it('draws a row a profile where a lesson reads profiles, none longer than the longest', async () => {
  const svg = (await thumbnailSvg('read-a-profile', readRecording)) ?? ''
  expect(huesOf(svg)).toEqual(new Set(['surface-2', 'idle', 'device']))
  const idle = [...svg.matchAll(/<rect class="idle" x="0" y="([\d.]+)" width="([\d.]+)"/g)]
  expect(idle.map(([, y]) => Number(y))).toEqual([0, 28, 56])
  expect(Math.max(...idle.map(([, , width]) => Number(width)))).toBe(240)
})

const figures = Object.entries(questionFigures).flatMap(([id, figure]) => (figure ? [{ id, figure }] : []))

it.each(figures)(
  'beside a question of $id the key has what is drawn, no more and no less',
  async ({ id, figure }) => {
    const svg = await (figure.picture === id ? thumbnailSvg : ranksSvg)(id, readRecording)
    const hues = huesOf(svg ?? '')
    expect(hues).toEqual(new Set(['surface-2', ...figure.marks]))
    const grounds = [...(svg ?? '').matchAll(/<rect class="surface-2"/g)]
    expect(grounds, 'a row for each figure').toHaveLength(figure.rows.length)
  },
)
