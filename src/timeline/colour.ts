/** sRGB, 0 to 255. */
export interface Rgb {
  readonly red: number
  readonly green: number
  readonly blue: number
}

const clampByte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)))

/** '#rrggbb', and 'color(srgb …)', which a computed style has of a mix. Null: neither of them. */
export function parseColour(text: string): Rgb | null {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)
  const [, ...parts] = hex ?? /^color\(srgb (\S+) (\S+) ([^\s)]+)/.exec(text) ?? []
  const [red, green, blue] = parts.map((part) =>
    clampByte(hex ? Number.parseInt(part, 16) : Number(part) * 255),
  )
  return red === undefined || green === undefined || blue === undefined ? null : { red, green, blue }
}

export const toCss = ({ red, green, blue }: Rgb, alpha = 1): string =>
  alpha >= 1
    ? `rgb(${String(red)} ${String(green)} ${String(blue)})`
    : `rgb(${String(red)} ${String(green)} ${String(blue)} / ${String(alpha)})`

export const mixRgb = (from: Rgb, to: Rgb, share: number): Rgb => ({
  red: clampByte(from.red + (to.red - from.red) * share),
  green: clampByte(from.green + (to.green - from.green) * share),
  blue: clampByte(from.blue + (to.blue - from.blue) * share),
})

/** WCAG 2.2 relative luminance. */
function luminance({ red, green, blue }: Rgb): number {
  const linear = (byte: number): number => {
    const share = byte / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** @internal */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

/** Share of the chroma that remains for a run that was not measured here. */
const KEPT_CHROMA = 0.45

/**
 * Less chroma at about the same lightness: what was measured elsewhere must not look like yours.
 * The weights are those of CSS's saturate(), which the legend's swatches go through
 * (site/ui/timeline/timeline.css): both show the same colours.
 */
export function lessChroma(colour: Rgb, keep = KEPT_CHROMA): Rgb {
  const grey = 0.213 * colour.red + 0.715 * colour.green + 0.072 * colour.blue
  return mixRgb({ red: grey, green: grey, blue: grey }, colour, keep)
}

/**
 * The colour as a word of ImageData's buffer: bytes in the order red, green, blue, alpha on a
 * little-endian machine, as all that run a browser are.
 */
export const toBytes = ({ red, green, blue }: Rgb, alpha = 1): number =>
  ((Math.round(alpha * 255) << 24) |
    (Math.round(blue) << 16) |
    (Math.round(green) << 8) |
    Math.round(red)) >>>
  0

/** One word of a colour laid over another (Porter and Duff 1984, 'over'). */
export function over(above: number, below: number): number {
  const a = above >>> 24
  const b = ((below >>> 24) * (255 - a)) / 255
  const alpha = a + b
  if (alpha === 0) return 0
  const channel = (shift: number): number =>
    Math.round((((above >>> shift) & 0xff) * a + ((below >>> shift) & 0xff) * b) / alpha) << shift
  return ((Math.round(alpha) << 24) | channel(16) | channel(8) | channel(0)) >>> 0
}

/** Colours that text reads in. */
export const BLACK: Rgb = { red: 0, green: 0, blue: 0 }
const WHITE: Rgb = { red: 255, green: 255, blue: 255 }
/**
 * Ink for text on a fill: whichever of the two reads better. One of them always has at least 4.5:1.
 */
export const inkOn = (fill: Rgb): Rgb => (contrast(fill, WHITE) >= contrast(fill, BLACK) ? WHITE : BLACK)

/**
 * The hue, darkened or lightened towards the ink until small text of it reads on the surface at
 * 4.5:1.
 */
export function readableOn(surface: Rgb, hue: Rgb, ink: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const colour = mixRgb(hue, ink, share)
    if (contrast(colour, surface) >= 4.5) return colour
  }
  return ink
}
