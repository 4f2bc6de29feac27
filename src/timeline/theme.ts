/**
 * Colours and faces of the timeline, read from the page's custom properties. The parsing is pure; `readTheme` alone touches the DOM.
 * Colours are sRGB, 0 to 255. In forced-colours mode every hue becomes the system's text colour and the patterns carry the meaning.
 */
import type { Hue } from './marks'

export interface Rgb {
  readonly red: number
  readonly green: number
  readonly blue: number
}

export interface Theme {
  readonly hues: Readonly<Record<Hue, Rgb>>
  readonly surface: Rgb
  /** The tone lanes lie on. */
  readonly surface2: Rgb
  readonly text: Rgb
  readonly text2: Rgb
  readonly accent: Rgb
  readonly fontFamily: string
  readonly isDark: boolean
  readonly forcedColors: boolean
  readonly reducedMotion: boolean
}

/** The colours of ui/theme.css, for a page that defines no custom properties. */
const FALLBACK = {
  light: {
    host: '#0072B2',
    wait: '#D55E00',
    queue: '#6B7280',
    staging: '#E69F00',
    transfer: '#56B4E9',
    device: '#009E73',
    collective: '#B05C93',
    idle: '#F6F7F9',
    surface: '#FFFFFF',
    'surface-2': '#F3F4F6',
    text: '#16191D',
    'text-2': '#545B66',
    accent: '#0072B2',
  },
  dark: {
    host: '#4FB3E8',
    wait: '#FF8A4C',
    queue: '#9CA3AF',
    staging: '#F2B84B',
    transfer: '#8CCBF0',
    device: '#35C79A',
    collective: '#D993C2',
    idle: '#14171B',
    surface: '#0F1215',
    'surface-2': '#171B20',
    text: '#E8EBEF',
    'text-2': '#A2AAB6',
    accent: '#4FB3E8',
  },
} as const
export type ColourToken = keyof (typeof FALLBACK)['light']

const clampByte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)))

/** '#rgb', '#rrggbb(aa)', 'rgb(…)', 'rgba(…)' and 'color(srgb …)': the forms that computed styles take. Null: none of them. */
export function parseColour(text: string): Rgb | null {
  const value = text.trim().toLowerCase()
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1]
  if (hex !== undefined) {
    if (hex.length === 5 || hex.length === 7) return null
    const wide = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
    const byte = (index: number): number => Number.parseInt(wide.slice(index * 2, index * 2 + 2), 16)
    return { red: byte(0), green: byte(1), blue: byte(2) }
  }
  const call = /^(rgba?|color)\((.*)\)$/.exec(value)
  if (!call) return null
  const parts = (call[2] ?? '').split(/[\s,/]+/).filter((part) => part !== '')
  if (call[1] === 'color' && parts.shift() !== 'srgb') return null
  const unit = call[1] === 'color' ? 255 : 1
  const channel = (part: string | undefined): number =>
    part === undefined || part === 'none'
      ? 0
      : part.endsWith('%')
        ? Number(part.slice(0, -1)) * 2.55
        : Number(part) * unit
  const [red, green, blue] = [channel(parts[0]), channel(parts[1]), channel(parts[2])]
  if (parts.length < 3 || ![red, green, blue].every(Number.isFinite)) return null
  return { red: clampByte(red), green: clampByte(green), blue: clampByte(blue) }
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

export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

const BLACK: Rgb = { red: 0, green: 0, blue: 0 }
const WHITE: Rgb = { red: 255, green: 255, blue: 255 }
/** Ink for text on a fill: whichever of the two reads better. One of them always has at least 4.5:1. */
export const inkOn = (fill: Rgb): Rgb => (contrast(fill, WHITE) >= contrast(fill, BLACK) ? WHITE : BLACK)

/** Of the chroma of a run that was not measured here. */
export const KEPT_CHROMA = 0.45

/**
 * Less chroma at about the same lightness: what was measured elsewhere must not look like yours. The weights are those of CSS's
 * saturate(), which the legend's swatches go through (ui/timeline/timeline.css): both show the same colours.
 */
export function lessChroma(colour: Rgb, keep = KEPT_CHROMA): Rgb {
  const grey = 0.213 * colour.red + 0.715 * colour.green + 0.072 * colour.blue
  return mixRgb({ red: grey, green: grey, blue: grey }, colour, keep)
}

const HUES = ['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'collective', 'idle'] as const

export interface ThemeInput {
  /** A custom property's or system colour's value as the computed style gives it; '' when not defined. */
  readonly read: (token: ColourToken) => string
  /** System colours, resolved; asked for in forced-colours mode only. */
  readonly system: (name: 'Canvas' | 'CanvasText' | 'Highlight' | 'GrayText') => string
  readonly fontFamily: string
  readonly prefersDark: boolean
  readonly forcedColors: boolean
  readonly reducedMotion: boolean
  /** Recorded or imported: not measured here. */
  readonly recorded: boolean
}

/** Where a property is missing or unreadable the fallback of the same tone (light or dark) stands in. */
export function makeTheme(input: ThemeInput): Theme {
  const { fontFamily, forcedColors, reducedMotion } = input
  const givenSurface = parseColour(input.read('surface'))
  const isDark = givenSurface ? luminance(givenSurface) < 0.2 : input.prefersDark
  const fallback = FALLBACK[isDark ? 'dark' : 'light']
  const colour = (token: ColourToken): Rgb =>
    parseColour(input.read(token)) ?? parseColour(fallback[token]) ?? BLACK
  if (forcedColors) {
    const canvas = parseColour(input.system('Canvas')) ?? colour('surface')
    const ink = parseColour(input.system('CanvasText')) ?? colour('text')
    const highlight = parseColour(input.system('Highlight')) ?? colour('accent')
    const hues = Object.fromEntries(HUES.map((hue) => [hue, hue === 'idle' ? canvas : ink])) as Record<
      Hue,
      Rgb
    >
    const common = { surface: canvas, surface2: canvas, text: ink, text2: ink, accent: highlight }
    return { hues, ...common, fontFamily, forcedColors, reducedMotion, isDark: luminance(canvas) < 0.2 }
  }
  const tint = (token: Hue): Rgb => (input.recorded ? lessChroma(colour(token)) : colour(token))
  return {
    hues: Object.fromEntries(HUES.map((hue) => [hue, tint(hue)])) as Record<Hue, Rgb>,
    surface: colour('surface'),
    surface2: colour('surface-2'),
    text: colour('text'),
    text2: colour('text-2'),
    accent: colour('accent'),
    fontFamily,
    isDark,
    forcedColors,
    reducedMotion,
  }
}

const matches = (query: string): boolean => matchMedia(query).matches

/** Reads the theme as it is for this element now. A hidden probe resolves var(), oklch() and system colours to numbers. */
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
    read: (token) => resolve(style.getPropertyValue(`--${token}`).trim()),
    system: (name) => resolve(name),
    fontFamily: style.fontFamily,
    prefersDark: matches('(prefers-color-scheme: dark)'),
    forcedColors: matches('(forced-colors: active)'),
    reducedMotion: matches('(prefers-reduced-motion: reduce)'),
    recorded,
  })
  probe.remove()
  return theme
}

/** As a word of ImageData's buffer: bytes in the order red, green, blue, alpha on a little-endian machine, as all that run a browser are. */
export const toBytes = ({ red, green, blue }: Rgb, alpha = 1): number =>
  ((Math.round(alpha * 255) << 24) |
    (Math.round(blue) << 16) |
    (Math.round(green) << 8) |
    Math.round(red)) >>>
  0
