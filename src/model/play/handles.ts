/** Shared by the plays of lessons: handles, the machine's rates, and words. */
import type { Handle, Seen, Stretch } from './play'

/** From one value to another in equal ratios, rounded to two figures. */
export const between = (from: number, to: number, start: number): Pick<Handle, 'stops' | 'start'> => {
  const COUNT = 60
  const stops = Array.from({ length: COUNT }, (_, index) =>
    Number((from * (to / from) ** (index / (COUNT - 1))).toPrecision(2)),
  )
  return { stops: [...new Set([...stops, start])].toSorted((one, other) => one - other), start }
}
export const counts = (
  stops: readonly number[],
  start: number,
): Pick<Handle, 'stops' | 'start' | 'unit'> => ({ unit: '', stops, start })
const ranged =
  (unit: Handle['unit']) =>
  (label: string, from: number, to: number, start: number): Handle => ({
    label,
    unit,
    ...between(from, to, start),
  })
export const kernelOf = ranged('ms')
export const rateOf = ranged('GB/s')
export const sizeOf = ranged('MiB')

export const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)}\u202f%`
export const ms = (ns: number): string => `${Number((ns / 1e6).toPrecision(2)).toString()}\u202fms`
export const sum = (stretches: readonly Stretch[]): number =>
  stretches.reduce((all, { startNs, endNs }) => all + endNs - startNs, 0)
export const computesFor = ({ computes }: Seen): string =>
  `The device computes for ${percent(computes)} of the time.`

/** In whole words: buffers have whole words. */
export const bytesOf = (mib: number): number => 4 * Math.round((mib * 2 ** 20) / 4)
export const MOST_STEPS = 100
export const again = <T>(each: T): readonly T[] => Array.from({ length: MOST_STEPS }, () => each)
export const pollsEvery = (ns: number) => ({ firstPollNs: ns, pollNs: ns })
/** Polls so frequent that nothing waits for them. */
export const POLLS_OFTEN = pollsEvery(0.05e6)
export const carries = (rate: number) => ({ freshRate: rate, carryRate: rate, readbackRate: rate })
export const FILL_RATE = 10
