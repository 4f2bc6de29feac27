/** Three text numbers as one key, without making a text of them: a file may have a million. */
const TEXTS = 2 ** 26

export class TextTriples {
  /** Of the first two, from 0 on. */
  readonly #pairs = new Map<number, number>()

  /** Below 2^53, and another for any other three. */
  key(first: number, second: number, third: number): number {
    const both = first * TEXTS + second
    let pair = this.#pairs.get(both)
    if (pair === undefined) this.#pairs.set(both, (pair = this.#pairs.size))
    return pair * TEXTS + third
  }
}
