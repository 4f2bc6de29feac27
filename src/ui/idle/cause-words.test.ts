import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CAUSE_LABEL } from '../../timeline'
import { CAUSES } from './cause-words'

it('a cause has one name, in the timeline as in every table', () => {
  for (const [cause, label] of Object.entries(CAUSE_LABEL))
    expect(CAUSES[cause as keyof typeof CAUSES].label).toBe(label) // keys of a full record
  expect(new Set(Object.values(CAUSE_LABEL)).size).toBe(Object.keys(CAUSES).length)
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
  expect(others).toEqual(['timeline/causes.ts'])
})
