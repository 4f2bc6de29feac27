/**
 * A short text read token by token: names and numbers between blanks, brackets, commas and '??';
 * 'points[of=4,4]' is one. Pure.
 */
export class Tokens {
  readonly text: string
  readonly #what: string
  readonly #found: readonly { readonly text: string; readonly from: number; readonly to: number }[]
  /** Index of the token that is read next; may be set back. */
  at = 0

  /** @param what what the text should be, for the fault: 'expression' */
  constructor(text: string, what: string) {
    this.text = text
    this.#what = what
    this.#found = [...text.matchAll(/\?\?|[(),]|(?:\[[^\]\s]*\]|[^\s(),])+/g)].map(({ 0: found, index }) => ({
      text: found,
      from: index,
      to: index + found.length,
    }))
  }

  /** The token `ahead` of the next one; undefined beyond the end. */
  peek(ahead = 0): string | undefined {
    return this.#found[this.at + ahead]?.text
  }

  take(): string {
    const token = this.peek() ?? this.fail('it ends too early')
    this.at += 1
    return token
  }

  /** Takes these tokens where they are the next ones. */
  takeIf(...tokens: readonly string[]): boolean {
    const isNext = tokens.every((token, index) => this.peek(index) === token)
    if (isNext) this.at += tokens.length
    return isNext
  }

  expect(token: string): void {
    if (!this.takeIf(token)) this.fail(`'${token}' is missing`)
  }

  expectEnd(): void {
    const token = this.peek()
    if (token !== undefined) this.fail(`'${token}' is too much`)
  }

  /** The text as written, from the token at `start` to the one read last. */
  since(start: number): string {
    return this.text.slice(this.#found[start]?.from, this.#found[this.at - 1]?.to)
  }

  fail(why: string): never {
    throw new Error(`'${this.text}' is no ${this.#what}: ${why}.`)
  }
}
