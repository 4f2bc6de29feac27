/**
 * The global of a learner's program: the language, WebGPU's flags, `performance` and a console of
 * the lab's. Everything else is deleted before its first line runs: the network, storage, other
 * workers, and timers, because a program should wait for its device and not for a clock. A list of
 * what stays needs no change when browsers add something.
 */
const LANGUAGE = `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt Array ArrayBuffer BigInt BigInt64Array
  BigUint64Array Boolean DataView Date Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  Float16Array Float32Array Float64Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array
  Iterator JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap WeakSet`

const ALLOWED: ReadonlySet<string> = new Set([...LANGUAGE.split(/\s+/), 'performance', 'DOMException'])
const isAllowed = (name: PropertyKey): boolean =>
  typeof name !== 'string' || ALLOWED.has(name) || /^GPU[A-Z]/.test(name)

type Log = (...values: readonly unknown[]) => void
type LearnersConsole = Readonly<Record<string, Log>>

/** Every method that only shows something. */
export const consoleOf = (log: Log): LearnersConsole => ({
  ...Object.fromEntries(
    ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'].map((name) => [name, log]),
  ),
  assert: (holds, ...values) => {
    if (!holds) log('Assertion failed:', ...values)
  },
})

/** Deletes what is not allowed from the global and from the prototypes above it. */
export function emptyGlobal(global: object, learnersConsole: LearnersConsole): void {
  for (let at: object | null = global; at && at !== Object.prototype; at = Reflect.getPrototypeOf(at))
    for (const name of Reflect.ownKeys(at)) if (!isAllowed(name)) Reflect.deleteProperty(at, name)
  Reflect.defineProperty(global, 'console', { value: learnersConsole })
}
