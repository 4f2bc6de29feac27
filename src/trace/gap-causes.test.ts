import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { byCause, CAUSES } from './gap-causes'
import { GAP_CAUSES } from './gaps'

it('each cause has a name of its own', () => {
  expect(new Set(Object.values(byCause((cause) => CAUSES[cause].label))).size).toBe(GAP_CAUSES.length)
})

it('no page has another name for it', () => {
  const others = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(tsx?|md)$/.test(path) &&
      !path.endsWith('.test.ts') &&
      /'host late'|\bhost late\b|'(host was late|host waited|launch overhead)'/.test(
        readFileSync(`src/${path}`, 'utf8'),
      ),
  )
  expect(others).toEqual(['trace/gap-causes.ts'])
})
