import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RECORDINGS } from './recordings'

it('lists every recording that is served, and no other', () => {
  const served = ['', 'profiles/', 'libraries/']
    .filter((folder) => existsSync(`public/recordings/${folder}`))
    .flatMap((folder) =>
      readdirSync(`public/recordings/${folder}`)
        .filter((name) => name.endsWith('.gz'))
        .map((name) => folder + name),
    )
  expect(RECORDINGS.flatMap(({ files }) => files).sort()).toEqual(served.sort())
  expect(new Set(RECORDINGS.map(({ id }) => id)).size).toBe(RECORDINGS.length)
})
