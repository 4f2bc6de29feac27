/** Colours that text reads in. */
import { contrast, mixRgb, type Rgb } from './colour'

const BLACK: Rgb = { red: 0, green: 0, blue: 0 }
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
