/** Which sizes a function is asked about: other ones in each grading, on both sides of where the GPU begins to win. Pure. */
import { randomWord } from '../../../gpu/kernels/pcg'

const COUNT = 14
const SMALLEST = 16
/** Below an eighth of the crossing the trip is nearly all of the GPU's time. */
const DOWN_TO = 8

/** Multiples of 4, but not of 8: none of the lesson's own sizes, which are in its chart. */
const fresh = (n: number): number => 8 * Math.max(1, Math.round((n - 4) / 8)) + 4

/** One size in each of `count` equal parts of a logarithmic axis. */
function spread(low: number, high: number, count: number, random: (index: number) => number): number[] {
  return Array.from({ length: count }, (_, index) =>
    fresh(low * (high / low) ** ((index + random(index)) / count)),
  )
}

/**
 * @param crossing the size from which the GPU should win, by the rates that were measured; Infinity: nowhere
 * @param largest for which both take no too long time
 * @returns different sizes, ascending
 */
export function freshSizes(seed: number, crossing: number, largest: number): readonly number[] {
  const random = (index: number) => randomWord(index, seed) / 2 ** 32
  const half = COUNT / 2
  const sizes =
    crossing > SMALLEST && crossing < largest
      ? [
          ...spread(Math.max(SMALLEST, crossing / DOWN_TO), crossing, half, random),
          ...spread(crossing, largest, half, (index) => random(half + index)),
        ]
      : spread(SMALLEST, largest, COUNT, random)
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}
