import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { WireError } from './endpoint'
import { makePorts, PortEndpoint } from './port-wire'
import { findStuck } from './wait-for'

let opened: PortEndpoint[] = []
afterEach(() => {
  for (const end of opened) end.close()
  opened = []
})
const ranksOf = (size: number) => {
  const ends = makePorts(size).map((ports, rank) => new PortEndpoint(rank, ports))
  opened.push(...ends)
  return (rank: number) => {
    const found = ends[rank]
    if (!found) throw new Error(`no rank ${String(rank)}`)
    return found
  }
}
const numbers = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed) % 251)
const turn = () => new Promise((resolve) => setTimeout(resolve, 5))

it('carries messages of any sizes in the order of a pair’s calls, whichever side is first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5000), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (sizes, late) => {
        const at = ranksOf(3)
        const got = sizes.map((size) => new Uint8Array(size))
        const sends = sizes.map((size, index) => at(2).send(0, numbers(size, index)))
        if (late) await turn()
        await Promise.all([...sends, ...got.map((into) => at(0).recv(2, into))])
        expect(got).toEqual(sizes.map(numbers))
      },
    ),
    { numRuns: 20 },
  )
})

it('has sent only what was received, and what it sends is as it was at the call', async () => {
  const at = ranksOf(2)
  const data = Float32Array.of(1)
  let sent = false
  const sending = at(0)
    .send(1, data)
    .then(() => (sent = true))
  data[0] = 2
  expect([...data]).toEqual([2])
  await turn()
  expect(sent).toBe(false)
  expect(at(0).state).toEqual({ status: 'waiting', sendsTo: [1], recvsFrom: [] })
  expect(findStuck([at(0).state, at(1).state])).toBeNull()
  const got = new Float32Array(1)
  await at(1).recv(0, got)
  await sending
  expect(got[0]).toBe(1)
})

it('shows who waits for whom, tells one that has returned, and ends all of it when it is cut', async () => {
  const at = ranksOf(2)
  const sends = Promise.allSettled([at(0).send(1, new Uint8Array(1)), at(1).send(0, new Uint8Array(1))])
  expect(findStuck([at(0).state, at(1).state])).toMatchObject({ cycle: [0, 1] })
  for (const rank of [0, 1]) at(rank).cut('because')
  for (const end of await sends) expect(end).toMatchObject({ reason: new WireError('because') })
  await expect(at(0).recv(1, new Uint8Array(1))).rejects.toThrow('because')
  const other = ranksOf(2)
  other(1).end()
  const waiting = expect(other(0).recv(1, new Uint8Array(1))).rejects.toThrow(WireError)
  expect(findStuck([other(0).state, other(1).state])).toMatchObject({ ranks: [0], ended: [1] })
  other(1).begin()
  expect(findStuck([other(0).state, other(1).state])).toBeNull()
  other(0).cut('over')
  await waiting
})

it('refuses messages of another size, and ranks that are not there', async () => {
  const at = ranksOf(2)
  const sending = expect(at(0).send(1, new Float32Array(2))).rejects.toThrow(WireError)
  await expect(at(1).recv(0, new Float32Array(1))).rejects.toThrow(
    'receives 4 bytes from rank 0, which sends 8',
  )
  await expect(at(0).send(0, new Float32Array(1))).rejects.toThrow(RangeError)
  await expect(at(0).recv(2, new Float32Array(1))).rejects.toThrow(RangeError)
  at(0).cut('over')
  await sending
})
