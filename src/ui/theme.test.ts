/** The tokens of theme.css: the two dark blocks agree, and text stands out from its ground in both themes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast as contrastOf, parseColour } from '../timeline/colour'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')

/** How much of its tone a lit line of code has over its ground. */
const LIT_SHARE =
  Number(
    /\.code-lit \{[^}]*var\(--tone\) (\d+)%/.exec(
      readFileSync(new URL('run/run.css', import.meta.url), 'utf8'),
    )?.[1],
  ) / 100

/** `color-mix(in srgb, tone share, transparent)` painted on a ground. */
function mixed(tone: string, ground: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [over, under] = [tone, ground].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round((over ?? 0) * share + (under ?? 0) * (1 - share))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function tokens(selector: string): Readonly<Record<string, string>> {
  const from = css.indexOf(`${selector} {`)
  expect(from, selector).toBeGreaterThanOrEqual(0)
  const block = css.slice(from, css.indexOf('}', from))
  return Object.fromEntries(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}
const light = tokens(':root')
const bySystem = tokens(":root:not([data-theme='light'])")
const byHand = tokens(":root[data-theme='dark']")
const dark = { ...light, ...byHand }

/** After WCAG 2; of '#rrggbb'. */
const contrast = (a: string, b: string): number => {
  const [x, y] = [parseColour(a), parseColour(b)]
  return x && y ? contrastOf(x, y) : Number.NaN
}

it('is dark in the same way by system and by hand', () => {
  expect(byHand).toEqual(bySystem)
})

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (_name, theme) => {
  const colour = (name: string): string => {
    const value = theme[name] ?? ''
    expect(value, name).toMatch(/^#[0-9a-f]{6}$/)
    return value
  }
  const texts = ['--text', '--text-2', '--accent', '--good', '--warn']
  const code = ['keyword', 'string', 'comment', 'constant', 'function', 'punctuation'].map(
    (kind) => `--code-token-${kind}`,
  )

  it.each([...texts, ...code])('%s can be read on every surface it stands on', (name) => {
    for (const ground of ['--surface', '--surface-2'])
      expect(contrast(colour(name), colour(ground)), ground).toBeGreaterThanOrEqual(4.5)
  })
  it.each(['--text', '--text-2'])('%s can be read on the third surface', (name) => {
    expect(contrast(colour(name), colour('--surface-3'))).toBeGreaterThanOrEqual(4.5)
  })
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
  it('the focus ring stands out', () => {
    expect(contrast(colour('--focus'), colour('--surface'))).toBeGreaterThanOrEqual(3)
  })
})
