/** What GitHub reads of this repository: no action is taken by a tag that can be moved. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const GITHUB = join(import.meta.dirname, '..', '.github')

it('every action is pinned by commit', () => {
  const uses = readdirSync(join(GITHUB, 'workflows')).flatMap((file) => [
    ...readFileSync(join(GITHUB, 'workflows', file), 'utf8').matchAll(/uses: (\S+)(.*)/g),
  ])
  expect(uses.length).toBeGreaterThan(5)
  for (const [, action, version] of uses) {
    expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40}$/)
    expect(version).toMatch(/^ # v\d/)
  }
})
