/** What a rank has: its numbers, fresh before each window, and room for what arrives. */
import type { PrepareRank } from '../serve-rank'
import { add, blockOf, check, fill } from './contents'
import { KIB, type Operation } from './variants'

export interface RankSpec {
  readonly operation: Operation
  readonly kib: number
  /** Of the largest that is run. */
  readonly mostKib: number
  /** Round trips of a pair. */
  readonly trips: number
}

/** All variants of a rank take turns in the same memory. By rank, since tests have several in one thread. */
const memories = new Map<number, { readonly own: Float32Array; readonly arriving: Float32Array }>()

function memoryOf(rank: number, words: number) {
  const known = memories.get(rank)
  if (known && known.own.length >= words) return known
  const made = { own: new Float32Array(words), arriving: new Float32Array(words) }
  memories.set(rank, made)
  return made
}

export const prepareRank: PrepareRank<unknown> = (_, spec, { rank, size }) => {
  const { operation, kib, mostKib, trips } = spec as RankSpec // as prepare.ts wrote it
  const { own, arriving } = memoryOf(rank, (mostKib * KIB) / 4)
  const words = (kib * KIB) / 4
  const [data, got] = [own.subarray(0, words), arriving.subarray(0, words)]
  // What an earlier window left behind is found wrong.
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
