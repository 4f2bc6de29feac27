/** Figures in JSON by their path (recorded-figures.ts has the forms). */
import { findCrossover, type Timed } from '../src/base/crossover'
import type { Quantity } from '../src/text/figure'

export type Find = (figure: string, variant: string) => Quantity | null

const UNITS: readonly (readonly [end: RegExp, unit: Quantity['unit'], scale: number])[] = [
  [/(^|[a-z])Ms$|^ms$/, 'ms', 1],
  [/(^|[a-z])Us$|^us$/, 'us', 1],
  [/GBs$/, 'GB/s', 1],
  [/(^k|K)ib$|KiB$/, 'bytes', 2 ** 10],
  [/(^m|M)ib$|MiB$/, 'bytes', 2 ** 20],
  [/^bytes$|Bytes$/, 'bytes', 1],
  [/[rR]atio$/, 'ratio', 1],
]

type Json = Readonly<Record<string, unknown>>
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number, or { median, low, high } as public/companion/measuring.py writes it. */
function quantityOf(value: unknown, names: readonly string[]): Quantity | null {
  const [, unit, scale] = [...names]
    .reverse()
    .map((name) => UNITS.find(([end]) => end.test(name.replace(/\[.*$/, ''))))
    .find((each) => each !== undefined) ?? ['', 'count' as const, 1]
  const [middle, low, high] = isJson(value)
    ? [value['median'], value['low'], value['high']]
    : [value, value, value]
  if (typeof middle !== 'number' || typeof low !== 'number' || typeof high !== 'number') return null
  return { value: middle * scale, low: low * scale, high: high * scale, unit }
}

/** 'points[kib=4&way=up]': the values that a step of a path leads to. */
function stepInto(values: readonly unknown[], step: string): readonly unknown[] {
  const [, name = '', selector] = /^([\w-]+)(?:\[([^\]]+)\])?$/.exec(step) ?? []
  const found = values.flatMap((value) => (isJson(value) && name in value ? [value[name]] : []))
  const all = found.flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]))
  if (selector === undefined) return all
  if (selector === 'first') return all.slice(0, 1)
  if (selector === 'last') return all.slice(-1)
  const wanted = selector.split('&').map((pair) => pair.split('='))
  return all.filter(
    (value) => isJson(value) && wanted.every(([key = '', text = '']) => String(value[key]) === text),
  )
}

/** A field of each point, over another. */
function curveOf(points: readonly unknown[], x: string, y: string): readonly Timed[] {
  return points
    .flatMap((point): Timed[] => {
      if (!isJson(point)) return []
      const [n, time] = [quantityOf(point[x], [x]), quantityOf(point[y], [y])]
      return n && time ? [{ n: n.value, value: time.value, low: time.low ?? 0, high: time.high ?? 0 }] : []
    })
    .toSorted((a, b) => a.n - b.n)
}

/** Of a file's JSON, by the path of a figure. */
export const inJson =
  (json: unknown): Find =>
  (path) => {
    const [place = '', curves] = path.split('@')
    const names = place.split('.')
    if (curves !== undefined) {
      const [below = '', above = ''] = curves.split('<=')
      const x = names.at(-1) ?? ''
      const points = names.slice(0, -1).reduce<readonly unknown[]>(stepInto, [json])
      const crossing = findCrossover(curveOf(points, x, above), curveOf(points, x, below))
      // From the shortest on, or not even at the longest: words say that, no figure does.
      if (!crossing || crossing.value === 0 || crossing.value === Infinity) return null
      const { unit = 'count' } = quantityOf(1, [x]) ?? {}
      return { value: crossing.value, low: crossing.low, high: crossing.high, unit }
    }
    const found = names.reduce<readonly unknown[]>(stepInto, [json])
    return found.length === 1 ? quantityOf(found[0], names) : null
  }
