/**
 * Finds where in a page’s scripts calls come from. A stack costs 30 to 150 µs in a page with
 * megabytes of script, more than recording does. So only samples of each kind of call are taken:
 * the first ones, then ever fewer. A site’s number counts samples.
 */
import { madeOnce } from '../base/lists'

interface CallSite extends Frame {
  /** What was called: a role of spans, or what counts.ts and encoders.ts say. */
  readonly what: string
  sampled: number
}

const FIRST = 16
/**
 * After the first calls a sample comes after half as many calls again, at most after 16,383. The
 * number is odd, so that both of two alternating calls are sampled. A page that makes 36,000
 * writes a second for 300 objects has 2 samples then: less than a thousandth of the host’s time.
 */
const GROWTH = 2
const MOST_BETWEEN = 16_383
const MOST_SITES = 512
/** The text of a program may be its URL. */
const LONGEST_FRAME = 16_384
/** The recorder's own functions are up to 9 of them, and a browser's own limit is 10. */
const STACK_FRAMES = 16
/** V8's 'at f (url:line:column)' and 'at url:line:column', SpiderMonkey's 'f@url:line:column'. */
const FRAME = /^\s*(?:at )?(?:(?:async )?(.*?)(?: \(|@))?([^\s()@]+):(\d+):(\d+)\)?$/

interface Frame {
  /** '' where the call stands in none that has a name. */
  readonly caller: string
  readonly url: string
  readonly line: number
  readonly column: number
}

/** The frames of a stack, innermost first; what is no frame is passed over. */
export const framesOf = (stack: unknown): readonly Frame[] =>
  typeof stack !== 'string'
    ? []
    : stack.split('\n', 32).flatMap((text) => {
        const [, caller = '', url, line, column] = FRAME.exec(text.slice(0, LONGEST_FRAME)) ?? []
        return url === undefined ? [] : [{ caller, url, line: Number(line), column: Number(column) }]
      })

/** What V8 gives of a frame before it is text. */
interface V8Frame {
  readonly getScriptNameOrSourceURL: () => unknown
  readonly toString: () => string
}

/**
 * V8 asks `Error.prepareStackTrace` for a stack’s text. With the one frame that is wanted, it
 * does not look up the lines of all others, which is nearly all of a stack’s cost in a page with
 * megabytes of script. Other engines, and a page that has locked `Error`, give the whole text.
 */
function stackOf(own: string | undefined): unknown {
  const limit = Reflect.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
  if (limit?.writable !== true) return new Error().stack
  const prepare = Reflect.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  const isOurs = Reflect.defineProperty(Error, 'prepareStackTrace', {
    value: (_: unknown, frames: readonly V8Frame[]) => {
      // The innermost frame is the recorder’s own. Its script has no URL where a debugger put it
      // there.
      if (own === undefined) return frames[0]?.toString() ?? ''
      for (const frame of frames) {
        const url = frame.getScriptNameOrSourceURL()
        if (typeof url === 'string' && url !== '' && url !== own) return frame.toString()
      }
      return ''
    },
    writable: true,
    enumerable: true,
    configurable: true,
  })
  Error.stackTraceLimit = STACK_FRAMES
  const { stack } = new Error()
  Error.stackTraceLimit = limit.value as number // as it was
  if (isOurs) {
    if (prepare) Reflect.defineProperty(Error, 'prepareStackTrace', prepare)
    else Reflect.deleteProperty(Error, 'prepareStackTrace')
  }
  return stack
}

interface Calls {
  count: number
  /** Number of the call that is sampled next. */
  next: number
}

export class CallSites {
  readonly #stack: (own: string | undefined) => unknown
  /** Of the recorder's own script. */
  readonly #own: string | undefined
  readonly #calls = new Map<string, Calls>()
  readonly #sites = new Map<string, CallSite>()

  /**
   * @param stack gives the text of a stack. Given the recorder’s own URL, V8 gives that of its
   * first other frame; without one, of its first frame.
   */
  constructor(stack: (own: string | undefined) => unknown = stackOf) {
    this.#stack = stack
    this.#own = framesOf(stack(undefined))[0]?.url
  }

  /** Called at each call. `also`: another kind that it counts as, for which no stack is read. */
  saw(what: string, also?: string): void {
    const calls = madeOnce(this.#calls, what, () => ({ count: 0, next: 1 }))
    calls.count += 1
    const { count } = calls
    if (count < calls.next) return
    calls.next = count < FIRST ? count + 1 : count + (Math.min(MOST_BETWEEN, count / GROWTH) | 1)
    const frame = framesOf(this.#stack(this.#own)).find(({ url }) => url !== this.#own)
    if (!frame) return
    this.#add(what, frame)
    if (also !== undefined) this.#add(also, frame)
  }

  #add(what: string, frame: Frame): void {
    const { url, line, column } = frame
    const key = `${what} ${url}:${String(line)}:${String(column)}`
    const site = this.#sites.get(key)
    if (site) site.sampled += 1
    else if (this.#sites.size < MOST_SITES) this.#sites.set(key, { what, ...frame, sampled: 1 })
  }

  /** Most often seen first. */
  get all(): readonly CallSite[] {
    return [...this.#sites.values()].sort((a, b) => b.sampled - a.sampled)
  }
}
