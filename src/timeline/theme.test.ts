import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, lessChroma, parseColour, inkOn, readableOn } from './colour'
import { makeTheme } from './theme'
import { forAll } from '../testing/for-all'

type ThemeInput = Parameters<typeof makeTheme>[0]
type ColourToken = Parameters<ThemeInput['read']>[0]

const input = (values: Partial<Record<ColourToken, string>>, more: Partial<ThemeInput> = {}): ThemeInput => ({
  read: (name) => values[name] ?? '',
  fontFamily: 'sans-serif',
  forcedColors: false,
  reducedMotion: false,
  recorded: false,
  ...more,
})
const bytes = fc.record({
  red: fc.integer({ min: 0, max: 255 }),
  green: fc.integer({ min: 0, max: 255 }),
  blue: fc.integer({ min: 0, max: 255 }),
})

describe('parseColour', () => {
  it.each([
    ['#0072B2', [0, 114, 178]],
    ['color(srgb 1 0.5 0)', [255, 128, 0]],
    ['color(srgb 0 1.02 0.4 / 1)', [0, 255, 102]],
  ])('reads %s', (text, [red, green, blue]) => expect(parseColour(text)).toEqual({ red, green, blue }))

  it.each(['', 'blue', '#12345', '#fff', 'color(display-p3 1 0 0)', 'var(--x)'])('refuses %s', (text) =>
    expect(parseColour(text)).toBeNull(),
  )
})

describe('makeTheme', () => {
  it('takes the page’s colours, gives recordings less chroma, and forced colours none of ours', () => {
    const live = makeTheme(input({ device: '#009E73' }))
    expect(live.hues.device).toEqual(parseColour('#009E73'))
    const recorded = makeTheme(input({ device: '#009E73' }, { recorded: true }))
    const spread = ({ red, green, blue }: { red: number; green: number; blue: number }) =>
      Math.max(red, green, blue) - Math.min(red, green, blue)
    expect(spread(recorded.hues.device)).toBeLessThan(spread(live.hues.device) / 1.5)
    const forced = makeTheme(
      input({ Canvas: '#000000', CanvasText: '#ffffff', Highlight: '#ffff00' }, { forcedColors: true }),
    )
    expect(forced.hues.host).toEqual(forced.text)
    expect(forced.hues.wait).toEqual(forced.text)
  })

  it('draws a run from elsewhere in the colours of its legend, which are a CSS filter’s', () => {
    const css = readFileSync('src/site/ui/timeline/timeline.css', 'utf8')
    expect(css).toContain(`[data-hued] {`)
    // The matrix of saturate(s) in Filter Effects 1, first row: red.
    const { red, green, blue } = { red: 0, green: 158, blue: 115 }
    const s = Number(/filter: saturate\(([\d.]+)\)/.exec(css)?.[1])
    const expected = (0.213 + 0.787 * s) * red + (0.715 - 0.715 * s) * green + (0.072 - 0.072 * s) * blue
    expect(Math.abs(lessChroma({ red, green, blue }).red - expected)).toBeLessThan(1)
  })

  it('writes on any fill with at least 4.5:1, and keeps small text on hues readable', () => {
    forAll(bytes, (fill) => {
      expect(contrast(inkOn(fill), fill)).toBeGreaterThanOrEqual(4.5)
    })
    for (const surface of ['#ffffff', '#14161a']) {
      const text = surface === '#ffffff' ? '#16191d' : '#e8e8e4'
      const theme = makeTheme(input({ surface, 'surface-2': surface, text }))
      for (const hue of Object.values(theme.hues))
        expect(contrast(readableOn(theme.surface2, hue, theme.text), theme.surface2)).toBeGreaterThanOrEqual(
          4.5,
        )
    }
  })
})
