/**
 * Figures in words are quotations of recordings and runs, parameters, or have their source beside them: the rest are typed, and typed
 * figures drift from what is recorded. Those that remain are givens of a question or of an example; they are listed here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TYPED } from './testing/typed-numbers'

const FOLDERS = ['src/lessons', 'src/experiments']

/** A number with a unit of time, rate, share or factor, or of a CPU's cores and threads; one of bytes, or without a unit, is a size or a count. */
const FIGURE =
  /(?<![\w.-])\d[\d.,]*\d?(?: to \d[\d.,]*\d?)?\s?(?:ms|µs|us|ns|s|minutes?|seconds?|milliseconds?|microseconds?|[KMGT]?i?B\/s|[GT]FLOP\/s|%|×(?! ?\d)|per cent|times|threads|cores)(?![\w/])/g

/** Without code, what is filled in, addresses, and the YAML at the head. */
const proseOf = (paragraph: string): string =>
  paragraph.replaceAll(/`[^`]*`/g, '').replaceAll(/\{[^{}]*\}/g, '')

/** Paragraphs with a link have their source beside them. */
const hasSource = (paragraph: string): boolean => /\]\(https:/.test(paragraph)

function typedIn(file: string): readonly string[] {
  const body = readFileSync(file, 'utf8').replace(/^---\n[^]*?\n---\n/, '')
  const words = body.replaceAll(/^```[^]*?^```/gm, '')
  return words
    .split(/\n{2,}/)
    .filter((paragraph) => !hasSource(paragraph) && !paragraph.startsWith('|'))
    .flatMap((paragraph) => proseOf(paragraph).match(FIGURE) ?? [])
    .map((figure) => `${file.replace(/^src\//, '')}: ${figure.trim()}`)
}

it('no figure is typed but those that are listed, with the reason', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.endsWith('README.md'))
      .flatMap((path) => typedIn(join(folder, path).replaceAll('\\', '/'))),
  )
  const listed = TYPED.flatMap(({ file, figures }) => figures.map((figure) => `${file}: ${figure}`))
  expect(found.filter((each) => !listed.includes(each)).join('\n'), 'typed').toBe('')
  expect(listed.filter((each) => !found.includes(each)).join('\n'), 'no longer there').toBe('')
})
