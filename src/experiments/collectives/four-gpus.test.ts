/** The points of four GPUs, worked out anew from the profiles that they are of. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { median } from '../../base/stats'

const FOLDER = 'public/recordings/'
const BYTES_OF_A_FLOAT = 4
/** As PyTorch's profiler calls them, as torch.distributed does, and what nccl-tests multiplies bytes over time by, on n ranks. */
const OPERATIONS: readonly (readonly [string, string, (n: number) => number])[] = [
  ['allreduce', 'all_reduce', (n) => (2 * (n - 1)) / n],
  ['broadcast', 'broadcast', () => 1],
]

interface Recorded {
  readonly ranks: number
  readonly from: readonly string[]
  readonly points: readonly {
    readonly operation: string
    readonly bytes: number
    readonly deviceMs: { readonly median: number; readonly low: number; readonly high: number }
    readonly busGBs: number
  }[]
}
interface Kernel {
  readonly cat?: string
  readonly ts: number
  readonly dur: number
  readonly args?: Readonly<Record<string, unknown>>
}

it('are what the profiles of two of the four ranks hold', () => {
  const { ranks, from, points } = JSON.parse(
    readFileSync(`${FOLDER}torch-nccl-four.json`, 'utf8'),
  ) as Recorded
  const profiles = from.map((file) => {
    const text = gunzipSync(readFileSync(`${FOLDER}${file}`)).toString()
    return (JSON.parse(text) as { readonly traceEvents: readonly Kernel[] }).traceEvents
  })
  expect(profiles).toHaveLength(2)
  expect(points.map(({ operation }) => operation)).toEqual(OPERATIONS.map(([, operation]) => operation))
  for (const [index, [name, operation, factor]] of OPERATIONS.entries()) {
    const kernels = profiles.map((events) =>
      events
        .filter(({ cat, args }) => cat === 'kernel' && args?.['Collective name'] === name)
        .toSorted((a, b) => a.ts - b.ts),
    )
    for (const { args } of kernels.flat()) {
      expect(args?.['Group size'], operation).toBe(ranks)
      expect(Number(args?.['In msg nelems']) * BYTES_OF_A_FLOAT).toBe(points[index]?.bytes)
    }
    // A rank that came early waits in its kernel: the other one's time is the collective's.
    const [one = [], other = []] = kernels
    const ms = one.map(({ dur }, at) => Math.min(dur, other[at]?.dur ?? Number.NaN) / 1e3)
    expect(ms).toHaveLength(4)
    const point = points[index]
    expect(point?.deviceMs.median).toBeCloseTo(median(ms), 9)
    expect(point?.deviceMs.low).toBeCloseTo(Math.min(...ms), 9)
    expect(point?.deviceMs.high).toBeCloseTo(Math.max(...ms), 9)
    const busGBs = ((point?.bytes ?? 0) / (median(ms) * 1e6)) * factor(ranks)
    expect(point?.busGBs).toBeCloseTo(busGBs, 6)
  }
})
