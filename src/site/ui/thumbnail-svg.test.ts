/** Thumbnails: what lies after the end of a variant is drawn as neither computing nor idle. */
import { expect, it } from 'vitest'
import { ranksThumbnail, thumbnailOf } from '../../../vite/thumbnails'
import { readLessons } from '../../../vite/words-md'
import { questionFigures } from 'virtual:question-figures'
import { mixed } from '../../strips/svg'
import { themeColour } from './theme-colours'
import { thumbnailSvg } from './thumbnail-svg'

interface Drawn {
  readonly hue: string
  readonly fill: string
  readonly row: number
  readonly end: number
}

const lessons = await readLessons()
/** Paints the thumbnail of a lesson, or that of the ranks in the profile that it shows. */
async function svgOf(picture: string): Promise<string> {
  const lesson = lessons.find(({ id }) => id === picture.replace(/-ranks$/, ''))
  const isOfRanks = lesson?.kind === 'profiles' && lesson.id !== picture
  const drawn = lesson && (await (isOfRanks ? ranksThumbnail(lesson) : thumbnailOf(lesson)))
  return drawn ? thumbnailSvg(drawn) : ''
}

const light = (hue: string): string => themeColour(hue)[0]
/** By what stands for them in light pictures; waits are a tint. */
const hueNames = new Map([
  ...(['surface-2', 'device', 'transfer', 'collective', 'host'] as const).map(
    (hue) => [mixed(light, { hue, share: 1 }), hue] as const,
  ),
  [mixed(light, { hue: 'wait', share: 0.12 }), 'wait'],
  [mixed(light, { hue: 'idle', share: 0.25 }), 'idle'],
])
function drawnIn(svg: string): readonly Drawn[] {
  const rects = [
    ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" fill="([^"]+)"/g),
  ].map(([, x, y, width, fill = '']) => ({
    hue: hueNames.get(fill) ?? fill,
    fill,
    row: Number(y),
    end: Number(x) + Number(width),
  }))
  const areas = [...svg.matchAll(/<path transform="translate\(0 ([\d.]+)\)" d="[^"]+" fill="([^"]+)"/g)].map(
    ([, y, fill = '']) => ({ hue: hueNames.get(fill) ?? fill, fill, row: Number(y), end: 240 }),
  )
  return [...rects, ...areas]
}
const huesOf = (svg: string): ReadonlySet<string> => new Set(drawnIn(svg).map(({ hue }) => hue))

it('draws idle time where it was recorded, and as much time of each variant', async () => {
  const svg = await svgOf('sync-stalls')
  const boxes = drawnIn(svg)
  const [never, , everyStep] = [...new Set(boxes.map(({ row }) => row))].map((row) =>
    boxes.filter((box) => box.row === row && box.hue !== 'surface-2'),
  )
  const whole = Math.max(...boxes.map(({ end }) => end))
  for (const row of [never, everyStep])
    expect(Math.max(...(row ?? []).map(({ end }) => end))).toBeCloseTo(whole, 0)
  const passesIn = (row = never) => row?.filter(({ hue }) => hue === 'device').length ?? 0
  expect(passesIn(never)).toBeGreaterThan(1.5 * passesIn(everyStep))
})

it.each([
  ['transfer-cost', ['surface-2', 'host', 'wait']],
  ['collectives', ['surface-2', 'collective']],
])('draws the hosts of %s, where no device was timed', async (id, hues) =>
  expect(huesOf(await svgOf(id))).toEqual(new Set(hues)),
)

it('draws a row a profile where a lesson reads profiles, none longer than the longest', async () => {
  const svg = await svgOf('read-a-profile')
  expect(huesOf(svg)).toEqual(new Set(['surface-2', 'idle', 'transfer', 'device']))
  const idle = drawnIn(svg).filter(({ hue }) => hue === 'idle')
  expect(idle.map(({ row }) => row)).toEqual([0, 28, 56])
  expect(Math.max(...idle.map(({ end }) => end))).toBe(240)
})

const figures = Object.entries(questionFigures).flatMap(([id, figure]) => (figure ? [{ id, figure }] : []))

it.each(figures)(
  'beside a question of $id the key has what is drawn, no more and no less',
  async ({ figure }) => {
    const svg = await svgOf(figure.picture)
    const paints = new Set(drawnIn(svg).map(({ fill }) => fill))
    const ground = mixed(light, { hue: 'surface-2', share: 1 })
    expect(paints).toEqual(new Set([ground, ...figure.key.map(({ fill }) => fill && mixed(light, fill))]))
    const grounds = drawnIn(svg).filter(({ hue }) => hue === 'surface-2')
    expect(new Set(grounds.map(({ row }) => Math.floor(row / 28))).size, 'a row for each figure').toBe(
      figure.rows.length,
    )
  },
)
