/** The tokens of theme.css: text stands out from its ground in both themes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast as contrastOf, parseColour } from '../../timeline/colour'
import { RECORDED_HUES } from '../../trace/figure'
import { VARIANT_HUES } from '../../trace/file-shape'
import { seenAs, SIGHTS } from './testing/colour-sight'
import { themeColour } from './theme-colours'

/** How much of its tone a lit line of code has over its ground. */
const LIT_SHARE =
  Number(
    /\.code-lit \{[^}]*var\(--tone\) (\d+)%/.exec(
      readFileSync(new URL('run/run.css', import.meta.url), 'utf8'),
    )?.[1],
  ) / 100

/** In OKLab, where a step of lightness that is just seen is 0.02. */
const APART = 0.075

/** `color-mix(in srgb, tone share, transparent)` painted on a ground. */
function mixed(tone: string, ground: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [over, under] = [tone, ground].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round((over ?? 0) * share + (under ?? 0) * (1 - share))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** After WCAG 2; of '#rrggbb'. */
const contrast = (a: string, b: string): number => {
  const [x, y] = [parseColour(a), parseColour(b)]
  return x && y ? contrastOf(x, y) : Number.NaN
}

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('%s', (_name, theme) => {
  const colour = (token: string): string => themeColour(token.slice(2))[theme]
  const texts = ['--text', '--text-2', '--accent', '--good', '--warn']
  const code = ['keyword', 'string', 'comment', 'constant', 'function', 'punctuation'].map(
    (kind) => `--code-token-${kind}`,
  )

  it.each([...texts, ...code])('%s can be read on every surface it stands on', (name) => {
    for (const ground of ['--surface', '--surface-2'])
      expect(contrast(colour(name), colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
  })
  it.each(['--text', '--text-2'])('%s can be read on the third surface', (name) =>
    expect(contrast(colour(name), colour('--surface-3'))).toBeGreaterThanOrEqual(4.5),
  )
  it.each(['--host', '--staging', '--wait', '--device'])('code can be read on a line lit as %s', (tone) => {
    expect(LIT_SHARE).toBeGreaterThan(0)
    const ground = mixed(colour(tone), colour('--surface-2'), LIT_SHARE)
    // A comment has the second colour of text there.
    for (const name of ['--text', '--text-2', ...code.filter((kind) => kind !== '--code-token-comment')])
      expect(contrast(colour(name), ground), name).toBeGreaterThanOrEqual(4.5)
  })
  it('buttons and notices can be read', () => {
    expect(contrast(colour('--button-text'), colour('--button'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour('--text'), colour('--warn-surface'))).toBeGreaterThanOrEqual(4.5)
  })
  it.each([...VARIANT_HUES, ...RECORDED_HUES])('--%s stands out in a chart', (name) => {
    for (const ground of ['--surface', '--surface-2'])
      expect(contrast(colour(`--${name}`), colour(ground)), ground).toBeGreaterThanOrEqual(3)
  })
  describe.each(SIGHTS)('to %s', (sight) =>
    it.each([
      ['variants', VARIANT_HUES],
      ['recordings', RECORDED_HUES],
    ])('no two hues of the scale of %s are alike', (_scale, hues) => {
      const seen = hues.map((hue) => seenAs(colour(`--${hue}`), sight))
      for (const [index, one] of seen.entries())
        for (const other of seen.slice(index + 1))
          expect(Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)))).toBeGreaterThan(APART)
    }),
  )
  it('a variant has none of the hues that mean something else', () => {
    const others = ['host', 'wait', 'queue', 'staging', 'transfer', 'device', 'collective', ...RECORDED_HUES]
    for (const hue of VARIANT_HUES)
      for (const other of others) {
        const [one, two] = [hue, other].map((name) => seenAs(colour(`--${name}`), 'normal sight'))
        const apart = Math.hypot(...(one ?? []).map((value, at) => value - (two?.[at] ?? 0)))
        expect(apart, `${hue}, ${other}`).toBeGreaterThan(APART)
      }
  })
  it('the focus ring stands out', () =>
    expect(contrast(colour('--focus'), colour('--surface'))).toBeGreaterThanOrEqual(3))
})
