/** A learner's program as the lab calls it. */
import type { Program } from '../workload'
import { plainData } from './plain-data'

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
