/**
 * Functions, loops and calls of a WGSL source, from its tokens alone: `for`, `while` and `loop` are
 * reserved words, so each such token is a loop. What does not fit this grammar is a problem, never
 * a guess.
 */
import { fail, succeed, type Result } from '../../base/fault'
import type { Problem } from '../syntax'
import { problemAt, tokensOf, type Token } from './tokens'

interface ScannedLoop {
  /** Place of its keyword. */
  readonly at: number
  /** Start of the outermost loop statement of its nest, attributes included. */
  readonly nestStart: number
  /** Behind the brace that opens its body, and behind the one that closes it. */
  readonly bodyStart: number
  readonly end: number
  /** It goes on until it returns: no condition, no `break`. */
  readonly hasNoExit: boolean
  readonly isInContinuing: boolean
  /** Tokens of header and body, without the loops in it. */
  readonly tokens: number
}

interface ScannedCall {
  readonly callee: string
  /**
   * The innermost loop round it; null: none. A call in the header of a loop is listed twice: it is
   * made for each iteration, and once more.
   */
  readonly loop: ScannedLoop | null
}

export interface ScannedFunction {
  readonly name: string
  /** Return type as WGSL text; null: it returns nothing. */
  readonly returnType: string | null
  readonly loops: readonly ScannedLoop[]
  readonly calls: readonly ScannedCall[]
  /** Outside loops; headers of loops are among them. */
  readonly tokens: number
  /**
   * Invocations of a workgroup of @compute, null where it is more than literals. Else undefined.
   */
  readonly workgroupSize: number | null | undefined
}

export interface Scanned {
  readonly functions: ReadonlyMap<string, ScannedFunction>
  /** All names in the source. */
  readonly names: ReadonlySet<string>
}

const LOOPS: ReadonlySet<string> = new Set(['for', 'while', 'loop'])
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
/** Loops and switches in each other: compilers have such a limit too. */
const DEEPEST = 64

/** Thrown and caught in this file. */
class Refusal extends Error {
  readonly at: Token
  constructor(at: Token, message: string) {
    super(message)
    this.at = at
  }
}

export function scan(source: string): Result<Scanned, readonly Problem[]> {
  const tokens = tokensOf(source)
  if (!tokens.ok) return fail([tokens.error])
  try {
    return succeed(new Scanner(tokens.value).module())
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return fail([problemAt(source, thrown.at.start, thrown.at.end, thrown.message)])
  }
}

/** A loop while it is read. */
type OpenLoop = { -readonly [Member in keyof ScannedLoop]: ScannedLoop[Member] }

/** A function while it is read. */
interface OpenFunction {
  readonly loops: OpenLoop[]
  readonly calls: ScannedCall[]
  tokens: number
}

/** The surroundings of a statement. */
interface Place {
  readonly loop: OpenLoop | null
  /** The loop that `break` leaves; null: a switch. */
  readonly breaks: OpenLoop | null
  readonly isInContinuing: boolean
  readonly depth: number
}

class Scanner {
  readonly #tokens: readonly Token[]
  /** Index of the bracket that closes the one at an index. */
  readonly #closing: ReadonlyMap<number, number>
  #functionNames: ReadonlySet<string> = new Set()

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
    this.#closing = closingBrackets(tokens)
  }

  module(): Scanned {
    const names = new Set<string>()
    for (const { kind, text } of this.#tokens) if (kind === 'name') names.add(text)
    const heads = this.#declarations().flatMap((from) => this.#functionHead(from))
    this.#functionNames = new Set(heads.map(({ name }) => name))
    const functions = new Map<string, ScannedFunction>()
    let loops = 0
    for (const { name, from, keyword, bodyOpen } of heads) {
      if (functions.has(name)) throw new Refusal(this.#token(keyword), `There are two functions ${name}.`)
      const body: OpenFunction = { loops: [], calls: [], tokens: 0 }
      const place: Place = { loop: null, breaks: null, isInContinuing: false, depth: 0 }
      this.#statements(bodyOpen + 1, this.#close(bodyOpen), place, body)
      loops += body.loops.length
      functions.set(name, {
        ...body,
        name,
        returnType: this.#returnType(keyword, bodyOpen),
        workgroupSize: this.#workgroupSize(from, keyword),
      })
    }
    const stray = this.#tokens.filter(({ text }) => LOOPS.has(text)).length - loops
    const first = this.#tokens[0]
    if (stray !== 0 && first) throw new Refusal(first, 'A loop stands outside every function.')
    return { functions, names }
  }

  #token(index: number): Token {
    const token = this.#tokens[index] ?? this.#tokens.at(-1)
    if (!token) throw new Error('no token') // only where there are none at all, and then none is asked for
    return token
  }

  #text(index: number): string {
    return this.#tokens[index]?.text ?? ''
  }

  #close(open: number): number {
    return this.#closing.get(open) ?? open // every bracket has one, see closingBrackets()
  }

  /** The first token of each thing at module scope. */
  #declarations(): readonly number[] {
    const found: number[] = []
    let from = 0
    for (let index = 0; index < this.#tokens.length; index += 1) {
      const text = this.#text(index)
      if (CLOSING.has(text)) index = this.#close(index)
      if (text !== ';' && text !== '{') continue
      found.push(from)
      from = index + 1
    }
    return found
  }

  /** Behind attributes such as `@compute @workgroup_size(64)`. */
  #afterAttributes(from: number): number {
    let index = from
    while (this.#text(index) === '@') index = this.#afterAttribute(index)
    return index
  }

  #functionHead(from: number) {
    const keyword = this.#afterAttributes(from)
    if (this.#text(keyword) !== 'fn') return []
    const parameters = keyword + 2
    if (this.#text(parameters) !== '(')
      throw new Refusal(this.#token(keyword), 'A function without parentheses.')
    const bodyOpen = this.#bodyOf(this.#close(parameters) + 1, keyword)
    return [{ name: this.#text(keyword + 1), from, keyword, bodyOpen }]
  }

  /** The brace that opens the body of the function, loop or switch that `keyword` begins. */
  #bodyOf(from: number, keyword: number): number {
    for (let index = from; index < this.#tokens.length; index += 1) {
      const text = this.#text(index)
      if (text === '{') return index
      if (text === ';' || text === '}' || LOOPS.has(text)) break
      if (CLOSING.has(text)) index = this.#close(index)
    }
    throw new Refusal(this.#token(keyword), `Behind '${this.#text(keyword)}' a body in braces is missing.`)
  }

  #returnType(keyword: number, bodyOpen: number): string | null {
    const arrow = this.#close(keyword + 2) + 1
    if (this.#text(arrow) !== '->') return null
    const from = this.#afterAttributes(arrow + 1)
    const type = this.#tokens.slice(from, bodyOpen).map(({ text }) => text)
    return type.join(' ')
  }

  #workgroupSize(from: number, keyword: number): number | null | undefined {
    let isCompute = false
    let size: number | null = 1
    for (let index = from; index < keyword; index = this.#afterAttribute(index)) {
      const name = this.#text(index + 1)
      if (name === 'compute') isCompute = true
      if (name !== 'workgroup_size' || this.#text(index + 2) !== '(') continue
      for (const extent of this.#arguments(index + 2)) {
        const value = wholeNumber(extent)
        size = size === null || value === null || value < 1 ? null : size * value
      }
    }
    return isCompute ? size : undefined
  }

  #afterAttribute(from: number): number {
    return this.#text(from + 2) === '(' ? this.#close(from + 2) + 1 : from + 2
  }

  /** The tokens between the commas in parentheses. */
  #arguments(open: number): readonly (readonly Token[])[] {
    const found: (readonly Token[])[] = []
    const close = this.#close(open)
    let from = open + 1
    for (let index = from; index <= close; index += 1) {
      const text = this.#text(index)
      if (CLOSING.has(text)) index = this.#close(index)
      if (text !== ',' && index !== close) continue
      if (index > from) found.push(this.#tokens.slice(from, index))
      from = index + 1
    }
    return found
  }

  #statements(from: number, to: number, place: Place, body: OpenFunction): void {
    if (place.depth > DEEPEST)
      throw new Refusal(this.#token(from), `Loops and switches are nested deeper than ${String(DEEPEST)}.`)
    const { loop } = place
    /** Start of the statement that is being read. */
    let start = from
    for (let index = from; index < to; index += 1) {
      const text = this.#text(index)
      if (LOOPS.has(text)) {
        index = this.#loop(start, index, place, body)
        start = index + 1
        continue
      }
      count(body, loop, 1)
      if (text === ';' || text === '{' || text === '}') start = index + 1
      else if (text === '(' || text === '[') {
        const close = this.#close(index)
        count(body, loop, close - index)
        this.#expression(index, close, [loop], body)
        index = close
      } else if (text === 'break' && place.breaks) place.breaks.hasNoExit = false
      else if (text === 'switch' || text === 'continuing') {
        const open = this.#bodyOf(index + 1, index)
        const close = this.#close(open)
        count(body, loop, open - index)
        this.#expression(index, open, [loop], body)
        const inside = text === 'switch' ? { ...place, breaks: null } : { ...place, isInContinuing: true }
        this.#statements(open + 1, close, { ...inside, depth: place.depth + 1 }, body)
        index = close
        start = close + 1
      } else this.#call(index, [loop], body)
    }
  }

  /** Reads a loop statement; the index of the brace that closes it. */
  #loop(start: number, keyword: number, place: Place, body: OpenFunction): number {
    const token = this.#token(keyword)
    if (this.#afterAttributes(start) !== keyword)
      throw new Refusal(token, `A statement must not begin before '${token.text}'.`)
    const isFor = token.text === 'for'
    if (isFor && this.#text(keyword + 1) !== '(') throw new Refusal(token, "Behind 'for' a '(' is missing.")
    const header = isFor ? keyword + 1 : keyword
    const bodyOpen = this.#bodyOf(keyword + 1, keyword)
    const afterHeader = isFor ? this.#close(header) + 1 : keyword + 1
    if (token.text !== 'while' && this.#afterAttributes(afterHeader) !== bodyOpen)
      throw new Refusal(token, `Behind '${token.text}' a body in braces is missing.`)
    const close = this.#close(bodyOpen)
    const loop: OpenLoop = {
      at: token.start,
      nestStart: place.loop?.nestStart ?? this.#token(start).start,
      bodyStart: this.#token(bodyOpen).end,
      end: this.#token(close).end,
      hasNoExit: isFor ? !this.#hasCondition(header) : token.text === 'loop',
      isInContinuing: place.isInContinuing,
      tokens: 0,
    }
    body.loops.push(loop)
    // The header is read once to begin with, and again for each iteration.
    count(body, place.loop, bodyOpen - keyword)
    count(body, loop, bodyOpen - keyword)
    this.#expression(keyword, bodyOpen, [place.loop, loop], body)
    const inside = { loop, breaks: loop, isInContinuing: place.isInContinuing, depth: place.depth + 1 }
    this.#statements(bodyOpen + 1, close, inside, body)
    return close
  }

  /** True where a `for` has a condition between its two semicolons. */
  #hasCondition(open: number): boolean {
    const close = this.#close(open)
    for (let index = open + 1; index < close; index += 1) {
      const text = this.#text(index)
      if (CLOSING.has(text)) index = this.#close(index)
      if (text === ';') return this.#text(index + 1) !== ';'
    }
    return false
  }

  /** Calls between two brackets, or in a header. */
  #expression(from: number, to: number, loops: readonly (OpenLoop | null)[], body: OpenFunction): void {
    for (let index = from + 1; index < to; index += 1) {
      if (LOOPS.has(this.#text(index))) throw new Refusal(this.#token(index), 'A loop cannot stand here.')
      this.#call(index, loops, body)
    }
  }

  #call(index: number, loops: readonly (OpenLoop | null)[], body: OpenFunction): void {
    const callee = this.#text(index)
    if (this.#text(index + 1) !== '(' || !this.#functionNames.has(callee)) return
    for (const loop of loops) body.calls.push({ callee, loop })
  }
}

/** A literal's value. Anything else is not read, and the caller takes the most that it could be. */
function wholeNumber([first, ...others]: readonly Token[]): number | null {
  const [, digits] = /^(0[xX][\da-fA-F]+|\d+)[iu]?$/.exec(first?.text ?? '') ?? []
  return digits === undefined || others.length > 0 ? null : Number(digits)
}

function count(body: OpenFunction, loop: OpenLoop | null, tokens: number): void {
  if (loop) loop.tokens += tokens
  else body.tokens += tokens
}

/** For each bracket that opens, the one that closes it. @throws Refusal where they do not pair. */
function closingBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: { readonly index: number; readonly token: Token }[] = []
  tokens.forEach((token, index) => {
    const { text } = token
    if (CLOSING.has(text)) open.push({ index, token })
    else if (text === ')' || text === ']' || text === '}') {
      const last = open.pop()
      if (!last || CLOSING.get(last.token.text) !== text)
        throw new Refusal(token, `This '${text}' closes nothing.`)
      closing.set(last.index, index)
    }
  })
  const [first] = open
  if (first) throw new Refusal(first.token, `This '${first.token.text}' is not closed.`)
  return closing
}
