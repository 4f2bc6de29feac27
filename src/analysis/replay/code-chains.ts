/** The reader's own functions around each part of a thread. */
import { isLibrary, pythonFrame } from '../host-stacks'
import type { NestedLane } from './host-stretches'
import type { SpanNames } from './span-names'

/** Ids of chains begin at 0, and -1 is none. */
const NOT_ASKED = -2

export class CodeChains {
  /** 'train.py(12): step', innermost first. */
  readonly chains: (readonly string[])[] = []
  readonly #names: SpanNames
  readonly #isOwn: (span: number) => boolean
  /** By the chain around a function, then by the function's name. */
  readonly #ids = new Map<number, Map<number, number>>()
  readonly #known = new Map<NestedLane, Int32Array>()

  constructor(names: SpanNames) {
    this.#names = names
    this.#isOwn = names.asked((name) => {
      const frame = pythonFrame(name)
      return frame !== null && !isLibrary(frame.file)
    })
  }

  /** Index into `chains` of the functions around a position; -1 where none is recorded. */
  of(lane: NestedLane, at: number): number {
    if (at < 0) return -1
    let known = this.#known.get(lane)
    if (!known) this.#known.set(lane, (known = new Int32Array(lane.span.length).fill(NOT_ASKED)))
    return this.#chainAt(lane, known, at)
  }

  #chainAt(lane: NestedLane, known: Int32Array, at: number): number {
    if (at < 0) return -1
    const found = known[at] ?? NOT_ASKED
    if (found !== NOT_ASKED) return found
    const above = this.#chainAt(lane, known, lane.parent[at] ?? -1)
    const span = lane.span[at] ?? -1
    const isOwn = this.#names.roleOf(span) === 'python' && this.#isOwn(span)
    return (known[at] = isOwn ? this.#chainOf(span, above) : above)
  }

  #chainOf(span: number, above: number): number {
    let within = this.#ids.get(above)
    if (!within) this.#ids.set(above, (within = new Map<number, number>()))
    const name = this.#names.idOf(span)
    let id = within.get(name)
    if (id === undefined) {
      id = this.chains.push([this.#names.of(span), ...(this.chains[above] ?? [])]) - 1
      within.set(name, id)
    }
    return id
  }
}
