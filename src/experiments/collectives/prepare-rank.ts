/**
 * A rank has its numbers, fresh before each window, and room for what arrives; and it checks what
 * must be there after a collective. All sums are integers that float32 holds exactly: the numbers
 * of rank r are base(i) · 2^r, with base(i) below 2^10, so that a sum over 8 ranks stays below
 * 2^18, and a rank that was left out or taken twice changes it.
 */
import { exactly } from '../../lab/check-product'
import type { Verification } from '../../trace/report'
import type { PrepareRank } from '../serve-rank'
import { KIB, type Operation } from './variants'

/**
 * The result is below 2^10, and differs for each position and seed. 2654435761 is 2^32 over the
 * golden ratio (Knuth, TAOCP 3, 6.4).
 */
const base = (index: number, seed: number): number =>
  (Math.imul(index + 1, 2_654_435_761) + Math.imul(seed, 0x9e37_79b1)) >>> 22

/** Blocks differ by one number at most; some are empty where there are more ranks than numbers. */
export const blockOf =
  (data: Float32Array, size: number) =>
  (from: number, to = from + 1): Float32Array => {
    const at = (index: number) => Math.floor((data.length * Math.min(index, size)) / size)
    return data.subarray(at(from), at(to))
  }

export const add = (into: Float32Array, from: Float32Array): void => {
  for (let at = 0; at < into.length; at += 1) into[at] = (into[at] ?? 0) + (from[at] ?? 0)
}

export function fill(data: Float32Array, rank: number, seed: number): void {
  const weight = 2 ** rank
  for (let at = 0; at < data.length; at += 1) data[at] = base(at, seed) * weight
}

type Rank = Readonly<Record<'rank' | 'size', number>>

/**
 * Returns what rank `owner`'s block on this rank holds: 2^r of the rank r whose numbers it has, or
 * the sum of several. Null: it may hold anything.
 */
function weightOf(operation: Operation, { rank, size }: Rank, owner: number): number | null {
  const all = 2 ** size - 1
  switch (operation) {
    case 'all-reduce':
      return all
    case 'reduce-scatter':
      return owner === rank ? all : null
    case 'all-gather':
      return 2 ** owner
    case 'broadcast':
      return 1
    case 'gather':
      return rank === 0 ? 2 ** owner : null
  }
}

/** Every number that the operation decides, bit for bit. */
export function check(operation: Operation, data: Float32Array, rank: Rank, seed: number): Verification {
  let [checked, failed] = [0, 0]
  for (let owner = 0; owner < rank.size; owner += 1) {
    const weight = weightOf(operation, rank, owner)
    if (weight === null) continue
    const block = blockOf(data, rank.size)(owner)
    const first = (block.byteOffset - data.byteOffset) / 4
    for (let at = 0; at < block.length; at += 1)
      if (block[at] !== base(first + at, seed) * weight) failed += 1
    checked += block.length
  }
  return exactly(checked, failed, 'numbers that ranks have after a collective, bit for bit')
}

export interface RankSpec {
  readonly operation: Operation
  readonly kib: number
  /** KiB of the largest that is run. */
  readonly mostKib: number
  /** Round trips of a pair. */
  readonly trips: number
}

/**
 * All variants of a rank take turns in the same memory. By rank, since tests have several in one
 * thread.
 */
const memories = new Map<number, { readonly own: Float32Array; readonly arriving: Float32Array }>()

function memoryOf(rank: number, words: number) {
  const known = memories.get(rank)
  if (known && known.own.length >= words) return known
  const made = { own: new Float32Array(words), arriving: new Float32Array(words) }
  memories.set(rank, made)
  return made
}

export const prepareRank: PrepareRank<unknown> = (_, spec, { rank, size }) => {
  const { operation, kib, mostKib, trips } = spec as RankSpec // prepare.ts wrote it
  const { own, arriving } = memoryOf(rank, (mostKib * KIB) / 4)
  const words = (kib * KIB) / 4
  const [data, got] = [own.subarray(0, words), arriving.subarray(0, words)]
  // The seed changes, so that leftovers of an earlier window are found wrong.
  let seed = 0
  return Promise.resolve({
    input: { operation, data, got, add, block: blockOf(data, size), trips },
    before: () => {
      seed += 1
      fill(data, rank, seed)
      got.fill(Number.NaN)
      return Promise.resolve()
    },
    told: () => check(operation, data, { rank, size }, seed),
  })
}
