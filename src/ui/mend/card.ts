/**
 * A card to share, 1200 × 630 (the size that sites show links with): the lesson's question, what was guessed, measured and mended, and the
 * first steps of both programs as they were measured. Drawn on a canvas in the page's own colours and faces.
 */
import type { Story, StoryStrip } from '../../state/story'

export interface CardWords {
  readonly question: string
  /** Up to three: 'I guessed', '75 %'. */
  readonly numbers: readonly { readonly label: string; readonly value: string }[]
  /** Follows the numbers: 'of the time, the GPU computed'. */
  readonly about: string
  /** Where and when: 'NVIDIA H200 · 21 November 2026'. */
  readonly origin: string
}

const CARD = { width: 1200, height: 630 } as const
const MARGIN = 64
const STRIP = { height: 34, gap: 22, top: 424, label: 132 } as const
/** The question's largest size, and the smallest that it is set in. */
const TITLE_PX = [56, 32] as const

export interface CardColours {
  readonly surface: string
  readonly text: string
  readonly quiet: string
  readonly device: string
  readonly idle: string
  readonly accent: string
}

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
    idle: of('--surface-3'),
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

function drawStrip(
  context: CanvasRenderingContext2D,
  { variant, rows }: StoryStrip,
  { lengthNs, top, colours, face }: { lengthNs: number; top: number; colours: CardColours; face: string },
): void {
  const left = MARGIN + STRIP.label
  const width = CARD.width - MARGIN - left
  context.fillStyle = colours.quiet
  context.font = `400 24px ${face}`
  context.fillText(variant, MARGIN, top + STRIP.height / 2)
  context.fillStyle = colours.idle
  context.fillRect(left, top, width, STRIP.height)
  context.fillStyle = colours.device
  for (const { kind, bars } of rows)
    if (kind === 'device')
      for (const { startNs, endNs, kind: what } of bars)
        if (what === 'compute') {
          const x = left + (startNs / lengthNs) * width
          context.fillRect(x, top, Math.max(1, ((endNs - startNs) / lengthNs) * width), STRIP.height)
        }
}

/** @throws Error where the browser gives no canvas, or makes no PNG. */
export async function drawCard(
  { question, numbers, about, origin }: CardWords,
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
  context.fillText(about, MARGIN, 362, width)
  story?.strips.slice(0, 2).forEach((strip, index) => {
    const top = STRIP.top + index * (STRIP.height + STRIP.gap)
    drawStrip(context, strip, { lengthNs: story.lengthNs, top, colours, face })
  })
  context.font = `400 22px ${face}`
  context.fillStyle = colours.quiet
  context.fillText(origin, MARGIN, CARD.height - 48, width - 320)
  context.textAlign = 'end'
  context.fillText('Host/Device Lab', CARD.width - MARGIN, CARD.height - 48)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('This browser makes no PNG of this size.')
  return blob
}
