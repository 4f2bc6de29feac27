/**
 * Says where a program does not parse, in sentences: acorn's words, and the opening place of a
 * bracket that nothing closes.
 */
import { parse, tokenizer, tokTypes, type Program, type Token } from 'acorn'
import { fail, succeed, type Result } from '../base/fault'

/** Something that is wrong with a program, at its place in the text. */
export interface Problem {
  /** From 1. */
  readonly line: number
  /** From 0, in UTF-16 code units. */
  readonly column: number
  /** On the same line, exclusive. Left out: the word at `column`. */
  readonly endColumn?: number
  /** A sentence. */
  readonly message: string
  readonly severity: 'error' | 'warning'
}

const OPTIONS = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const

interface SyntaxProblem {
  readonly message: string
  readonly pos: number
  readonly loc: { readonly line: number; readonly column: number }
}
const isSyntaxProblem = (thrown: unknown): thrown is SyntaxProblem =>
  thrown instanceof SyntaxError && 'loc' in thrown && 'pos' in thrown

/** The closing text, by the token that opens it. */
const CLOSES = new Map([
  [tokTypes.parenL, tokTypes.parenR],
  [tokTypes.bracketL, tokTypes.bracketR],
  [tokTypes.braceL, tokTypes.braceR],
  [tokTypes.dollarBraceL, tokTypes.braceR],
])
const CLOSERS = new Set(CLOSES.values())

const indentAt = (text: string, at: number): number => {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1)
  return line.length - line.trimStart().length
}

/**
 * The bracket that the parser still waited to see closed at `pos`, and that no later text closes;
 * undefined: there is none.
 */
function unclosedAt(text: string, pos: number): Token | undefined {
  const open: Token[] = []
  /**
   * Closed by a brace that stands further left than its line: it took that of a block around it,
   * and its own is missing.
   */
  let robber: Token | undefined
  /** The innermost that was open at `pos`. */
  let awaited: Token | undefined
  let isReached = false
  for (const token of tokenizer(text, OPTIONS)) {
    if (token.start >= pos && !isReached) {
      isReached = true
      awaited = open.at(-1)
    }
    if (CLOSES.has(token.type)) open.push(token)
    if (!CLOSERS.has(token.type)) continue
    const last = open.at(-1)
    if (!last || CLOSES.get(last.type) !== token.type) {
      // One that nothing has opened is too many itself.
      const isForeign = open.some(({ type }) => CLOSES.get(type) === token.type)
      return isForeign && last === awaited ? last : undefined
    }
    open.pop()
    if (last.type === tokTypes.braceL && indentAt(text, token.start) < indentAt(text, last.start))
      robber ??= last
  }
  if (!isReached) return robber ?? open.at(-1)
  // A brace that is open at the end tells nothing of a mistake further up.
  return awaited && awaited.type !== tokTypes.braceL && open.includes(awaited) ? awaited : undefined
}

/**
 * The same where the text has tokens to its end: a string without an end is told by acorn, at its
 * beginning.
 */
function unclosedIn(text: string, pos: number): Token | undefined {
  try {
    return unclosedAt(text, pos)
  } catch {
    return undefined
  }
}

function problemOf(text: string, { message, pos, loc }: SyntaxProblem): Problem {
  const plain = message.replace(/ \(\d+:\d+\)$/, '')
  const isUnexpected = plain === 'Unexpected token'
  const unclosed = isUnexpected ? unclosedIn(text, pos) : undefined
  if (unclosed?.loc) {
    const { line, column } = unclosed.loc.start
    const bracket = text.slice(unclosed.start, unclosed.end)
    const endColumn = column + bracket.length
    return { line, column, endColumn, message: `Nothing closes this ‘${bracket}’.`, severity: 'error' }
  }
  const found = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|\S)/u.exec(text.slice(pos))?.[0]
  const words = !isUnexpected
    ? plain
    : found === undefined
      ? 'The program ends in the middle of a statement'
      : `‘${found}’ is not expected here`
  const sentence = words.endsWith('.') ? words : `${words}.`
  return { line: loc.line, column: loc.column, message: sentence, severity: 'error' }
}

/**
 * The tree of a module, or the first that is wrong with it: what follows from that would be
 * guesses.
 */
export function parseProgram(text: string): Result<Program, Problem> {
  try {
    return succeed(parse(text, OPTIONS))
  } catch (thrown) {
    if (isSyntaxProblem(thrown)) return fail(problemOf(text, thrown))
    throw thrown
  }
}
