/**
 * A summary of a trace as a picture: for the page, which paints it on a canvas, and for `analyze
 * --picture`, which writes SVG.
 */
import { NO_DEVICE } from '../analysis/diagnosis-words'
import { sourceText } from '../analysis/finding-words'
import type { SummarisedDevice, Summary } from '../analysis/summary/summary'
import type { TimePart } from '../analysis/summary/time-parts'
import { percentText } from '../base/figures'
import { faceOf, ink, line, type Edge, type Ink, type Mark } from './marks'
import { Sheet, type WidthOf } from './sheet'

const WIDTH = 1200
const MARGIN = 56
const ROOM = WIDTH - 2 * MARGIN
/** Room of a cause's words, beside its share. */
const INDENT = 150
const BAR_HEIGHT = 36
/** With more devices the picture says how many there are: it is to be read at a glance. */
const MOST_DEVICES = 3

export interface SummaryImage {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

const FACES = {
  file: faceOf(24, 'bold'),
  verdict: faceOf(32, 'bold'),
  figure: faceOf(60, 'bold'),
  cause: faceOf(26, 'bold'),
  source: faceOf(20, 'mono'),
  error: faceOf(24, 'bold'),
  small: faceOf(20),
} as const
const LINE_HEIGHT = 1.35

/**
 * Kernels solid, idle pale, copies and waiting hatched, what nobody knows an outline: distinguished
 * without colour too.
 */
const LOOKS: Readonly<Record<TimePart['part'], Look>> = {
  workUs: { fill: ink('device') },
  copyUs: { fill: ink('transfer', 0.35), edge: line('transfer'), pitch: 4 },
  waitUs: { fill: ink('wait', 0.25), edge: line('wait'), pitch: 8 },
  collectiveUs: { fill: ink('collective', 0.45), edge: line('collective') },
  idleUs: { fill: ink('idle', 0.28), edge: line('idle') },
  unrecordedUs: { fill: null, edge: line('text-2') },
}
interface Look {
  readonly fill: Ink | null
  readonly edge?: Edge
  /** Distance of its stripes, px. */
  readonly pitch?: number
}

function drawPart(
  sheet: Sheet,
  part: TimePart['part'],
  x: number,
  width: number,
  y: number,
  height: number,
): void {
  const { fill, edge, pitch } = LOOKS[part]
  sheet.box(x, y, width, height, fill)
  if (pitch !== undefined && fill)
    for (let at = 0; at < width; at += pitch)
      sheet.box(x + at, y, Math.min(2, width - at), height, ink(fill.hue))
  if (edge && width >= 3) sheet.box(x + 0.5, y + 0.5, width - 1, height - 1, null, edge)
}

function drawRule(sheet: Sheet): void {
  sheet.y += 34
  sheet.box(MARGIN, sheet.y, ROOM, 1, ink('text-2', 0.35))
}

const ratioText = (value: number | null): string => (value === null ? 'unknown' : percentText(value))

function drawBar(sheet: Sheet, parts: readonly TimePart[]): void {
  const top = sheet.y + 20
  let x = MARGIN
  for (const { part, width } of parts) {
    drawPart(sheet, part, x, width * ROOM, top, BAR_HEIGHT)
    x += width * ROOM
  }
  sheet.y = top + BAR_HEIGHT + 30
  x = MARGIN
  for (const { part, label, share } of parts) {
    const words = `${label} ${percentText(share)}`
    const width = 26 + sheet.widthOf(words, FACES.small) + 24
    if (x > MARGIN && x + width > WIDTH - MARGIN) {
      x = MARGIN
      sheet.y += 30
    }
    drawPart(sheet, part, x, 16, sheet.y - 15, 16)
    sheet.text(words, x + 26, sheet.y, FACES.small, 'text-2')
    x += width
  }
}

function drawDevice(sheet: Sheet, device: SummarisedDevice): void {
  const { id, name, sentence, busyRatio, workRatio, parts, causes, error } = device
  sheet.write(name === '' ? id : `${name}, ${id}`, MARGIN, FACES.small, 'text-2', 1)
  if (sentence !== '') {
    sheet.y += 6
    sheet.write(sentence, MARGIN, FACES.verdict, 'text', 3)
  }
  sheet.y += 76
  const figures = [
    ['busy', busyRatio],
    ['work', workRatio],
  ] as const
  figures.forEach(([label, value], index) => {
    const x = MARGIN + index * 360
    sheet.text(ratioText(value), x, sheet.y, FACES.figure, 'text')
    sheet.text(label, x, sheet.y + 30, FACES.small, 'text-2')
  })
  sheet.y += 34
  if (parts.length > 0) drawBar(sheet, parts)
  const left = MARGIN + INDENT
  for (const { share, title, line: source, evidence } of causes) {
    sheet.y += 18
    sheet.text(percentText(share), MARGIN, sheet.y + FACES.cause.size * LINE_HEIGHT, FACES.cause, 'text')
    sheet.write(title, left, FACES.cause, 'text', 2)
    if (source) sheet.writeEnd(sourceText(source), left, FACES.source, 'text')
    sheet.write(evidence, left, FACES.small, 'text-2', 3)
  }
  if (error !== '') {
    sheet.y += 18
    sheet.write(error, MARGIN, FACES.error, 'text', 3)
  }
}

const costOf = ({ causes }: SummarisedDevice): number => causes.reduce((sum, { share }) => sum + share, 0)

/** @param from whose picture it is, and where it comes from: its last line */
export function summaryImage({ together, files }: Summary, widthOf: WidthOf, from: string): SummaryImage {
  const sheet = new Sheet(widthOf, WIDTH, MARGIN)
  // Whose folders they lie in is nobody's business but the reader's.
  sheet.writeEnd(
    files.map(({ file }) => file.split(/[\\/]/).at(-1) ?? '').join(', '),
    MARGIN,
    FACES.file,
    'text',
  )
  if (together !== '') {
    sheet.y += 6
    sheet.write(together, MARGIN, FACES.verdict, 'text', 4)
  }
  // The device that loses most comes first, as on the page.
  const devices = files.flatMap((file) => file.devices).toSorted((a, b) => costOf(b) - costOf(a))
  devices.slice(0, MOST_DEVICES).forEach((device, index) => {
    if (index > 0 || together !== '') drawRule(sheet)
    sheet.y += 10
    drawDevice(sheet, device)
  })
  const more = devices.length - MOST_DEVICES
  if (devices.length === 0) sheet.write(NO_DEVICE, MARGIN, FACES.verdict, 'text', 2)
  if (more > 0)
    sheet.write(
      `and ${String(more)} more ${more === 1 ? 'device' : 'devices'}`,
      MARGIN,
      FACES.small,
      'text-2',
      1,
    )
  drawRule(sheet)
  sheet.y += 8
  sheet.write(from, MARGIN, FACES.small, 'text-2', 1)
  const height = Math.ceil(sheet.y + MARGIN)
  const page = {
    shape: 'box',
    part: 'ground',
    x: 0,
    y: 0,
    width: WIDTH,
    height,
    fill: ink('surface'),
  } as const
  return { width: WIDTH, height, marks: [page, ...sheet.marks] }
}
