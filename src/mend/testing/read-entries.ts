/** Of long lists of numbers in plain data: which entries somebody reads, and the data with these alone. */

type List = number[] | Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array
/** Shorter lists are kept as they are. */
const LONG = 256

/** A list of which only some entries are known. */
class Sparse {
  readonly sparse = true
  constructor(
    readonly empty: List,
    readonly length: number,
    readonly at: Uint32Array,
    readonly values: Float64Array,
  ) {}
}
const isSparse = (value: object): value is Sparse => 'sparse' in value

const isLong = (value: object): value is List =>
  (Array.isArray(value) ? value.every((entry) => typeof entry === 'number') : ArrayBuffer.isView(value)) &&
  (value as List).length >= LONG

/** The same data with each object that `change` knows replaced. */
function mapped(value: unknown, change: (object: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const changed = change(value)
  if (changed !== undefined) return changed
  if (Array.isArray(value)) return value.map((entry) => mapped(entry, change))
  if (ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mapped(entry, change)]))
}

interface Noted<T> {
  /** The same to whoever reads it, but that each read of an entry is noted. */
  readonly value: T
  /** With the entries that were read so far; others are gone from long lists. */
  readonly read: () => T
}

export function noteReads<T>(data: T): Noted<T> {
  const readOf = new Map<object, Set<number>>()
  const value = mapped(data, (list) =>
    isLong(list) ? watched(list, (at) => readOf.get(list)?.add(at)) : undefined,
  )
  mapped(data, (list) => {
    if (isLong(list)) readOf.set(list, new Set())
    return undefined
  })
  return {
    value: value as T, // mapped keeps the shape
    read: () =>
      mapped(data, (list) => {
        const read = readOf.get(list)
        if (!read || !isLong(list) || read.size === list.length) return undefined
        const at = Uint32Array.from(read).sort()
        return new Sparse(
          list.slice(0, 0),
          list.length,
          at,
          Float64Array.from(at, (index) => list[index] ?? Number.NaN),
        )
      }) as T, // as above; Sparse stands for a list until fullAgain
  }
}

const watched = (list: List, note: (at: number) => void): List =>
  new Proxy(list, {
    get: (target, name) => {
      const at = typeof name === 'string' ? Number(name) : Number.NaN
      if (Number.isInteger(at)) note(at)
      // Of the list itself: a typed array's `length` and methods refuse a proxy.
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function' || Array.isArray(target)) return found
      for (let each = 0; each < target.length; each += 1) note(each)
      return found.bind(target) as unknown
    },
  })

export const fullAgain = <T>(data: T): T =>
  mapped(data, (value) => {
    if (!isSparse(value)) return undefined
    const list: List = Array.isArray(value.empty)
      ? Array.from({ length: value.length }, () => Number.NaN)
      : new (value.empty.constructor as new (length: number) => Exclude<List, number[]>)(value.length) // a typed array's own
    list.fill(Number.NaN)
    value.at.forEach((index, row) => {
      list[index] = value.values[row] ?? Number.NaN
    })
    return list
  }) as T // as noteReads took it
