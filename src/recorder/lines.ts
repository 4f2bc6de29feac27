/**
 * Finds which line of the variant’s program made a call. In a warm-up the line is read from the
 * call’s stack. In measured repeats a stack would cost more than recording does, so the n-th call
 * of a role within a step has the line of the n-th in the warm-up.
 */
import { madeOnce } from '../base/lists'
import { framesOf } from './call-sites'
import { SPAN_ROLES, type SpanRole } from '../trace/schema'
import type { Tag } from './records'

const NOT_KNOWN = -1
/** More calls of one role within one step than any program makes; what lies beyond has no line. */
const MAX_ORDINAL = 4096
const ROLE_INDEX = Object.fromEntries(SPAN_ROLES.map((role, index) => [role, index])) as Readonly<
  Record<SpanRole, number> // built from all of them
>

/** The line, counted from 1, of the first frame whose URL begins with `url`; -1 where none does. */
export const lineInStack = (stack: unknown, url: string): number =>
  (url === '' ? undefined : framesOf(stack).find((frame) => frame.url.startsWith(url))?.line) ?? NOT_KNOWN

export class CallLines {
  /** True in a warm-up: lines are read from stacks and kept. */
  fromStacks = false
  /** Prefix of the URLs of the programs that run; empty: no lines. */
  url: string
  readonly #known = new Map<string | undefined, Map<number, number>>()
  readonly #ordinals = new Int32Array(SPAN_ROLES.length)
  #tag: Tag | null = null
  #ofVariant: Map<number, number> | undefined

  constructor(programUrl: string) {
    this.url = programUrl
  }

  /** Of a call made now. */
  line(role: SpanRole, tag: Tag): number {
    if (this.url === '') return NOT_KNOWN
    if (tag !== this.#tag) this.#enter(tag)
    const index = ROLE_INDEX[role]
    const ordinal = this.#ordinals[index] ?? 0
    if (ordinal >= MAX_ORDINAL) return NOT_KNOWN
    this.#ordinals[index] = ordinal + 1
    const key = ((tag.step + 1) * SPAN_ROLES.length + index) * MAX_ORDINAL + ordinal
    if (!this.fromStacks) return this.#ofVariant?.get(key) ?? NOT_KNOWN
    const line = lineInStack(new Error().stack, this.url)
    this.#ofVariant ??= madeOnce(this.#known, tag.variant, () => new Map())
    this.#ofVariant.set(key, line)
    return line
  }

  #enter(tag: Tag): void {
    this.#tag = tag
    this.#ordinals.fill(0)
    this.#ofVariant = this.#known.get(tag.variant)
  }
}
