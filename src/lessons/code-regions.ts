/**
 * Names the lines of a code block by what they say, not by their number, so that an edit of the code cannot shift a label
 * to the wrong line. A mark is a region and the text of its line, or of its first and last line. A text that is not in the source
 * exactly once throws: a lesson whose labels are wrong does not load.
 */
import type { CodeRegion, RegionMark } from './lesson'

/** Where the one line that holds `text` is, counted from 1. */
function lineOf(lines: readonly string[], text: string): number {
  const found = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []))
  const [line] = found
  if (line === undefined || found.length > 1) {
    throw new Error(
      `'${text}' stands on ${String(found.length)} lines of the code; a mark needs exactly one.`,
    )
  }
  return line
}

export function markRegions(
  source: string,
  marks: readonly RegionMark[],
): Readonly<Record<number, CodeRegion>> {
  const lines = source.split('\n')
  const regions: Record<number, CodeRegion> = {}
  for (const [region, first, last = first] of marks) {
    const from = lineOf(lines, first)
    const to = lineOf(lines, last)
    if (to < from) throw new Error(`'${last}' stands before '${first}'.`)
    for (let line = from; line <= to; line++) {
      if (regions[line] !== undefined) throw new Error(`Line ${String(line)} is marked twice.`)
      regions[line] = region
    }
  }
  return regions
}
