/**
 * Whole numbers that are known before a pipeline is made: literals, the module's `const`s, and
 * their sums, products and quotients.
 */
import type { Token } from './tokens'

const LITERAL = /^(?:0[xX][\da-fA-F]+|\d+)[iu]?$/
/** Beyond it i32 and u32 wrap or refuse; nothing that is counted here comes near. */
const LARGEST = 2 ** 31 - 1
/** An expression with more tokens is not read: reading it takes as many calls in calls. */
const LONGEST = 100

export class Constants {
  readonly #initialisers: ReadonlyMap<string, readonly Token[]>
  readonly #values = new Map<string, number | null>()

  /** Tokens of the initialiser of each module-scope `const`, by name. */
  constructor(initialisers: ReadonlyMap<string, readonly Token[]>) {
    this.#initialisers = initialisers
  }

  /**
   * The value; null where it depends on an override, a function, a type, or on anything else than
   * the above.
   */
  valueOf(expression: readonly Token[]): number | null {
    return expression.length > LONGEST ? null : new Reader(expression, (name) => this.#named(name)).whole()
  }

  #named(name: string): number | null {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    this.#values.set(name, null) // until it is known: one that needs itself finds this
    const initialiser = this.#initialisers.get(name)
    const value = initialiser ? this.valueOf(initialiser) : null
    this.#values.set(name, value)
    return value
  }
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #named: (name: string) => number | null
  #at = 0

  constructor(tokens: readonly Token[], named: (name: string) => number | null) {
    this.#tokens = tokens
    this.#named = named
  }

  whole(): number | null {
    const value = this.#sum()
    return this.#at === this.#tokens.length ? value : null
  }

  get #next(): string {
    return this.#tokens[this.#at]?.text ?? ''
  }

  #take(): string {
    const text = this.#next
    this.#at += 1
    return text
  }

  #sum(): number | null {
    let value = this.#product()
    while (this.#next === '+' || this.#next === '-') {
      const sign = this.#take() === '+' ? 1 : -1
      const term = this.#product()
      value = value === null || term === null ? null : inRange(value + sign * term)
    }
    return value
  }

  #product(): number | null {
    let value = this.#factor()
    while (this.#next === '*' || this.#next === '/') {
      const isProduct = this.#take() === '*'
      const other = this.#factor()
      if (value === null || other === null || (!isProduct && other === 0)) value = null
      else value = inRange(isProduct ? value * other : Math.trunc(value / other))
    }
    return value
  }

  #factor(): number | null {
    const text = this.#take()
    if (LITERAL.test(text)) return inRange(Number(text.replace(/[iu]$/, '')))
    if (text !== '(') return this.#named(text)
    const value = this.#sum()
    return this.#take() === ')' ? value : null
  }
}

const inRange = (value: number): number | null => (Math.abs(value) <= LARGEST ? value : null)
