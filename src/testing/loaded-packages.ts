/** Which packages files load, they and all that they import: over the real sources, for tests of what is installed and of what is carried. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from './import-graph'

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** Package → a file that loads it. */
export function loadedPackages(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { specifier, to, kind } of importsOf(file, readFileSync(file, 'utf8'), isFile)) {
      if (kind === 'types') continue
      if (to === null) {
        // Neither 'node:fs' nor 'virtual:lesson-index'.
        const [, name] = /^((?:@[^/]+\/)?[a-z][^/:?]*)(?:[/?]|$)/.exec(specifier) ?? []
        if (name !== undefined) found.set(name, file)
      } else if (/\.(tsx?|mjs)$/.test(to) && isFile(to)) visit(to)
    }
  }
  for (const entry of entries) visit(entry)
  return found
}

/** Modules of a folder, tests and what only they use left out: what a pattern loads, no import names. */
export const modulesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\/(testing|programs)\/|\.d\.ts$/.test(path))
