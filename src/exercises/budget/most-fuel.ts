/** How much fuel the loops of a kernel may have that must end within so many iterations. */
import { iterationsOf, type Cost } from '../wgsl/cost'
import { MOST_FUEL } from '../wgsl/fuel'

/**
 * The most fuel with which an invocation executes at most so many iterations; 1 where even that is
 * too much.
 */
export function mostFuel(cost: Cost, iterations: number): number {
  let low = 1
  let high = MOST_FUEL
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (iterationsOf(cost, middle) <= iterations) low = middle
    else high = middle - 1
  }
  return low
}
