import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CAUSES } from './gap-causes'
import { GAP_CAUSES } from './gaps'

it('each cause has a name of its own', () =>
  expect(new Set(Object.values(CAUSES).map(({ label }) => label)).size).toBe(GAP_CAUSES.length))

/** Files that hold this, tests left out. */
const filesWith = (text: RegExp): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(tsx?|md)$/.test(path) &&
      !path.endsWith('.test.ts') &&
      text.test(readFileSync(`src/${path}`, 'utf8')),
  )

it('no page has another name for it', () => {
  expect(filesWith(/'host late'|\bhost late\b|'(host was late|host waited|launch overhead)'/)).toEqual([
    'trace/gap-causes.ts',
  ])
})

it('no other table has words or marks by cause; what a replay takes away is none', () =>
  expect(filesWith(/'host-waited': /).toSorted()).toEqual(['analysis/run-gains.ts', 'trace/gap-causes.ts']))
