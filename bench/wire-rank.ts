/**
 * One rank of `npm run bench -- wire`, in a worker: all-reduces of float32 over the wire, each after a barrier, each sum checked. Naive: the
 * root adds up what all send and sends it to all. Ring: reduce-scatter, then all-gather (Patarasuk and Yuan, Bandwidth optimal all-reduce
 * algorithms for clusters of workstations, JPDC 69(2), 2009).
 */
import { SharedEndpoint, type WireMemory } from '../src/ranks/shared-wire'

export type Algorithm = 'naive' | 'ring'
export interface RankStart {
  readonly wire: WireMemory
  readonly rank: number
}
export interface RankTask {
  readonly algorithm: Algorithm
  readonly bytes: number
  readonly repeats: number
}
/** ms of each repeat on this rank; the first is a warm-up. */
export type RankTimes = readonly number[]

const add = (into: Float32Array, from: Float32Array): void => {
  for (let at = 0; at < into.length; at += 1) into[at] = (into[at] ?? 0) + (from[at] ?? 0)
}

async function naive(end: SharedEndpoint, data: Float32Array, got: Float32Array): Promise<void> {
  const others = Array.from({ length: end.size - 1 }, (_, index) => index + 1)
  if (end.rank > 0) {
    await end.send(0, data)
    await end.recv(0, data)
    return
  }
  for (const rank of others) {
    await end.recv(rank, got)
    add(data, got)
  }
  await Promise.all(others.map((rank) => end.send(rank, data)))
}

async function ring(end: SharedEndpoint, data: Float32Array, got: Float32Array): Promise<void> {
  const { rank, size } = end
  const block = (index: number) => {
    const at = ((index % size) + size) % size
    return data.subarray(Math.floor((data.length * at) / size), Math.floor((data.length * (at + 1)) / size))
  }
  const next = (rank + 1) % size
  const before = (rank + size - 1) % size
  for (let step = 0; step < size - 1; step += 1) {
    const sum = block(rank - step - 1)
    const part = got.subarray(0, sum.length)
    await Promise.all([end.send(next, block(rank - step)), end.recv(before, part)])
    add(sum, part)
  }
  for (let step = 0; step < size - 1; step += 1)
    await Promise.all([end.send(next, block(rank + 1 - step)), end.recv(before, block(rank - step))])
}

async function barrier(end: SharedEndpoint): Promise<void> {
  await naive(end, new Float32Array(1), new Float32Array(1))
}

async function run(end: SharedEndpoint, { algorithm, bytes, repeats }: RankTask): Promise<RankTimes> {
  const data = new Float32Array(bytes / 4)
  const got = new Float32Array(bytes / 4)
  const sum = (end.size * (end.size + 1)) / 2
  const times: number[] = []
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    data.fill(end.rank + 1)
    await barrier(end)
    const start = performance.now()
    await (algorithm === 'ring' ? ring : naive)(end, data, got)
    times.push(performance.now() - start)
    if (data.some((value) => value !== sum)) throw new Error(`${algorithm}: a sum is wrong.`)
  }
  return times
}

let end: SharedEndpoint | undefined
globalThis.onmessage = async ({ data }: MessageEvent<RankStart | RankTask>) => {
  if ('wire' in data) end = new SharedEndpoint(data.wire, data.rank)
  else if (end) globalThis.postMessage(await run(end, data))
}
