/**
 * Freezes everything that is reachable from the global: what a learner's program replaced (`Promise.prototype.then`, `performance.now`,
 * `GPUQueue.prototype.submit`) would reach the recorder and the lab's own code in the same realm. As SES's lockdown does it, less what a
 * worker that lives for one program does not need.
 */

/** Prototypes that no global leads to. */
function hiddenRoots(): readonly object[] {
  const empty: readonly unknown[] = []
  const samples: readonly object[] = [
    empty[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
    async function () {},
    function* () {},
    (function* () {})(),
    async function* () {},
    (async function* () {})(),
  ]
  const roots: object[] = []
  for (const sample of samples)
    for (let at = Reflect.getPrototypeOf(sample); at; at = Reflect.getPrototypeOf(at)) roots.push(at)
  return roots
}

/** Whose members programs give to their own objects: `ring.at = 0`, a `toString`, an error's `name`. */
const OVERRIDDEN: readonly object[] = [
  Object,
  Function,
  Array,
  Map,
  Set,
  Error,
  TypeError,
  RangeError,
  Reflect.getPrototypeOf(Uint8Array) as typeof Uint8Array, // %TypedArray%
].map(({ prototype }) => prototype)

/**
 * A frozen property of a prototype cannot be assigned on an object that inherits it, as it can in JavaScript: an accessor that defines the
 * object's own property lets it. Not for symbols, which engines look up in each loop.
 */
function allowOverrides(prototype: object): void {
  for (const name of Reflect.ownKeys(prototype)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, name)
    if (typeof name === 'symbol' || !descriptor?.configurable || !('value' in descriptor)) continue
    const value: unknown = descriptor.value
    Reflect.defineProperty(prototype, name, {
      get: () => value,
      set(this: object, own: unknown) {
        if (this === prototype) throw new TypeError(`Built-in objects cannot be changed here: ${name}.`)
        Reflect.defineProperty(this, name, {
          value: own,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      },
      enumerable: false,
      configurable: false,
    })
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Freezes each object that is reachable from `roots` by properties, accessors and prototypes. */
export function freezeDeeply(roots: readonly unknown[]): void {
  const seen = new Set<object>()
  const open: object[] = roots.filter(isObject)
  const add = (value: unknown) => {
    if (isObject(value) && !seen.has(value)) open.push(value)
  }
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    // A view of memory cannot be frozen, and its elements are data.
    if (!ArrayBuffer.isView(next)) Object.freeze(next)
    add(Reflect.getPrototypeOf(next))
    for (const name of Reflect.ownKeys(next)) {
      if (ArrayBuffer.isView(next) && typeof name === 'string' && /^\d+$/.test(name)) continue
      const descriptor = Reflect.getOwnPropertyDescriptor(next, name)
      if (!descriptor) continue
      add(descriptor.value)
      add(descriptor.get)
      add(descriptor.set)
    }
  }
}

/** To be called when the recorder has patched WebGPU, and nothing of the learner's has run. */
export function freezeBuiltIns(global: object): void {
  for (const prototype of OVERRIDDEN) allowOverrides(prototype)
  freezeDeeply([global, ...hiddenRoots()])
}
