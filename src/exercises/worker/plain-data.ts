/**
 * Copies a program's input for it, and turns its results and log into plain data, bounded, so that
 * a mistake does not fill the page's memory.
 */
import { standIns } from '../../base/buffer-registry'
import type { Program } from '../workload'

/** A program returns some numbers for each step. Far more is a mistake. */
const MAX_VALUES = 100_000
/** A longer string is cut. */
const MAX_CHARACTERS = 1000
/** A list that holds itself has no end. */
const MAX_DEPTH = 16

/**
 * Numbers, strings, booleans, null, and lists, typed arrays (as lists) and plain objects of these.
 *
 * @throws Error with a sentence for the learner
 * @internal
 */
export function plainData(value: unknown): unknown {
  let left = MAX_VALUES
  const take = (count: number): void => {
    left -= count
    if (left < 0) throw new Error(`Your program returned more than ${String(MAX_VALUES)} values.`)
  }
  const copyObject = (each: object, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new Error('Your program returned lists within lists without end.')
    const standIn = standIns.get(each)
    if (standIn) {
      take(standIn.length)
      return Array.from(standIn.real() as unknown as ArrayLike<number>) // of a typed array
    }
    if (Array.isArray(each)) return each.map((entry) => copy(entry, depth))
    if (ArrayBuffer.isView(each) && !(each instanceof DataView)) {
      const list = each as unknown as ArrayLike<number> // every other view is a typed array
      take(list.length)
      return Array.from(list)
    }
    return Object.fromEntries(Object.entries(each).map(([name, entry]) => [name, copy(entry, depth)]))
  }
  const copy = (each: unknown, depth: number): unknown => {
    take(1)
    switch (typeof each) {
      case 'number':
      case 'boolean':
      case 'undefined':
        return each
      case 'string':
        return each.slice(0, MAX_CHARACTERS)
      case 'object':
        return each === null ? null : copyObject(each, depth + 1)
      default:
        throw new Error(
          `Your program returned a ${typeof each}: only numbers, strings, lists and plain objects can be graded.`,
        )
    }
  }
  return copy(value, 0)
}

const MAX_LINE = 500

/** One line, as console.log shows it. */
export function logLine(values: readonly unknown[]): string {
  const words = values.map((value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    try {
      return typeof value === 'object' && value !== null
        ? JSON.stringify(plainData(value))
        : `${value as number}` // or another primitive, or a function
    } catch {
      return '(not shown)'
    }
  })
  const line = words.join(' ')
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line
}

/**
 * Lists and plain objects are the program's own, to change as it likes: the next run begins with
 * others.
 */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value // WebGPU's, or memory
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)]))
}

/**
 * Wraps the program; its return value is copied at once. @throws TypeError with a sentence for the
 * learner
 */
export function asProgram(exported: unknown): Program {
  if (typeof exported !== 'function') throw new TypeError('`export default` must be a function.')
  const program = exported as (...args: readonly unknown[]) => unknown
  return async (...args) => plainData(await program(...args.map(copied)))
}
