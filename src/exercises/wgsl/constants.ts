/**
 * Whole numbers that are known before a pipeline is made: literals, and the module's `const`s that
 * are one. Anything else is not read, and the caller takes the most that it could be.
 */
import type { Token } from './tokens'

const LITERAL = /^(?:0[xX][\da-fA-F]+|\d+)[iu]?$/

/** @param initialisers tokens of the initialiser of each module-scope `const`, by name */
export const constantsOf =
  (initialisers: ReadonlyMap<string, readonly Token[]>) =>
  (expression: readonly Token[]): number | null => {
    let [first, ...others] = expression
    // A const that is another one, so often at most: one that needs itself has no end.
    for (let depth = 0; depth <= initialisers.size && first && others.length === 0; depth += 1) {
      if (LITERAL.test(first.text)) return Number(first.text.replace(/[iu]$/, ''))
      ;[first, ...others] = initialisers.get(first.text) ?? []
    }
    return null
  }
