/**
 * What is written about the code (README.md, CONTRIBUTING.md …: names in capitals): it fits a
 * screen, and what it names is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isIgnored = (name: string): boolean =>
  name === '.git' || read('.gitignore').split(/\/?\n/).includes(name)
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (isIgnored(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })

const files = filesIn('')
const documents = files.filter((path) => /^[A-Z]+\.md$/.test(basename(path)))
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length
/** As GitHub makes them of headings. */
const anchorsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

it('are found', () =>
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'src/README.md'])))

it.each([
  ['README.md', 1200],
  ['src/README.md', 900],
])('%s has fewer than %d words', (path, limit) => expect(wordsIn(read(path))).toBeLessThan(limit))

it('in code are comments that fit a terminal, but for pictures and switches of tools', () => {
  const isComment = /^\s*(\/\/|\/?\*)/
  const isPicture = /[─-╿▀-▟]|-{20}|\* {3,}|\/\/ https?:|oxlint-/
  const long = files
    // Recordings name lines of the programs that were measured.
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/programs/'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => /.{101}/u.test(line) && isComment.test(line) && !isPicture.test(line))
        .map((line) => `${path}: ${line}`),
    )
  expect(long).toEqual([])
})

it('of the versions in the changelog each has ten lines at most', () => {
  const versions = read('CHANGELOG.md').split(/^## /m).slice(1)
  expect(versions.length).toBeGreaterThan(1)
  for (const version of versions) expect(version.split(/^- /m).length - 1).toBeLessThanOrEqual(10)
})

describe.each(documents)('%s', (path) => {
  const text = read(path)

  it('has lines that fit a terminal, but for tables and pictures', () => {
    const long = text.split('\n').filter((line) => line.length > 100 && !/^(\||!\[)/.test(line))
    expect(long).toEqual([])
  })

  it('links to what is there', () => {
    for (const [, target = ''] of text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? path : join(dirname(path), file)
      expect(existsSync(join(ROOT, to)), target).toBe(true)
      if (anchor !== undefined) expect(anchorsIn(read(to)), target).toContain(anchor)
    }
  })

  it('names files of code that are there', () => {
    for (const [, name = ''] of text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|wgsl|py|sh|md))`/g)) {
      const isThere = name.startsWith('../')
        ? existsSync(join(ROOT, dirname(path), name))
        : files.some((file) => `/${file}`.endsWith(`/${name}`))
      expect(isThere, name).toBe(true)
    }
  })
})
