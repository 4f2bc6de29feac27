/** What a choice between CPU and GPU costs, from times of both. Pure. */
import type { Plan } from '../../../exercises/types'

export const PLACES = ['cpu', 'gpu'] as const
export type Place = (typeof PLACES)[number]

/** Milliseconds of a product: the median, the shortest and the longest of a few. */
interface Times {
  readonly ms: number
  readonly lowMs: number
  readonly highMs: number
}
export type TimedSize = { readonly n: number } & Readonly<Record<Place, Times>>

/** As the worker's plan carries them. */
export function timedSizesOf(plan: Plan): readonly TimedSize[] {
  const list = (name: string): readonly number[] => {
    const value = plan[name]
    return Array.isArray(value) ? (value as readonly number[]) : []
  }
  const timesAt = (place: Place, index: number): Times => ({
    ms: list(`${place}Ms`)[index] ?? Number.NaN,
    lowMs: list(`${place}LowMs`)[index] ?? Number.NaN,
    highMs: list(`${place}HighMs`)[index] ?? Number.NaN,
  })
  return list('sizes').map((n, index) => ({ n, cpu: timesAt('cpu', index), gpu: timesAt('gpu', index) }))
}

const other = (place: Place): Place => (place === 'cpu' ? 'gpu' : 'cpu')

/** Time of the choice over that of the better one, less 1. Where their times overlap neither is the better one. */
export function regretOf(size: TimedSize, choice: Place): number {
  const [chosen, left] = [size[choice], size[other(choice)]]
  return chosen.lowMs > left.highMs ? chosen.ms / left.ms - 1 : 0
}

export const meanRegret = (sizes: readonly TimedSize[], choiceAt: (index: number) => Place): number =>
  sizes.reduce((sum, size, index) => sum + regretOf(size, choiceAt(index)), 0) / sizes.length
