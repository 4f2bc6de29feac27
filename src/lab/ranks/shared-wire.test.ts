import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WireError } from './endpoint'
import { makeWire, SharedEndpoint, statesOf } from './shared-wire'
import { findStuck } from './wait-for'

/** A piece of a message. */
const SLOT_BYTES = 64 * 1024

/** All ranks in this thread: none may sleep. */
const ranksOf = (size: number) => {
  const wire = makeWire(size)
  const ranks = Array.from({ length: size }, (_, rank) => new SharedEndpoint(wire, rank, { sleepMs: 0 }))
  const at = (rank: number) => {
    const found = ranks[rank]
    if (!found) throw new Error(`no rank ${String(rank)}`)
    return found
  }
  const cut = () => {
    for (const rank of ranks) rank.cut('the ranks wait for each other')
  }
  return { wire, at, cut }
}
const numbers = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251)

/** `toEqual` takes seconds for a megabyte. */
const differing = (got: Uint8Array | undefined, want: Uint8Array) =>
  got?.length === want.length ? got.findIndex((value, at) => value !== want[at]) : 'length'

const untilStuck = async (wire: Parameters<typeof statesOf>[0]) => {
  for (;;) {
    const stuck = findStuck(statesOf(wire))
    if (stuck) return stuck
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

describe('SharedEndpoint', () => {
  it.each([0, 1, 5, SLOT_BYTES - 1, SLOT_BYTES, SLOT_BYTES + 1, 9 * SLOT_BYTES + 7])(
    'carries %d bytes, both ways at once',
    async (bytes) => {
      const { at } = ranksOf(2)
      const [a, b] = [new Uint8Array(bytes), new Uint8Array(bytes)]
      await Promise.all([
        at(0).send(1, numbers(bytes, 1)),
        at(0).recv(1, a),
        at(1).recv(0, b),
        at(1).send(0, numbers(bytes, 2)),
      ])
      expect(differing(b, numbers(bytes, 1))).toBe(-1)
      expect(differing(a, numbers(bytes, 2))).toBe(-1)
    },
  )
  it('keeps the order of a pair’s messages, whatever their sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3 * SLOT_BYTES), { minLength: 1, maxLength: 6 }), async (sizes) => {
        const { at } = ranksOf(3)
        const got = sizes.map((size) => new Uint8Array(size))
        await Promise.all([
          ...sizes.map((size, index) => at(2).send(0, numbers(size, index))),
          ...got.map((into) => at(0).recv(2, into)),
        ])
        for (const [index, size] of sizes.entries())
          expect(differing(got[index], numbers(size, index))).toBe(-1)
      }),
      { numRuns: 20 },
    )
  })
  it('has sent only what was received', async () => {
    const { at, wire } = ranksOf(2)
    let sent = false
    const sending = at(0)
      .send(1, new Float32Array(4))
      .then(() => (sent = true))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(sent).toBe(false)
    expect(statesOf(wire)[0]).toEqual({ status: 'waiting', sendsTo: [1], recvsFrom: [] })
    expect(findStuck(statesOf(wire))).toBeNull()
    await at(1).recv(0, new Float32Array(4))
    await sending
  })
  it('shows who waits for whom, and ends all of it when it is cut', async () => {
    const { at, wire, cut } = ranksOf(3)
    const sends = [0, 1, 2].map((rank) => at(rank).send((rank + 1) % 3, new Float32Array(1)))
    const ends = Promise.allSettled(sends)
    expect(await untilStuck(wire)).toMatchObject({ ranks: [0, 1, 2], cycle: [0, 1, 2] })
    cut()
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: expect.any(WireError) as unknown })
    await expect(at(0).recv(1, new Float32Array(1))).rejects.toThrow(WireError)
  })
  it('tells a rank that has returned from one that still runs', async () => {
    const { at, wire, cut } = ranksOf(2)
    const receiving = at(0).recv(1, new Float32Array(1))
    const end = expect(receiving).rejects.toThrow(WireError)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(findStuck(statesOf(wire))).toBeNull()
    at(1).end()
    expect(await untilStuck(wire)).toMatchObject({ ranks: [0], cycle: [], ended: [1] })
    cut()
    await end
  })
  it('refuses messages of another size, and ranks that are not there', async () => {
    const { at, cut } = ranksOf(2)
    const sending = expect(at(0).send(1, new Float32Array(2))).rejects.toThrow(WireError)
    await expect(at(1).recv(0, new Float32Array(1))).rejects.toThrow(
      'Rank 1 receives 4 bytes from rank 0, which sends 8.',
    )
    await expect(at(0).send(0, new Float32Array(1))).rejects.toThrow(RangeError)
    await expect(at(0).recv(2, new Float32Array(1))).rejects.toThrow(RangeError)
    cut()
    await sending
  })
})
