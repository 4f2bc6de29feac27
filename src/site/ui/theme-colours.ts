/**
 * The colours of theme.css, for pictures that are made while the site is built, and for its test.
 */
import themeCss from './theme.css?raw'

type Pair = readonly [light: string, dark: string]

const PAIRS: ReadonlyMap<string, Pair> = new Map(
  [...themeCss.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]],
  ),
)

/** Both as '#rrggbb'. @throws where there is no such colour */
export function themeColour(name: string): Pair {
  const pair = PAIRS.get(name)
  if (!pair) throw new Error(`theme.css has no colour '${name}'.`)
  return pair
}
