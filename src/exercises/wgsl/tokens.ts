/**
 * WGSL's tokens as far as its block structure needs them (WGSL §3): comments, which nest, are gone,
 * names and numbers are whole, and every sign is one character but `->`. What is no WGSL becomes a
 * sign: the browser's compiler refuses it.
 */
import { fail, succeed, type Result } from '../../base/fault'
import type { Problem } from '../syntax'

export interface Token {
  readonly kind: 'name' | 'number' | 'sign'
  readonly text: string
  /** In UTF-16 code units from the start of the source; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** Line breaks, spaces and marks of direction (§3.2). */
const BLANKS = /[ \t\n\v\f\r\u0085\u200e\u200f\u2028\u2029]+/y
const LINE_COMMENT = /\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y
const COMMENT_MARK = /\/\*|\*\//g
const NUMBER =
  /0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?[iufh]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?/y
/**
 * More characters than WGSL allows in names (§3.7): with one of the others the source does not
 * compile.
 */
const NAME =
  /(?:[A-Za-z_]|[^\0-\x7f\u0085\u200e\u200f\u2028\u2029])(?:\w|[^\0-\x7f\u0085\u200e\u200f\u2028\u2029])*/y
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g

/** Start of each line. A compiler counts lines in the same way. */
export function lineStarts(source: string): readonly number[] {
  const starts = [0]
  for (const { index, 0: text } of source.matchAll(LINE_BREAK)) starts.push(index + text.length)
  return starts
}

/** An error at a place in the source. */
export function problemAt(source: string, start: number, end: number, message: string): Problem {
  const starts = lineStarts(source)
  const line = starts.findLastIndex((each) => each <= start)
  const column = start - (starts[line] ?? 0)
  return { line: line + 1, column, endColumn: column + end - start, message, severity: 'error' }
}

/** The match that begins exactly at `at`, or ''. */
function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? ''
}

/** Behind the comment that begins at `start`; -1 where it does not end. */
function endOfComment(source: string, start: number): number {
  let depth = 1
  COMMENT_MARK.lastIndex = start + 2
  while (depth > 0) {
    const mark = COMMENT_MARK.exec(source)
    if (!mark) return -1
    depth += mark[0] === '/*' ? 1 : -1
  }
  return COMMENT_MARK.lastIndex
}

export function tokensOf(source: string): Result<readonly Token[], Problem> {
  const tokens: Token[] = []
  let at = 0
  const take = (kind: Token['kind'], text: string): void => {
    tokens.push({ kind, text, start: at, end: at + text.length })
    at += text.length
  }
  while (at < source.length) {
    const skipped = matchAt(BLANKS, source, at) || matchAt(LINE_COMMENT, source, at)
    const name = matchAt(NAME, source, at)
    const number = matchAt(NUMBER, source, at)
    if (skipped !== '') at += skipped.length
    else if (source.startsWith('/*', at)) {
      const end = endOfComment(source, at)
      if (end < 0) return fail(problemAt(source, at, at + 2, 'This comment does not end.'))
      at = end
    } else if (name !== '') take('name', name)
    else if (number !== '') take('number', number)
    else take('sign', source.startsWith('->', at) ? '->' : (source[at] ?? ''))
  }
  return succeed(tokens)
}
