/** The wire between ranks of a run: when messages end, what ranks that never go on are seen to wait for, and what a cut tells them. */
import { describe, expect, it } from 'vitest'
import { findStuck, stuckText } from '../ranks/wait-for'
import { Clock } from './clock'
import { ModelWire } from './wire'

const COST = { alphaNs: 100, handleNs: 10, wireRate: 2, loopRate: 1, gflops: 1, resultNs: 1 }

/** Each body runs on a host of its own, from time 0; what it returns is told with that host's time then. */
function ranksOf<T>(bodies: readonly ((end: ReturnType<ModelWire['endOf']>, clock: Clock) => Promise<T>)[]) {
  const clock = new Clock()
  const wire = new ModelWire(bodies.length, clock, COST)
  const ends = bodies.map((_, rank) => wire.endOf(rank))
  const running = bodies.map((body, rank) => {
    const own = clock.fork()
    const end = ends[rank]
    if (!end) throw new Error('no end')
    return new Promise<{ readonly told: T; readonly atNs: number }>((resolve, reject) => {
      const run = () => {
        body(end, clock).then((told) => {
          resolve({ told, atNs: clock.now })
        }, reject)
      }
      clock.task(0, run, { host: own })
    })
  })
  return { clock, ends, ended: clock.run(() => Promise.all(running)) }
}

describe('a message', () => {
  it('ends α and its bytes after the later rank has come, for both', async () => {
    const got = new Uint8Array(40)
    const { ended } = ranksOf([
      (end) => end.send(1, new Uint8Array(40).fill(7)),
      (end, clock) => {
        clock.spend(1000)
        return end.recv(0, got)
      },
    ])
    expect((await ended).map(({ atNs }) => atNs)).toEqual([1120, 1120])
    expect(got).toEqual(new Uint8Array(40).fill(7))
  })

  it('is moved after another one of its rank: a root that sends to two moves both', async () => {
    const { ended } = ranksOf<unknown>([
      (end) => Promise.all([end.send(1, new Uint8Array(40)), end.send(2, new Uint8Array(40))]),
      (end) => end.recv(0, new Uint8Array(40)),
      (end) => end.recv(0, new Uint8Array(40)),
    ])
    expect((await ended).map(({ atNs }) => atNs)).toEqual([150, 120, 150])
  })

  it('of another number of bytes is refused by who receives it', async () => {
    const { ended } = ranksOf([
      (end) => end.send(1, new Uint8Array(4)),
      (end) => end.recv(0, new Uint8Array(8)),
    ])
    await expect(ended).rejects.toThrow('Rank 1 receives 8 bytes from rank 0, which sends 4.')
  })
})

it('shows who waits for whom, and a cut tells each of them', async () => {
  const { ended, ends, clock } = ranksOf([
    (end) => end.send(1, new Uint8Array(4)),
    (end) => end.send(0, new Uint8Array(4)),
  ])
  clock.task(500, () => {
    const stuck = findStuck(ends.flatMap(({ state }) => state ?? []))
    for (const end of ends) end.cut(stuck ? stuckText(stuck) : 'nobody is stuck')
  })
  await expect(ended).rejects.toThrow(
    'The ranks 0, 1 wait for each other in a cycle: rank 0 in send to rank 1, rank 1 in send to rank 0.',
  )
})
