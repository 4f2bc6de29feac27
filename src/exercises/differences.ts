/** Holds what a run left behind against what the lab's own program left, in words for learners. */

/** The place of the first number that differs by more than `allowed`; -1: none does. */
export const firstWrong = (got: ArrayLike<unknown>, expected: ArrayLike<number>, allowed = 0): number =>
  Array.from(expected).findIndex((value, at) => !isNear(got[at], value, allowed))

/** NaN is right where it is expected. What is no number is wrong. */
const isNear = (got: unknown, value: number, allowed: number): boolean =>
  typeof got === 'number' && (Object.is(got, value) || Math.abs(got - value) <= allowed)

/**
 * The difference that rounding may make between sums of the same products, which may be added in
 * another order. A product that was left out, or added twice, makes a far larger one.
 */
export function roundingOf(expected: ArrayLike<number>): number {
  const finite = Array.from(expected).filter(Number.isFinite)
  const squares = finite.reduce((sum, value) => sum + value ** 2, 0)
  return finite.length > 0 ? 1e-3 * Math.sqrt(squares / finite.length) : 0
}

const shown = (value: unknown): string =>
  typeof value === 'number' && !Number.isNaN(value) ? value.toPrecision(6) : 'no number'

/** 'The mean is 1.50000; your program returned 2.50000.' @param whose 'your program returned' */
export const differs = (subject: string, expected: number | undefined, whose: string, got: unknown): string =>
  `${subject} is ${shown(expected)}; ${whose} ${shown(got)}.`

/** Finds the first part with wrong words; each part kept equally many. */
export function firstWrongPart(
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  parts: number,
): { readonly part: number; readonly wrong: number; readonly of: number } | null {
  const of = expected.length / parts
  for (let part = 0; part < parts; part += 1) {
    let wrong = 0
    for (let at = part * of; at < (part + 1) * of; at += 1) if (got[at] !== expected[at]) wrong += 1
    if (wrong > 0) return { part, wrong, of }
  }
  return null
}
