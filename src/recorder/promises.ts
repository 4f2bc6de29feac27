/**
 * Tells when a program waits for a promise, as opposed to holding one. The promise gets three
 * properties, which the program cannot replace:
 *
 *   constructor   read by `await`, Promise.all(), race() and resolve(): the program waits
 *                 (ECMA-262 §27.2.4.7.1 PromiseResolve)
 *   then          called by the program with callbacks of its own: no wait, and the derived
 *                 promise is watched alike; called by the language with resolving functions
 *                 (Promise.all(), `return promise`): the program waits
 *   finally       as `then` with callbacks
 *
 * In a page and in an exercise callbacks are a wait too, if the program called nothing of WebGPU
 * until they ran: it had nothing to do. The recorder's reaction comes first, so a wait ends just
 * before the program goes on. A promise that has settled before it is awaited gives no wait. If it
 * is awaited twice, the wait begins with the later await: the program was free in between.
 */
import type { Gate } from './gate'
import { promiseThen, react, uncurry, type Callback } from './realm'

/** One call that gave a promise, with all that is derived from it. */
interface Watched<Begin = unknown> {
  readonly watcher: Watcher<Begin>
  readonly constructor: PromiseConstructor
  settled: boolean
  /** Someone else than the recorder reacts to it: a rejection is not unhandled. */
  handled: boolean
  begin: Begin | null
  /** Calls made when callbacks were given and nobody waited; -1: somebody waits. */
  callsAtCallbacks: number
}

// An exercise's global has no Function.
/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
const functionText = uncurry<object, [], string>(Function.prototype.toString)
const promiseFinally = uncurry<Promise<unknown>, [(() => void) | null | undefined], Promise<unknown>>(
  Promise.prototype.finally,
)
/* oxlint-enable typescript/unbound-method */
const NATIVE = /^function\s*\(\)\s*\{\s*\[native code\]\s*\}$/

/** The language’s own resolving functions have no name; a bound function of a program has one. */
const isResolver = (callback: Callback): boolean =>
  typeof callback === 'function' && callback.name === '' && NATIVE.test(functionText(callback))

/**
 * True while the recorder’s own calls read `constructor` (SpeciesConstructor): no program waits.
 */
let isOwnRead = false
function own<T>(call: () => T): T {
  isOwnRead = true
  try {
    return call()
  } finally {
    isOwnRead = false
  }
}

/** What happens to a watched promise. */
export interface Watcher<Begin> {
  /**
   * Called when the program begins to wait. Its result is given to `settled`. Null: not recorded.
   */
  readonly waits: () => Begin | null
  /** Called once, before the program’s own reactions. `begin`: null where nobody waited. */
  readonly settled: (begin: Begin | null, fulfilled: boolean) => void
  /** Whether and when the program hears of it. */
  readonly gate?: Gate
}

/**
 * Watches a promise that WebGPU has just returned.
 *
 * @returns this promise, or one that the gate may hold back
 */
export function watchPromise<T extends Promise<unknown>, Begin>(
  promise: T,
  constructor: PromiseConstructor,
  watcher: Watcher<Begin>,
): T {
  const { gate } = watcher
  // oxfmt-ignore
  const state: Watched<Begin> = { watcher, constructor, settled: false, handled: false, begin: null, callsAtCallbacks: -1 }
  const settle = (fulfilled: boolean): void => {
    state.settled = true
    const wentOn = state.callsAtCallbacks >= 0 && state.callsAtCallbacks !== gate?.calls
    watcher.settled(wentOn ? null : state.begin, fulfilled)
    state.begin = null
  }
  let given = promise
  react(
    promise,
    () => {
      settle(true)
    },
    (reason: unknown) => {
      settle(false)
      // Without this reaction the page would report an unhandled rejection. It still does, unless
      // its program was stopped.
      if (!state.handled && given === promise && gate?.wasInterrupted !== true) throw reason
    },
  )
  if (gate) given = gate.given(promise)
  return decorate(given, state as Watched) // Begin goes from its watcher to its watcher
}

/**
 * Its constructor returns the object that it is given, so fields of a subclass become that
 * object’s.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- what it gives is another object
class Given {
  constructor(object: object) {
    return object
  }
}
/**
 * Keeps what is known of a promise in a private field of it. No program reads that, and it costs
 * less than an entry of a weak map.
 */
class Known extends Given {
  readonly #state: Watched
  constructor(promise: object, state: Watched) {
    super(promise)
    this.#state = state
  }
  static of(promise: object): Watched | undefined {
    return #state in promise ? promise.#state : undefined
  }
}

function begin(state: Watched): void {
  state.handled = true
  if (state.settled) return
  state.begin = state.watcher.waits() ?? state.begin
  state.callsAtCallbacks = -1
}

function derive(state: Watched, make: () => Promise<unknown>): Promise<unknown> {
  state.handled = true
  const { gate, waits } = state.watcher
  if (gate?.callbacksWait && !state.settled && !state.begin) {
    state.begin = waits()
    state.callsAtCallbacks = gate.calls
  }
  const derived = own(make)
  return state.settled ? derived : decorate(derived, state)
}

/**
 * All promises share these. Functions of its own would give each promise a hidden class of its
 * own, which costs several µs.
 */
const PROPERTIES = {
  constructor: {
    get(this: object) {
      const state = Known.of(this)
      if (state && !isOwnRead) begin(state)
      return state?.constructor
    },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- what a watched promise has of its own
  then: {
    value(this: Promise<unknown>, fulfilled?: Callback, rejected?: Callback) {
      const state = Known.of(this)
      if (!state) return promiseThen(this, fulfilled, rejected)
      if (!isResolver(fulfilled)) return derive(state, () => promiseThen(this, fulfilled, rejected))
      // Promise.all() and its like have just read `constructor`.
      if (!state.begin) begin(state)
      return own(() => promiseThen(this, fulfilled, rejected))
    },
  },
  finally: {
    value(this: Promise<unknown>, callback?: (() => void) | null) {
      const state = Known.of(this)
      return state ? derive(state, () => deriveFinally(this, callback)) : promiseFinally(this, callback)
    },
  },
}

function decorate<T extends Promise<unknown>>(promise: T, state: Watched): T {
  if (Known.of(promise)) return promise
  new Known(promise, state)
  return Object.defineProperties(promise, PROPERTIES)
}

/**
 * The intrinsic finally() calls `then` with functions of the language, which would be taken for
 * an await.
 */
function deriveFinally(promise: Promise<unknown>, callback?: (() => void) | null): Promise<unknown> {
  const plain = promiseThen(promise, undefined, undefined)
  return promiseFinally(plain, callback)
}
