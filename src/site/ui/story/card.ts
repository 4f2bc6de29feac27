/**
 * A card to share, 1200 × 630 (the size that sites show links with): the lesson's question, what was guessed, measured and mended, the first
 * steps of each program as they were measured, and where that can be done. Drawn on a canvas in the page's own colours and faces.
 */
import type { Story, StoryStrip } from '../../state/story'
import { addressOf, lessonRoute } from '../../state/url'

export interface CardWords {
  readonly question: string
  /** Up to three: 'I guessed', '75 %'. */
  readonly numbers: readonly { readonly label: string; readonly value: string }[]
  /** Follows the numbers: 'of the time, the GPU computed'. */
  readonly about: string
  /** Where and when: 'NVIDIA H200 · 21 November 2026'. */
  readonly origin: string
  /** To be typed by whoever sees it. */
  readonly address: string
}

export const CARD_FACE = '"Inter Variable", sans-serif'

const CARD = { width: 1200, height: 630 } as const
const MARGIN = 64
/** Where strips lie, and the most that one takes. */
const STRIPS = { top: 400, bottom: 532, pitch: 56, face: 24 } as const
/** Of a strip's own room. */
const BAR = 0.62
/** The question's largest size, and the smallest that it is set in. */
const TITLE_PX = [56, 32] as const

export interface CardColours {
  readonly surface: string
  readonly text: string
  readonly quiet: string
  readonly device: string
  readonly ground: string
  readonly accent: string
}

/** Of a lesson, without the words that browsers leave out. */
export const cardAddress = (lesson: string): string =>
  new URL(addressOf(lessonRoute(lesson)), document.baseURI).href.replace(/^https?:\/\//, '')

/** A canvas takes no custom property: a probe's colour is what one stands for. */
export function coloursOf(element: Element): CardColours {
  const probe = element.appendChild(document.createElement('span'))
  const of = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    surface: of('--surface'),
    text: of('--text'),
    quiet: of('--text-2'),
    device: of('--device'),
    ground: of('--surface-3'),
    accent: of('--device'),
  }
  probe.remove()
  return colours
}

/** The largest size at which it fits, in two lines at most. */
function setTitle(
  context: CanvasRenderingContext2D,
  text: string,
  face: string,
  width: number,
): readonly string[] {
  for (let size: number = TITLE_PX[0]; ; size -= 2) {
    context.font = `640 ${String(size)}px ${face}`
    const lines = wrapped(context, text, width)
    if (lines.length <= 2 || size <= TITLE_PX[1]) return lines.slice(0, 2)
  }
}

function wrapped(context: CanvasRenderingContext2D, text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** When the device computed. Of no strip anything is drawn where its times are not known: an empty bar would say that it idled. */
function drawStrips(
  context: CanvasRenderingContext2D,
  { strips, lengthNs, isDeviceTimed }: Story,
  colours: CardColours,
  face: string,
): void {
  if (!isDeviceTimed) return
  const pitch = Math.min(STRIPS.pitch, (STRIPS.bottom - STRIPS.top) / strips.length)
  context.font = `400 ${String(Math.min(STRIPS.face, pitch * 0.7))}px ${face}`
  const label = Math.max(...strips.map(({ variant }) => context.measureText(variant).width)) + 24
  const left = MARGIN + label
  const width = CARD.width - MARGIN - left
  const x = (ns: number) => left + (ns / lengthNs) * width
  strips.forEach(({ variant, rows }: StoryStrip, index) => {
    const top = STRIPS.top + index * pitch
    const height = pitch * BAR
    context.fillStyle = colours.quiet
    context.fillText(variant, MARGIN, top + height / 2)
    context.fillStyle = colours.ground
    context.fillRect(left, top, width, height)
    context.fillStyle = colours.device
    for (const { bars } of rows.filter(({ kind }) => kind === 'device'))
      for (const { startNs, endNs } of bars.filter(({ kind }) => kind === 'compute'))
        context.fillRect(x(startNs), top, Math.max(1, x(endNs) - x(startNs)), height)
  })
}

/** @throws Error where the browser gives no canvas, or makes no PNG. */
export async function drawCard(
  { question, numbers, about, origin, address }: CardWords,
  story: Story | null,
  colours: CardColours,
  face: string,
): Promise<Blob> {
  await document.fonts.ready
  const canvas = document.createElement('canvas')
  canvas.width = CARD.width
  canvas.height = CARD.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser gives no canvas to draw on.')
  context.fillStyle = colours.surface
  context.fillRect(0, 0, CARD.width, CARD.height)
  context.textBaseline = 'middle'
  const width = CARD.width - 2 * MARGIN

  context.fillStyle = colours.text
  const title = setTitle(context, question, face, width)
  title.forEach((line, index) => {
    context.fillText(line, MARGIN, 92 + index * 64)
  })
  const column = width / Math.max(1, numbers.length)
  numbers.forEach(({ label, value }, index) => {
    const x = MARGIN + index * column
    const isLast = index === numbers.length - 1
    context.fillStyle = colours.quiet
    context.font = `400 26px ${face}`
    context.fillText(label, x, 224)
    context.fillStyle = isLast ? colours.accent : colours.text
    context.font = `680 76px ${face}`
    context.fillText(value, x, 290, column - 24)
  })
  context.fillStyle = colours.quiet
  context.font = `400 26px ${face}`
  context.fillText(about, MARGIN, 354, width)
  if (story) drawStrips(context, story, colours, face)
  context.font = `400 22px ${face}`
  context.fillStyle = colours.quiet
  context.fillText(origin, MARGIN, CARD.height - 72, width)
  context.fillText(`Host/Device Lab, ${address}`, MARGIN, CARD.height - 40, width)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('This browser makes no PNG of this size.')
  return blob
}
