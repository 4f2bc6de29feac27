/** What a program returned, as plain data: read once, bounded, so that nothing odd crosses to the grader. */

import { standIns } from '../../base/memory'

/** A program returns some numbers for each step; far more is a mistake. */
const MAX_VALUES = 100_000
const MAX_CHARACTERS = 10_000
/** Of all strings together; a structured clone of 99,000 long ones ends the tab. */
const MAX_ALL_CHARACTERS = 1_000_000
/** Lists within lists; what holds itself has no end. */
const MAX_DEPTH = 16

/** Numbers, strings, booleans, null, arrays, typed arrays (as arrays) and plain objects of these. @throws Error with a sentence for the learner. */
export function plainData(value: unknown): unknown {
  let left = MAX_VALUES
  let charactersLeft = MAX_ALL_CHARACTERS
  const text = (whole: string): string => {
    charactersLeft -= Math.min(whole.length, MAX_CHARACTERS)
    if (charactersLeft < 0)
      throw new Error(`Your program returned more than ${String(MAX_ALL_CHARACTERS)} characters.`)
    return whole.slice(0, MAX_CHARACTERS)
  }
  const tooMany = (): Error => new Error(`Your program returned more than ${String(MAX_VALUES)} values.`)
  const copy = (each: unknown, depth: number): unknown => {
    left -= 1
    if (depth > MAX_DEPTH) throw new Error('Your program returned lists within lists without end.')
    if (left < 0) throw tooMany()
    switch (typeof each) {
      case 'number':
      case 'boolean':
      case 'undefined':
        return each
      case 'string':
        return text(each)
      case 'object':
        if (each === null) return null
        if (Array.isArray(each)) return fromList(each, depth + 1)
        if (standIns.has(each)) return fromStandIn(each, depth + 1)
        if (ArrayBuffer.isView(each) && !(each instanceof DataView))
          return fromList(each as unknown as ArrayLike<unknown>, depth + 1) // every other view is a typed array
        return Object.fromEntries(
          Reflect.ownKeys(each).flatMap((name) =>
            typeof name === 'string' ? [[text(name), copy(Reflect.get(each, name), depth + 1)]] : [],
          ),
        )
      default:
        throw new Error(
          `Your program returned a ${typeof each}: only numbers, strings, lists and plain objects can be graded.`,
        )
    }
  }
  const fromList = (list: ArrayLike<unknown>, depth: number): readonly unknown[] => {
    const copied: unknown[] = []
    for (let index = 0; index < list.length; index += 1) copied.push(copy(list[index], depth))
    return copied
  }
  /** In one go: worked out number by number, a product is a hundred times as long. */
  const fromStandIn = (each: object, depth: number): readonly unknown[] => {
    const { length, real } = standIns.get(each) ?? { length: 0, real: () => new ArrayBuffer() }
    if (length > left) throw tooMany()
    const data = real()
    return fromList('length' in data ? (data as ArrayLike<unknown> & typeof data) : { length }, depth)
  }
  return copy(value, 0)
}

const MAX_LINE = 500

/** As console.log shows it, in one line. */
export function logLine(values: readonly unknown[]): string {
  const words = values.map((value) => {
    if (typeof value === 'string') return value
    try {
      if (value instanceof Error) return `${value.name}: ${value.message}`
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
