import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findRecording, RECORDINGS } from './recordings'

it('finds every recording that is served, and lists no other', () => {
  const served = ['', 'profiles/', 'libraries/']
    .filter((folder) => existsSync(`public/recordings/${folder}`))
    .flatMap((folder) =>
      readdirSync(`public/recordings/${folder}`)
        .filter((name) => name.endsWith('.gz'))
        .map((name) => folder + name),
    )
  const listed = RECORDINGS.flatMap(({ files }) => files)
  expect(served).toEqual(expect.arrayContaining(listed))
  for (const file of served.filter((name) => !listed.includes(name)))
    expect(findRecording(file.replace(/(-rank\d+)?\.json\.gz/, ''))?.files).toContain(file)
  expect(findRecording('no-such-loop')).toBeUndefined()
  expect(new Set(RECORDINGS.map(({ id }) => id)).size).toBe(RECORDINGS.length)
})
