/**
 * The picture of a result to share: the lesson's question, what was guessed and measured, the
 * devices of each strip, and where that can be done. 1200 × 630, and light, since it stands on
 * other people's pages.
 */
import { isOfDevices, sceneOf } from './scene'
import { repeatsBeside, type Excerpt } from './excerpt'
import { faceOf, ink, type Mark } from './marks'
import { LINK_SIZE, Sheet, type WidthOf } from './sheet'

export interface ShareWords {
  readonly question: string
  /** Up to three: 'I guessed', '75 %'. */
  readonly numbers: readonly { readonly label: string; readonly value: string }[]
  /** Follows the numbers: 'of the time, the GPU computed'. */
  readonly about: string
  /** Adapter and date: 'NVIDIA H200 · 21 November 2026'. */
  readonly origin: string
  /** To be typed by whoever sees it. */
  readonly address: string
}

const MARGIN = 64
const TITLE_SIZES = [56, 52, 48, 44, 40, 36, 32] as const
const VALUE_SIZES = [76, 68, 60, 52, 44, 36] as const
/** Places of the strips, and the most that one takes. */
const STRIPS = { top: 392, bottom: 532, pitch: 56, face: 24 } as const
/** Share of a strip's room that its bars take. */
const BAR = 0.62

/** A lane whose device was not timed is left out: an empty one would say that it idled. */
function drawStrips(sheet: Sheet, excerpt: Excerpt): void {
  if (!isOfDevices(excerpt)) return
  const { strips } = excerpt
  const pitch = Math.min(STRIPS.pitch, (STRIPS.bottom - STRIPS.top) / strips.length)
  const face = faceOf(Math.min(STRIPS.face, pitch * 0.7))
  const names = Math.max(...strips.map(({ variant }) => sheet.widthOf(variant, face))) + 24
  const width = sheet.width - 2 * MARGIN - names
  const heights = pitch * BAR
  strips.forEach((strip, index) => {
    const top = STRIPS.top + index * pitch
    sheet.text(strip.variant, MARGIN, top + heights / 2 + 0.35 * face.size, face, 'text-2')
    const { marks } = sceneOf(strip, excerpt, { width, lanes: 'work', heights, labels: null })
    sheet.place(marks, MARGIN + names, top)
  })
}

export function shareImage(words: ShareWords, excerpt: Excerpt | null, widthOf: WidthOf): readonly Mark[] {
  const { width, height } = LINK_SIZE
  const { numbers, about, origin, address } = words
  const sheet = new Sheet(widthOf, width, MARGIN)
  const room = width - 2 * MARGIN
  sheet.box(0, 0, width, height, ink('surface'))
  const title = sheet.faceFor(words.question, TITLE_SIZES, room, 2, 'bold')
  sheet
    .wrapped(words.question, title, room, 2)
    .forEach((each, at) => sheet.text(each, MARGIN, 110 + at * 64, title, 'text'))
  const column = room / Math.max(1, numbers.length)
  numbers.forEach(({ label, value }, index) => {
    const x = MARGIN + index * column
    const face = sheet.faceFor(value, VALUE_SIZES, column - 24, 1, 'bold')
    sheet.text(label, x, 232, faceOf(26), 'text-2')
    sheet.text(value, x, 314, face, index === numbers.length - 1 ? 'device' : 'text')
  })
  const said = sheet.faceFor(about, [26, 24, 22, 20], room, 1)
  sheet.text(sheet.wrapped(about, said, room, 1).join(''), MARGIN, 362, said, 'text-2')
  if (excerpt) drawStrips(sheet, excerpt)
  const isTypical = excerpt && isOfDevices(excerpt) && repeatsBeside(excerpt) > 0
  const from = isTypical ? `${origin} · drawn: first steps of a typical repeat` : origin
  sheet.text(sheet.wrapped(from, faceOf(22), room, 1).join(''), MARGIN, height - 64, faceOf(22), 'text-2')
  sheet.text(`Host/Device Lab, ${address}`, MARGIN, height - 32, faceOf(22), 'text-2')
  return sheet.marks
}
