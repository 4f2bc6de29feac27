/** How much fuel a loop gets, from a rate measured on this device. */
import { iterationsOf, type Cost } from '../wgsl/cost'
import { MOST_FUEL } from '../wgsl/fuel'

export interface FuelQuestion {
  /**
   * What the device does with a simple loop in all its invocations together, measured. Loops that wait for memory, for barriers or for
   * atomics can be ten times slower: that margin belongs into `boundMs`.
   */
  readonly iterationsPerMs: number
  /** Device time that all dispatches of a program may take together, ms. */
  readonly boundMs: number
  /** Invocations that all its dispatches have together. */
  readonly invocations: number
  /** Of the module; default: one loop in the entry point. */
  readonly cost?: Cost | undefined
}

export interface FuelAnswer {
  /** Iterations that each loop gets, a whole number from 1 on: as many as keep the invocations within `iterations`. */
  readonly perInvocation: number
  /** The limit for the whole program. */
  readonly iterations: number
}

export function fuelFor({ iterationsPerMs, boundMs, invocations, cost = [1, 1] }: FuelQuestion): FuelAnswer {
  const iterations = Math.floor(iterationsPerMs * boundMs)
  return { iterations, perInvocation: mostFuel(cost, iterations / invocations) }
}

/** The most fuel with which an invocation executes at most so many iterations; 1 where even that is too much. */
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
