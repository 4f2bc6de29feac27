/**
 * Both wires between ranks, all of them in this thread: memory that they share, and message
 * channels.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError, type Endpoint } from './endpoint'
import { makePorts, PortEndpoint } from './port-wire'
import { makeWire, SharedEndpoint, statesOf } from './shared-wire'
import { findStuck, type RankState } from './wait-for'
import { forAllAwaited } from '../../testing/for-all'

/** A piece of a message in shared memory. */
const SLOT_BYTES = 64 * 1024

type End = Endpoint & Pick<PortEndpoint, 'cut' | 'end'>
interface Wire {
  readonly ends: readonly End[]
  readonly states: () => readonly RankState[]
}
let opened: PortEndpoint[] = []
afterEach(() => {
  for (const end of opened) end.close()
  opened = []
})
const onMemory = (size: number): Wire => {
  const wire = makeWire(size)
  // None may sleep.
  const ends = Array.from({ length: size }, (_, rank) => new SharedEndpoint(wire, rank, { sleepMs: 0 }))
  return { ends, states: () => statesOf(wire) }
}
const onPorts = (size: number): Wire => {
  const ends = makePorts(size).map((ports, rank) => new PortEndpoint(rank, ports))
  opened.push(...ends)
  return { ends, states: () => ends.map(({ state }) => state) }
}
const numbers = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251)
/** `toEqual` takes seconds for a megabyte. */
const differing = (got: Uint8Array | undefined, want: Uint8Array) =>
  got?.length === want.length ? got.findIndex((value, at) => value !== want[at]) : 'length'
const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

describe.each([
  ['shared memory', onMemory],
  ['message ports', onPorts],
] as const)('%s', (_, wireOf) => {
  const ranksOf = (size: number) => {
    const { ends, states } = wireOf(size)
    const at = (rank: number) => {
      const found = ends[rank]
      if (!found) throw new Error(`no rank ${String(rank)}`)
      return found
    }
    const untilStuck = async () => {
      for (;;) {
        const stuck = findStuck(states())
        if (stuck) return stuck
        await turn()
      }
    }
    const cut = () => {
      for (const end of ends) end.cut('because')
    }
    return { at, states, untilStuck, cut }
  }

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

  it('keeps the order of a pair’s messages, whatever their sizes, whichever side is first', async () => {
    const sizes = fc.array(fc.nat(3 * SLOT_BYTES), { minLength: 1, maxLength: 6 })
    await forAllAwaited(20)(sizes, fc.boolean(), async (all, late) => {
      const { at } = ranksOf(3)
      const got = all.map((size) => new Uint8Array(size))
      const sends = all.map((size, index) => at(2).send(0, numbers(size, index)))
      if (late) await turn()
      await Promise.all([...sends, ...got.map((into) => at(0).recv(2, into))])
      for (const [index, size] of all.entries()) expect(differing(got[index], numbers(size, index))).toBe(-1)
    })
  })

  it('has sent only what was received', async () => {
    const { at, states } = ranksOf(2)
    let sent = false
    const sending = at(0)
      .send(1, Float32Array.of(1))
      .then(() => (sent = true))
    await turn()
    expect(sent).toBe(false)
    expect(states()[0]).toEqual({ status: 'waiting', sendsTo: [1], recvsFrom: [] })
    expect(findStuck(states())).toBeNull()
    const got = new Float32Array(1)
    await at(1).recv(0, got)
    await sending
    expect(got[0]).toBe(1)
  })

  it('shows who waits for whom, and ends all of it when it is cut', async () => {
    const { at, untilStuck, cut } = ranksOf(3)
    const sends = [0, 1, 2].map((rank) => at(rank).send((rank + 1) % 3, new Float32Array(1)))
    const ends = Promise.allSettled(sends)
    expect(await untilStuck()).toMatchObject({ ranks: [0, 1, 2], ended: [] })
    cut()
    for (const end of await ends) expect(end).toMatchObject({ reason: new WireError('because') })
    await expect(at(0).recv(1, new Float32Array(1))).rejects.toThrow('because')
  })

  it('tells a rank that has returned from one that still runs', async () => {
    const { at, states, untilStuck, cut } = ranksOf(2)
    const end = expect(at(0).recv(1, new Float32Array(1))).rejects.toThrow(WireError)
    await turn()
    expect(findStuck(states())).toBeNull()
    at(1).end()
    expect(await untilStuck()).toMatchObject({ ranks: [0], ended: [1] })
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

it('message ports: what is sent is as it was at the call, and a rank that begins again still runs', async () => {
  const { ends, states } = onPorts(2)
  const [zero, one] = ends as [PortEndpoint, PortEndpoint]
  const data = Float32Array.of(1)
  const sending = zero.send(1, data)
  data[0] = 2
  const got = new Float32Array(1)
  await one.recv(0, got)
  await sending
  expect(got[0]).toBe(1)
  one.end()
  const waiting = expect(zero.recv(1, got)).rejects.toThrow(WireError)
  expect(findStuck(states())).toMatchObject({ ranks: [0], ended: [1] })
  one.begin()
  expect(findStuck(states())).toBeNull()
  zero.cut('over')
  await waiting
})
