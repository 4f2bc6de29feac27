/** What `npm ci` on a bare clone stands on. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const lockedIn = (file: string) => {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(lock.packages).filter(([path]) => path !== '')
}

describe.each(['package-lock.json', 'bench/package-lock.json'])('%s', (file) => {
  const locked = lockedIn(file)

  it('pins each package by version and content', () =>
    expect(locked.filter(([, entry]) => !entry.version || !entry.integrity)).toEqual([]))

  it('holds the builds of every platform: npm ci refuses a lock file without them', () => {
    const names = new Set(locked.map(([path]) => path.replace(/^.*node_modules\//, '')))
    const missing = locked.flatMap(([, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.has(name)),
    )
    expect(missing).toEqual([])
  })

  it('names no host: each machine installs from its own registry', () => {
    // .npmrc asks npm to leave them out; versions and integrity say all that npm ci needs.
    expect(locked.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([])
  })
})
