/**
 * JSON as `JSON.stringify(value, null, 2)` writes it, in blocks of whole lines. Of 10^6 events it
 * is 32 MB: as one text beside the objects that it is made of it would take more memory than the
 * analysis.
 */
import { randomUUID } from 'node:crypto'

/** A list whose elements are made when they are written. */
export class LongList<T> {
  readonly #list: readonly T[]
  readonly #plain: (each: T) => object

  constructor(list: readonly T[], plain: (each: T) => object) {
    this.#list = list
    this.#plain = plain
  }

  /** Lines of its elements, further in by `indent`. */
  *blocks(indent: string): Generator<string> {
    const { length } = this.#list
    for (let first = 0; first < length; first += AT_ONCE) {
      const some = this.#list.slice(first, first + AT_ONCE).map((each) => this.#plain(each))
      const lines = indent + JSON.stringify(some, null, 2).slice(2, -2).replaceAll('\n', `\n${indent}`)
      yield first + AT_ONCE < length ? `${lines},` : lines
    }
  }

  get isEmpty(): boolean {
    return this.#list.length === 0
  }
}

const AT_ONCE = 1000

export function* jsonBlocks(value: unknown): Generator<string> {
  const lists: LongList<unknown>[] = []
  const mark = randomUUID()
  const write = (_: string, each: unknown): unknown => {
    if (!(each instanceof LongList)) return each
    lists.push(each)
    return each.isEmpty ? [] : mark
  }
  const parts = JSON.stringify(value, write, 2).split(`"${mark}"`)
  let before = ''
  for (const [at, list] of lists.filter(({ isEmpty }) => !isEmpty).entries()) {
    before += parts[at] ?? ''
    const indent = /^ */.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? ''
    yield `${before}[`
    yield* list.blocks(indent)
    before = `${indent}]`
  }
  yield before + (parts.at(-1) ?? '')
}
