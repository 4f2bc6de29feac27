/** Counts by name as one derived value, 'cpu-64=12 upload=4', for samplers to read. Pure. */
import type { Derived } from '../run-types'

export const writeCounts = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${String(name)}=${String(count)}`).join(' ')

export const readCounts = (text: Derived[string] | undefined): ReadonlyMap<string, number> =>
  new Map(
    [...String(text ?? '').matchAll(/(\S+)=([1-9]\d*)(?= |$)/g)].map(([, name = '', count]) => [
      name,
      Number(count),
    ]),
  )
