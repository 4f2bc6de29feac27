/**
 * When a program waits for a promise, as opposed to holding one. The promise stays the browser's own; it gets three properties:
 *
 *   constructor   read by `await`, Promise.all(), race() and resolve() (ECMA-262 §27.2.4.7.1 PromiseResolve): the program waits
 *   then          called by a program with its own callbacks: no wait, and the derived promise is watched alike;
 *                 called by the language with resolving functions (Promise.all(), `return promise`): the program waits
 *   finally       as `then` with callbacks
 *
 * The recorder's reaction is attached first, so the end of a wait is taken just before the program goes on. A promise that has settled
 * before it is awaited gives no wait. Awaited twice, the wait begins with the later await: the program was free in between.
 */
import {
  defineProperty,
  functionText,
  promiseFinally,
  promiseThen,
  react,
  testPattern,
  type Callback,
} from './intrinsics'

/** One call that gave a promise, with all that is derived from it. */
interface Watched<Begin> {
  settled: boolean
  /** Someone else than the recorder reacts to it: a rejection is not unhandled. */
  handled: boolean
  begin: Begin | null
}

const NATIVE = /^function\s*\(\)\s*\{\s*\[native code\]\s*\}$/

/** The language's own resolving functions have no name; a bound function of a program has one ('bound …'). */
const isResolver = (callback: Callback): boolean =>
  typeof callback === 'function' && callback.name === '' && testPattern(NATIVE, functionText(callback))

/** Reads of `constructor` by the recorder's own calls of the intrinsics (SpeciesConstructor): no program waits. */
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
  /** Called when the program begins to wait; what it returns is given to `waited`. Null: not recorded. */
  readonly waits: () => Begin | null
  /** Called once, when the promise settles, before the program's own reactions. `begin`: null where nobody waited. */
  readonly settled: (begin: Begin | null, fulfilled: boolean) => void
  /** Whether the program was stopped: what it asked for and never came to await is then nobody's, also where it is rejected. */
  readonly isAbandoned?: () => boolean
}

/** Watches a promise that WebGPU has just returned. */
export function watchPromise<T extends Promise<unknown>, Begin>(
  promise: T,
  constructor: PromiseConstructor,
  watcher: Watcher<Begin>,
): T {
  const state: Watched<Begin> = { settled: false, handled: false, begin: null }
  const settle = (fulfilled: boolean): void => {
    state.settled = true
    watcher.settled(state.begin, fulfilled)
    state.begin = null
  }
  react(
    promise,
    () => {
      settle(true)
    },
    (reason: unknown) => {
      settle(false)
      // Without this reaction the page would report an unhandled rejection: it still does.
      if (!state.handled && watcher.isAbandoned?.() !== true) throw reason
    },
  )
  return decorate(promise, constructor, watcher, state)
}

function decorate<T extends Promise<unknown>, Begin>(
  promise: T,
  constructor: PromiseConstructor,
  watcher: Watcher<Begin>,
  state: Watched<Begin>,
): T {
  const begin = (): void => {
    state.handled = true
    if (!state.settled) state.begin = watcher.waits() ?? state.begin
  }
  const derive = (make: () => Promise<unknown>): Promise<unknown> => {
    state.handled = true
    const derived = own(make)
    return state.settled ? derived : decorate(derived, constructor, watcher, state)
  }
  defineProperty(promise, 'constructor', {
    configurable: true,
    get: () => {
      if (!isOwnRead) begin()
      return constructor
    },
  })
  defineProperty(promise, 'then', {
    configurable: true,
    writable: true,
    value: (fulfilled?: Callback, rejected?: Callback) => {
      if (!isResolver(fulfilled)) return derive(() => promiseThen(promise, fulfilled, rejected))
      // Promise.all() and its like have just read `constructor`.
      if (!state.begin) begin()
      return own(() => promiseThen(promise, fulfilled, rejected))
    },
  })
  defineProperty(promise, 'finally', {
    configurable: true,
    writable: true,
    value: (callback?: (() => void) | null) => derive(() => deriveFinally(promise, callback)),
  })
  return promise
}

/** The intrinsic finally() calls `then` of the promise with functions of the language, which would be taken for an await. */
function deriveFinally(promise: Promise<unknown>, callback?: (() => void) | null): Promise<unknown> {
  const plain = promiseThen(promise, undefined, undefined)
  return promiseFinally(plain, callback)
}
