/**
 * The image by which other sites show a link: a page's question and, below it, strips of what was
 * recorded, each with its figure. 1200 × 630, and light, since it stands on other people's pages.
 */
import type { Excerpt, ExcerptStrip } from './excerpt'
import { keyOf, type KeyName } from './key'
import { faceOf, ink, type Mark } from './marks'
import { heightsFor, sceneOf, type Heights, type Lanes, type StripScene } from './scene'
import { LINK_SIZE, Sheet, type WidthOf } from './sheet'

export interface LinkPicture {
  /** Each on a scale of its own. */
  readonly excerpts: readonly Excerpt[]
  readonly lanes: Lanes
  readonly asShares: boolean
  /** Under a strip's name. */
  readonly figureOf: (variant: string) => string | null
  /** How much of the recording is drawn: 'First 9.1 ms of a typical repeat'. */
  readonly part: string
  readonly adapter: string
}

const MARGIN = 64
const NAMES = 248
const STRIPS = { x: MARGIN + NAMES, width: LINK_SIZE.width - 2 * MARGIN - NAMES, gap: 20 } as const
const TITLE_SIZES = [60, 54, 48, 42, 36] as const
/** A strip is drawn higher than on a page, up to this. */
const MOST_STRETCH = 1.8
/** Most height of a device that is alone. */
const MOST_HEIGHT = 140

const KEY: Readonly<Record<KeyName, string>> = {
  host: 'host at work',
  wait: 'waiting',
  staging: 'staging buffer',
  transfer: 'copy',
  collective: 'in a collective',
  device: 'computing',
  idle: 'idle',
  'idle-upload': 'idle, data not ready',
  'idle-other': 'idle, not for the host',
}

const stretched = (heights: Heights, by: number): Heights => ({
  host: heights.host * by,
  queue: heights.queue * by,
  staging: heights.staging * by,
  device: heights.device * by,
  gap: heights.gap * by,
})

interface NamedScene extends StripScene {
  readonly variant: string
}

function scenesIn({ excerpts, lanes, asShares }: LinkPicture, room: number): readonly NamedScene[] {
  const all = excerpts.flatMap((excerpt) => excerpt.strips.map((strip) => ({ excerpt, strip })))
  const draw =
    (heights: Heights | number) =>
    ({ excerpt, strip }: { excerpt: Excerpt; strip: ExcerptStrip }) => ({
      variant: strip.variant,
      ...sceneOf(strip, excerpt, { width: STRIPS.width, lanes, heights, asShares, labels: null }),
    })
  const own = room - STRIPS.gap * (all.length - 1)
  if (lanes === 'work') return all.map(draw(Math.min(MOST_HEIGHT, own / all.length)))
  const heights = heightsFor(STRIPS.width)
  const whole = all.map(draw(heights)).reduce((sum, { height }) => sum + height, 0)
  return all.map(draw(stretched(heights, Math.min(MOST_STRETCH, own / whole))))
}

/** @param picture null: the question alone */
export function linkImage(heading: string, picture: LinkPicture | null, widthOf: WidthOf): readonly Mark[] {
  const { width, height } = LINK_SIZE
  const sheet = new Sheet(widthOf, width, MARGIN)
  sheet.box(0, 0, width, height, ink('surface'))
  sheet.text('Host/Device Lab', MARGIN, 72, faceOf(24, 'bold'), 'text')
  const pitch = 'Predict, run it on your own GPU, see why'
  sheet.text(pitch, width - MARGIN - widthOf(pitch, faceOf(24)), 72, faceOf(24), 'text-2')
  const room = width - 2 * MARGIN
  const face = sheet.faceFor(heading, TITLE_SIZES, room, picture ? 2 : 4, 'bold')
  sheet.y = (picture ? 96 : 220) - 0.15 * face.size
  for (const each of sheet.wrapped(heading, face, room, 4)) {
    sheet.y += face.size * 1.2
    sheet.text(each, MARGIN, sheet.y, face, 'text')
  }
  if (picture) drawPicture(sheet, picture)
  return sheet.marks
}

function drawPicture(sheet: Sheet, picture: LinkPicture): void {
  const { width, height } = LINK_SIZE
  let top = sheet.y + 36
  const scenes = scenesIn(picture, height - 100 - top)
  for (const { variant, marks, height: own } of scenes) {
    sheet.place(marks, STRIPS.x, top)
    drawName(sheet, variant, picture.figureOf(variant), top + own / 2)
    top += own + STRIPS.gap
  }
  const { part } = picture
  const small = sheet.faceFor(part, [18, 16, 14, 13], NAMES - 16, 1)
  sheet.text(part, MARGIN, height - 68, small, 'text-2')
  const on = `recorded on ${picture.adapter}`
  const bold = sheet.faceFor(on, [18, 16, 13], NAMES - 16, 1, 'bold')
  sheet.text(on, MARGIN, height - 42, bold, 'text-2')
  drawKey(
    sheet,
    scenes.flatMap(({ marks }) => marks),
    width - MARGIN,
    height - 42,
  )
}

function drawName(sheet: Sheet, name: string, figure: string | null, middle: number): void {
  const named = sheet.faceFor(name, [26, 22, 18, 15], NAMES - 16, 1, 'bold')
  const said = sheet.faceFor(figure ?? '', [22, 18], NAMES - 16, 1)
  const lines = figure === null ? [] : sheet.wrapped(figure, said, NAMES - 16, 2)
  let y = middle - (named.size + lines.length * said.size * 1.2) / 2 + named.size * 0.85
  sheet.text(name, MARGIN, y, named, 'text')
  for (const each of lines) {
    y += said.size * 1.25
    sheet.text(each, MARGIN, y, said, 'text-2')
  }
}

/** From its right end. */
function drawKey(sheet: Sheet, marks: readonly Mark[], right: number, y: number): void {
  const face = faceOf(18)
  let x = right
  for (const { name, fill, edge } of keyOf(marks).toReversed()) {
    x -= sheet.widthOf(KEY[name], face)
    sheet.text(KEY[name], x, y, face, 'text-2')
    x -= 20
    sheet.box(x, y - 13, 14, 14, fill, edge)
    x -= 16
  }
}
