/**
 * The lines in which two programs differ, and of what is common to both what stands next to a change or round it. Pure.
 */
import { diff } from '@codemirror/merge'

type Sign = '' | '-' | '+'
interface Row<Line> {
  readonly sign: Sign
  readonly text: string
  readonly line: Line
}

/** One character for each line, so that what compares characters compares lines: Unicode's private ones, of which there are 6400. */
function asCharacters(texts: readonly (readonly string[])[]): readonly string[] {
  const known = new Map<string, string>()
  const characterOf = (line: string): string => {
    const character = known.get(line) ?? String.fromCharCode(0xe0_00 + known.size)
    known.set(line, character)
    return character
  }
  return texts.map((lines) => lines.map(characterOf).join(''))
}

/** All lines of both in one order: what is only in the first before what takes its place. */
function merged<Line>(
  [before, after]: readonly [readonly string[], readonly string[]],
  [old, mended]: readonly [readonly Line[], readonly Line[]],
): readonly Row<Line>[] {
  const rows: Row<Line>[] = []
  const add = (sign: Sign, texts: readonly string[], lines: readonly Line[], from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      const [text, line] = [texts[at], lines[at]]
      if (text !== undefined && line !== undefined) rows.push({ sign, text, line })
    }
  }
  const [a = '', b = ''] = asCharacters([before, after])
  let done = 0
  for (const { fromA, toA, fromB, toB } of diff(a, b)) {
    add('', before, old, done, fromA)
    add('-', before, old, fromA, toA)
    add('+', after, mended, fromB, toB)
    done = toA
  }
  add('', before, old, done, before.length)
  return rows.filter(({ sign, text }) => sign === '' || text.trim() !== '')
}

const indent = (text: string): number => text.search(/\S|$/)

/** Changed lines, their neighbours, and the loops and branches that they stand in. */
function shown(rows: readonly Row<unknown>[]): ReadonlySet<number> {
  const kept = new Set<number>()
  for (const [at, { sign, text }] of rows.entries()) {
    if (sign === '') continue
    for (const near of [at - 1, at, at + 1]) if ((rows[near]?.text.trim() ?? '') !== '') kept.add(near)
    let within = indent(text)
    for (let above = at - 1; above >= 0 && within > 0; above -= 1) {
      const row = rows[above]
      if (!row || row.text.trim() === '' || indent(row.text) >= within) continue
      within = indent(row.text)
      if (within > 0) kept.add(above)
    }
  }
  return kept
}

/** @returns null for lines that are left out between two. */
export function changedLines<Line>(
  texts: readonly [readonly string[], readonly string[]],
  lines: readonly [readonly Line[], readonly Line[]],
): readonly (Pick<Row<Line>, 'sign' | 'line'> | null)[] {
  const rows = merged(texts, lines)
  const kept = shown(rows)
  const seen = [...kept].sort((a, b) => a - b)
  return seen.flatMap((at, index) => {
    const row = rows[at]
    const isNext = index === 0 || seen[index - 1] === at - 1
    return row ? [...(isNext ? [] : [null]), { sign: row.sign, line: row.line }] : []
  })
}
