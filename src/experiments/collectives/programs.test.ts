/**
 * The algorithms, over an in-process wire: right on any number of ranks and for any size; and what
 * the model counts is what they send.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProgramApi, RankProgram } from '../../lab/lab'
import { bytesOf, type Endpoint } from '../../lab/ranks/endpoint'
import { makeWire, SharedEndpoint } from '../../lab/ranks/shared-wire'
import { IS_LONG } from '../../testing/long'
import { add, blockOf, check, fill } from './prepare-rank'
import { timeMs } from '../declare/line'
import { costOf, crossingFactor } from './curves'
import { ALGORITHMS, MOST_RANKS, NAIVE, OPERATIONS, RING, TREE, type Operation } from './variants'
import { forAllAwaited } from '../../testing/for-all'

const programs = import.meta.glob<RankProgram>('./programs/*.js', { import: 'default', eager: true })
const operations = Object.keys(OPERATIONS) as readonly Operation[]
const SIZES = Array.from({ length: MOST_RANKS - 1 }, (_, index) => index + 2)
const lab = {} as ProgramApi // they use none of it

type Wire = (rank: number, size: number) => Pick<Endpoint, 'send' | 'recv'>

/** By rank, what it has at the end. */
async function run(
  algorithm: string,
  operation: Operation,
  size: number,
  words: number,
  seed: number,
  wire: Wire,
) {
  const program = programs[`./programs/${algorithm}.js`]
  if (!program) throw new Error(`There is no program '${algorithm}'.`)
  const all = Array.from({ length: size }, (_, rank) => {
    const data = new Float32Array(words)
    fill(data, rank, seed)
    return data
  })
  await Promise.all(
    all.map((data, rank) => {
      const input = {
        operation,
        data,
        got: new Float32Array(words).fill(Number.NaN),
        add,
        block: blockOf(data, size),
      }
      return program({ rank, size, ...wire(rank, size), lab, input, device: null })
    }),
  )
  return all
}

/**
 * One wire for each number of ranks: a program that leaves messages behind would spoil the next.
 */
const sharedWire = (): Wire => {
  const wires = SIZES.map((size) => {
    const memory = makeWire(size)
    return Array.from({ length: size }, (_, rank) => new SharedEndpoint(memory, rank, { sleepMs: 0 }))
  })
  return (rank, size) => {
    const end = wires[size - 2]?.[rank]
    if (!end) throw new Error('no such rank')
    return { send: end.send.bind(end), recv: end.recv.bind(end) }
  }
}

describe.each(operations)('%s', (operation) => {
  it.each(ALGORITHMS)('is right on any number of ranks, for any size: %s', async (algorithm) => {
    const wire = sharedWire()
    await forAllAwaited(IS_LONG ? 25 : 6)(
      fc.constantFrom(...SIZES),
      fc.oneof(fc.nat(20), fc.nat(3000), fc.constantFrom(16_384, 40_000)),
      fc.nat(1e6),
      async (size, words, seed) => {
        const all = await run(algorithm, operation, size, words, seed, wire)
        for (const [rank, data] of all.entries())
          expect(check(operation, data, { rank, size }, seed)).toMatchObject({ failed: 0 })
      },
    )
  })

  it.each(ALGORITHMS)(
    'has as many messages in a row, and as many bytes one after the other, as the model says: %s',
    async (algorithm) => {
      for (const size of SIZES) {
        const words = 840 // every number of ranks divides it
        const took = async (ticks: Ticks) => {
          const wire = new TickingWire(size, ticks)
          await run(algorithm, operation, size, words, 1, wire.endOf)
          return wire.latest
        }
        const { messages, share } = costOf(operation, algorithm, size)
        const counted = [
          await took({ message: 1, byte: 0 }),
          (await took({ message: 0, byte: 1 })) / (4 * words),
        ]
        if (algorithm !== TREE || Number.isInteger(Math.log2(size))) {
          expect(counted[0], `${String(size)} ranks`).toBe(messages)
          expect(counted[1], `${String(size)} ranks`).toBeCloseTo(share, 9)
        } else {
          // A tree with branches that are missing is no longer than the whole one.
          expect(counted[0]).toBeLessThanOrEqual(messages)
          expect(counted[1]).toBeLessThanOrEqual(share + 1e-9)
        }
      }
    },
  )
})

it('finds a number that is wrong, missing, taken twice, or left from another window', async () => {
  const { endOf } = new TickingWire(4, { message: 1, byte: 0 })
  const [first, second] = await run(RING, 'all-reduce', 4, 100, 7, endOf)
  if (!first || !second) throw new Error('no data')
  const failed = (data: Float32Array, seed = 7) =>
    check('all-reduce', data, { rank: 0, size: 4 }, seed).failed
  expect(failed(first)).toBe(0)
  const twice = first.slice()
  fill(second, 1, 7)
  add(twice, second)
  expect(failed(twice)).toBeGreaterThan(90) // a base of 0 hides it
  expect(failed(first, 8)).toBeGreaterThan(90)
  first[50] = Number.NaN
  expect(failed(first)).toBe(1)
})

it('crosses where both models take the same time', () => {
  const wire = { alphaUs: 20, gbPerS: 3 }
  for (const operation of operations)
    for (const n of SIZES) {
      const factor = crossingFactor(operation, n)
      const bytes = factor * wire.alphaUs * wire.gbPerS * 1e3
      const lead = (at: number) =>
        timeMs(costOf(operation, NAIVE, n), at, wire) - timeMs(costOf(operation, RING, n), at, wire)
      if (factor === 0) expect(lead(1)).toBeGreaterThan(-1e-9)
      else if (factor === Infinity) expect(lead(1e12)).toBeLessThanOrEqual(1e-3)
      else {
        expect(lead(bytes)).toBeCloseTo(0, 9)
        expect(lead(bytes * 1.1)).toBeGreaterThan(0)
        expect(lead(bytes * 0.9)).toBeLessThan(0)
      }
    }
  expect(crossingFactor('all-reduce', 8)).toBeCloseTo(48 / 49, 9)
  expect(crossingFactor('all-reduce', 2)).toBe(0)
  expect(crossingFactor('gather', 8)).toBe(Infinity)
})

interface Ticks {
  readonly message: number
  readonly byte: number
}
interface Sent {
  readonly atTick: number
  readonly data: ArrayBufferView
  readonly done: (tick: number) => void
}

/**
 * A wire with a clock of its own. A message takes so many ticks, and its bytes as many more; a rank
 * carries the bytes of one message at a time out and of one in, while the rest of several messages'
 * ticks goes by together.
 */
class TickingWire {
  latest = 0
  readonly #ticks: Ticks
  readonly #clocks: number[]
  /** The time until which a rank carries bytes. */
  readonly #out: number[]
  readonly #in: number[]
  readonly #asked = new Map<string, ((message: Sent) => void)[]>()
  readonly #sent = new Map<string, Sent[]>()

  constructor(size: number, ticks: Ticks) {
    this.#ticks = ticks
    const zeros = () => Array.from({ length: size }, () => 0)
    ;[this.#clocks, this.#out, this.#in] = [zeros(), zeros(), zeros()]
  }

  readonly endOf = (rank: number): Pick<Endpoint, 'send' | 'recv'> => {
    // Calls that a rank makes together have the same tick.
    const ended = (tick: Promise<number>) =>
      tick.then((at) => {
        this.#clocks[rank] = Math.max(this.#clocks[rank] ?? 0, at)
        this.latest = Math.max(this.latest, at)
      })
    const now = () => this.#clocks[rank] ?? 0
    const put = <T>(queues: Map<string, T[]>, key: string, one: T) =>
      queues.set(key, [...(queues.get(key) ?? []), one])
    return {
      send: (to, data) =>
        ended(
          new Promise((done) => {
            const key = `${String(rank)} ${String(to)}`
            const message = { atTick: now(), data, done }
            const taken = this.#asked.get(key)?.shift()
            if (taken) taken(message)
            else put(this.#sent, key, message)
          }),
        ),
      recv: (from, into) =>
        ended(
          new Promise((resolve) => {
            const key = `${String(from)} ${String(rank)}`
            const asked = now()
            const take = ({ atTick, data, done }: Sent) => {
              if (data.byteLength !== into.byteLength) throw new Error('another number of bytes')
              bytesOf(into).set(bytesOf(data))
              const carried = data.byteLength * this.#ticks.byte
              const begins = Math.max(
                atTick,
                carried > 0 ? asked : 0,
                this.#out[from] ?? 0,
                this.#in[rank] ?? 0,
              )
              this.#out[from] = this.#in[rank] = begins + carried
              const end = Math.max(asked, begins + carried + this.#ticks.message)
              done(end)
              resolve(end)
            }
            const message = this.#sent.get(key)?.shift()
            if (message) take(message)
            else put(this.#asked, key, take)
          }),
        ),
    }
  }
}
