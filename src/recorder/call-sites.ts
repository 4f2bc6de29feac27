/**
 * Where in a page's scripts calls come from. A stack costs more than what is recorded, so not each call is looked at: of each role the first
 * ones, and then one of many. A site's number is of the calls that were looked at.
 */
import { SPAN_ROLES, type SpanRole } from '../trace/schema'

export interface CallSite {
  readonly role: SpanRole
  readonly url: string
  readonly line: number
  readonly column: number
  /** '' where the call stands in none that has a name. */
  readonly caller: string
  looked: number
}

const FIRST = 64
const ONE_OF = 64
const MOST_SITES = 512
const LONGEST_FRAME = 2000
/** V8's 'at f (url:line:column)' and 'at url:line:column', SpiderMonkey's 'f@url:line:column'. */
const FRAME = /^\s*(?:at )?(?:(?:async )?(.*?)(?: \(|@))?([^\s()@]+):(\d+):(\d+)\)?$/

interface Frame {
  readonly caller: string
  readonly url: string
  readonly line: number
  readonly column: number
}

/** The frames of a stack, innermost first; what is no frame is passed over. */
const framesOf = (stack: unknown): readonly Frame[] =>
  typeof stack !== 'string'
    ? []
    : stack.split('\n', 32).flatMap((text) => {
        const [, caller = '', url, line, column] = FRAME.exec(text.slice(0, LONGEST_FRAME)) ?? []
        return url === undefined ? [] : [{ caller, url, line: Number(line), column: Number(column) }]
      })

export class CallSites {
  readonly #stack: () => unknown
  /** Of the recorder's own script. */
  readonly #own: string | undefined
  readonly #calls = new Map<SpanRole, number>()
  readonly #sites = new Map<string, CallSite>()

  constructor(stack: () => unknown = () => new Error().stack) {
    this.#stack = stack
    this.#own = framesOf(stack())[0]?.url
  }

  /** A call of this role is being made. */
  saw(role: SpanRole): void {
    const calls = (this.#calls.get(role) ?? 0) + 1
    this.#calls.set(role, calls)
    if (calls > FIRST && calls % ONE_OF !== 0) return
    const frame = framesOf(this.#stack()).find(({ url }) => url !== this.#own)
    if (!frame) return
    const { url, line, column } = frame
    const key = `${role} ${url}:${String(line)}:${String(column)}`
    const site = this.#sites.get(key)
    if (site) site.looked += 1
    else if (this.#sites.size < MOST_SITES) this.#sites.set(key, { role, ...frame, looked: 1 })
  }

  /** Most often seen first, within the order of roles. */
  get all(): readonly CallSite[] {
    const order = (role: SpanRole): number => SPAN_ROLES.indexOf(role)
    return [...this.#sites.values()].sort((a, b) => order(a.role) - order(b.role) || b.looked - a.looked)
  }
}
