/**
 * Colours and faces of the timeline, from the page's custom properties. `readTheme` asks
 * the page for them. Colours are sRGB, 0 to 255. In forced-colours mode every hue becomes the
 * system's text colour and the patterns carry the meaning.
 */
import { BLACK, lessChroma, parseColour, type Rgb } from './colour'
import { HUES, type Hue } from './marks'

export interface Theme {
  readonly hues: Readonly<Record<Hue, Rgb>>
  readonly surface: Rgb
  /** The tone lanes lie on. */
  readonly surface2: Rgb
  readonly text: Rgb
  readonly text2: Rgb
  readonly accent: Rgb
  readonly fontFamily: string
  readonly forcedColors: boolean
  readonly reducedMotion: boolean
}

type ColourToken = Hue | 'surface' | 'surface-2' | 'text' | 'text-2' | 'accent'

type SystemColour = 'Canvas' | 'CanvasText' | 'Highlight'

interface ThemeInput {
  /** A colour of the page or the system as the computed style gives it; '' when not defined. */
  readonly read: (name: ColourToken | SystemColour) => string
  readonly fontFamily: string
  readonly forcedColors: boolean
  readonly reducedMotion: boolean
  /** Recorded or imported: not measured here. */
  readonly recorded: boolean
}

const huesBy = (colour: (hue: Hue) => Rgb) =>
  Object.fromEntries(HUES.map((hue) => [hue, colour(hue)])) as Record<Hue, Rgb> // of all

/** Black replaces a property that is missing or unreadable. @internal */
export function makeTheme(input: ThemeInput): Theme {
  const { fontFamily, forcedColors, reducedMotion } = input
  const colour = (name: ColourToken | SystemColour): Rgb => parseColour(input.read(name)) ?? BLACK
  if (forcedColors) {
    const [canvas, ink, accent] = [colour('Canvas'), colour('CanvasText'), colour('Highlight')]
    const common = { surface: canvas, surface2: canvas, text: ink, text2: ink, accent }
    const hues = huesBy((hue) => (hue === 'idle' ? canvas : ink))
    return { hues, ...common, fontFamily, forcedColors, reducedMotion }
  }
  const tint = (token: Hue): Rgb => (input.recorded ? lessChroma(colour(token)) : colour(token))
  return {
    hues: huesBy(tint),
    surface: colour('surface'),
    surface2: colour('surface-2'),
    text: colour('text'),
    text2: colour('text-2'),
    accent: colour('accent'),
    fontFamily,
    forcedColors,
    reducedMotion,
  }
}

const matches = (query: string): boolean => matchMedia(query).matches

/**
 * Reads the theme as it is for this element now. A hidden probe resolves var(), oklch() and system
 * colours to numbers.
 */
export function readTheme(element: HTMLElement, recorded: boolean): Theme {
  const style = getComputedStyle(element)
  const probe = document.createElement('span')
  probe.style.cssText = 'position:absolute;visibility:hidden;forced-color-adjust:none'
  element.append(probe)
  const resolve = (value: string): string => {
    if (value === '') return ''
    if (parseColour(value)) return value
    probe.style.color = ''
    probe.style.color = `color-mix(in srgb, ${value} 100%, transparent 0%)`
    return probe.style.color === '' ? '' : getComputedStyle(probe).color
  }
  const theme = makeTheme({
    read: (name) => resolve(/^[A-Z]/.test(name) ? name : style.getPropertyValue(`--${name}`).trim()),
    fontFamily: style.fontFamily,
    forcedColors: matches('(forced-colors: active)'),
    reducedMotion: matches('(prefers-reduced-motion: reduce)'),
    recorded,
  })
  probe.remove()
  return theme
}
