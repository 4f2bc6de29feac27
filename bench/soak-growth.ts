import { median } from '../src/base/stats'

/** Of memory from the first third of the looks to the last: what a garbage collector leaves is not the same each time. */
const GROWTH_AIM = 1.1

export interface Look {
  readonly runs: number
  readonly pageBytes: number
  readonly workerBytes: number
  readonly listeners: number
  readonly nodes: number
  /** Made and not destroyed, on devices that live. */
  readonly buffers: number
}

/** What grew, in words; none: all is flat. The first third warms up and is what the last is compared with. */
export function whatGrew(looks: readonly Look[]): readonly string[] {
  const third = Math.max(1, Math.floor(looks.length / 3))
  const both = (of: (look: Look) => number) =>
    [looks.slice(0, third), looks.slice(-third)].map((some) => median(some.map(of))) as [number, number]
  const grew: string[] = []
  for (const [what, of] of [
    ['memory of the page', (look: Look) => look.pageBytes],
    ['memory of the worker', (look: Look) => look.workerBytes],
    ['listeners', (look: Look) => look.listeners],
    ['nodes', (look: Look) => look.nodes],
  ] as const) {
    const [first, last] = both(of)
    if (last > GROWTH_AIM * first) grew.push(`${what}: from ${String(first)} to ${String(last)}`)
  }
  const most = Math.max(...looks.map(({ buffers }) => buffers))
  if (most > 0) grew.push(`buffers: up to ${String(most)} alive between runs`)
  return grew
}
