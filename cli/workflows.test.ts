/** What GitHub reads of this repository: each kind of dependency is watched, and no action is taken by a tag that can be moved. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const GITHUB = join(import.meta.dirname, '..', '.github')

it('Dependabot watches npm and the actions', () => {
  const { version, updates } = parse(readFileSync(join(GITHUB, 'dependabot.yml'), 'utf8')) as {
    readonly version: number
    readonly updates: readonly Readonly<Record<string, unknown>>[]
  }
  expect(version).toBe(2)
  expect(updates).toMatchObject([
    { 'package-ecosystem': 'npm', directories: ['/', '/bench'], schedule: { interval: 'weekly' } },
    { 'package-ecosystem': 'github-actions', directory: '/', schedule: { interval: 'monthly' } },
  ])
})

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
