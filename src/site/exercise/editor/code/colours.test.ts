/** The editor colours a program as the site's listing of the same file does, nearly everywhere. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '@codemirror/language'
import { highlightTree } from '@lezer/highlight'
import { describe, expect, it } from 'vitest'
import { experiments } from '../../../../experiments/testing/catalog'
import type { HighlightedLines } from '../../../ui/source/lines'
import { programFile, shaderFile } from '../../../ui/source/use-highlighted'
import { listing } from './editing'
import { LANGUAGES } from './editor'

const { javascript, wgsl } = LANGUAGES

const kinds = new Map(
  [...(listing.module?.getRules() ?? '').matchAll(/\.(\S+) \{color: var\(--code-token-([a-z]+)\);\}/g)].map(
    ([, name = '', kind = '']) => [name, kind] as const,
  ),
)

/** The kind of each character, '' where it has the colour of plain text. */
function kindsIn(language: Language, text: string): readonly string[] {
  const found = Array.from({ length: text.length }, () => '')
  highlightTree(language.parser.parse(text), listing, (from, to, name) =>
    found.fill(kinds.get(name) ?? '', from, to),
  )
  return found
}

const listed = (lines: HighlightedLines): readonly string[] =>
  lines.flatMap((line, at) => [
    ...(at > 0 ? [''] : []),
    ...line.flatMap((token): string[] =>
      typeof token === 'string'
        ? Array.from({ length: token.length }, () => '')
        : Array.from({ length: token[0].length }, () => token[1].replace('string-expression', 'string')),
    ),
  ])

/** Brackets and commas have a colour of their own in one grammar and not in the other: letters and digits are what is read. */
function agreement(language: Language, text: string, lines: HighlightedLines): number {
  const [ours, theirs] = [kindsIn(language, text), listed(lines)]
  expect(theirs.length).toBe(text.length)
  const read = [...text.matchAll(/[\p{ID_Continue}]/gu)].map(({ index }) => index)
  return read.filter((at) => ours[at] === theirs[at]).length / read.length
}

const read = (path: string): string =>
  readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8').replace(/\n$/, '')

const programs = experiments.flatMap(({ id }) =>
  readdirSync(new URL(`../../../../experiments/${id}/programs`, import.meta.url)).map(
    (file) => [id, file.replace(/\.js$/, '')] as const,
  ),
)
const shaders = [...new Set(experiments.flatMap(({ sources }) => sources))]

describe('most letters have the colour of the listing', () => {
  it.each(programs)('%s/%s', async (id, program) => {
    const lines = await programFile(id, program)?.()
    const path = `src/experiments/${id}/programs/${program}.js`
    // The listing colours what is indexed, `rows[step]`, as a constant; the editor does not.
    expect(agreement(javascript, read(path), lines ?? [])).toBeGreaterThan(0.8)
  })
  it.each(shaders)('%s', async (path) => {
    const lines = await shaderFile(path)?.()
    expect(agreement(wgsl, read(path), lines ?? [])).toBeGreaterThan(0.94)
  })
})
