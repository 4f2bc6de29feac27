/**
 * What a learner's program finds in its global: the language, WebGPU's flags, `performance.now()` and a console of the lab's. All else is
 * deleted before its first line runs: network, storage, other workers, timers (waiting for a device is what mends are about, and polling
 * it by a clock is not waiting), shared memory, and whatever a browser adds next year. There is no way back: `eval` and `Function` are
 * refused by the page's content security policy and here, and `import()` by the page's parser (program.ts).
 */

/** ECMAScript 2025 without what runs text, shares memory, or outlives the program. */
const LANGUAGE = `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt Array
   ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error AggregateError
   EvalError RangeError ReferenceError SyntaxError TypeError URIError Float16Array Float32Array Float64Array
   Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array Iterator JSON
   Map Math Number Object Promise Proxy Reflect RegExp Set
   String Symbol WeakMap WeakSet`.split(/\s+/)
/** Flags that plain WebGPU needs; the device itself is an argument of the program. Classes stay for `instanceof`. */
const isOfWebGpu = (name: string): boolean => /^GPU[A-Z]/.test(name)
const OTHERS = ['performance', 'DOMException', 'console'] as const

const ALLOWED: ReadonlySet<string> = new Set<string>([...LANGUAGE, ...OTHERS])
const isAllowed = (name: PropertyKey): boolean =>
  typeof name === 'string' && (ALLOWED.has(name) || isOfWebGpu(name))

/** A number for ever, as Chromium's `TEMPORARY` is. */
function isConstant(holder: object, name: PropertyKey): boolean {
  const descriptor = Reflect.getOwnPropertyDescriptor(holder, name)
  return descriptor?.writable === false && typeof descriptor.value === 'number'
}

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

const REFUSED_HANDLER = 'In a mend, errors are caught with pushErrorScope() and popErrorScope().'
/** The events of a device, which come when they like: a handler would run after the program's end. */
export function refuseHandlers(device: { readonly prototype: object } = GPUDevice): void {
  // Of a browser's it is inherited, and gone with the global's (emptyGlobal); the model's has its own.
  Reflect.deleteProperty(device.prototype, 'addEventListener')
  Reflect.defineProperty(device.prototype, 'onuncapturederror', {
    get: () => null,
    set: () => {
      throw new TypeError(REFUSED_HANDLER)
    },
    configurable: false,
  })
}

/**
 * Deletes what is not allowed from the global and from its prototypes, and fixes what is: a name can be neither replaced nor added.
 *
 * @returns names that could not be deleted; none in today's browsers, and a reason not to go on.
 */
export function emptyGlobal(global: object, learnersConsole: LearnersConsole): readonly string[] {
  const chain: object[] = []
  for (let at: object | null = global; at && at !== Object.prototype; at = Reflect.getPrototypeOf(at))
    chain.push(at)
  // Some stand on the global, some are accessors of a prototype: all become the global's own.
  const names = chain.flatMap((at) => Reflect.ownKeys(at)).filter(isAllowed)
  const kept = names.map(
    (name) => [name, name === 'console' ? learnersConsole : Reflect.get(global, name)] as const,
  )
  const left: string[] = []
  for (const at of chain)
    for (const name of Reflect.ownKeys(at)) {
      if ((at === global && isAllowed(name)) || name === Symbol.toStringTag) continue
      // A prototype's `constructor` is the way back to what it constructs.
      if (!Reflect.deleteProperty(at, name) && !isConstant(at, name)) left.push(String(name))
    }
  for (const [name, value] of kept)
    if (!Reflect.defineProperty(global, name, { value, writable: false, configurable: false }))
      left.push(String(name))
  Reflect.preventExtensions(global)
  return left
}

const REFUSED = 'A program of the lab cannot make code out of text.'
function refuse(): never {
  throw new TypeError(REFUSED)
}

/** `(() => {}).constructor('…')` is `Function('…')`: refused by the page's policy, and here where a page has none. */
export function refuseText(): void {
  const functions = [function () {}, async function () {}, function* () {}, async function* () {}] as const
  for (const each of functions) {
    const prototype = Reflect.getPrototypeOf(each)
    if (prototype) Reflect.defineProperty(prototype, 'constructor', { value: refuse, configurable: false })
  }
}
