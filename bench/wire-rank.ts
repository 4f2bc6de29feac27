/**
 * One rank of `npm run bench -- wire`, in a worker: all-reduces of float32 over the wire, each after a barrier, each sum checked. The
 * programs are those that the site shows, `src/experiments/collectives/programs/`.
 */
import { add, blockOf } from '../src/experiments/collectives/contents'
import type { RankProgram } from '../src/lab/lab'
import { SharedEndpoint, type WireMemory } from '../src/ranks/shared-wire'

export type Algorithm = 'naive' | 'ring'
export interface RankStart {
  readonly wire: WireMemory
  readonly rank: number
  /** Texts of the modules. */
  readonly programs: Readonly<Record<Algorithm, string>>
}
export interface RankTask {
  readonly algorithm: Algorithm
  readonly bytes: number
  readonly repeats: number
}
/** ms of each repeat on this rank; the first is a warm-up. */
export type RankTimes = readonly number[]

type Run = (algorithm: Algorithm, data: Float32Array, got: Float32Array) => Promise<unknown>

async function runnerOf(end: SharedEndpoint, texts: RankStart['programs']): Promise<Run> {
  const programs = new Map<string, RankProgram>()
  for (const [name, text] of Object.entries(texts)) {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    const module = (await import(/* @vite-ignore */ url)) as { readonly default: RankProgram }
    programs.set(name, module.default)
  }
  const { rank, size } = end
  const [send, recv] = [end.send.bind(end), end.recv.bind(end)]
  return async (algorithm, data, got) => {
    const input = { operation: 'all-reduce', data, got, add, block: blockOf(data, size) }
    // They use no lab.
    await programs.get(algorithm)?.({
      rank,
      size,
      send,
      recv,
      input,
      device: null,
    } as Parameters<RankProgram>[0])
  }
}

async function run(
  end: SharedEndpoint,
  all: Run,
  { algorithm, bytes, repeats }: RankTask,
): Promise<RankTimes> {
  const data = new Float32Array(bytes / 4)
  const got = new Float32Array(bytes / 4)
  const sum = (end.size * (end.size + 1)) / 2
  const times: number[] = []
  for (let repeat = 0; repeat <= repeats; repeat += 1) {
    data.fill(end.rank + 1)
    await all('naive', new Float32Array(1), new Float32Array(1)) // nobody leaves before all have come
    const start = performance.now()
    await all(algorithm, data, got)
    times.push(performance.now() - start)
    if (data.some((value) => value !== sum)) throw new Error(`${algorithm}: a sum is wrong.`)
  }
  return times
}

let ready: Promise<readonly [SharedEndpoint, Run]> | undefined
globalThis.onmessage = async ({ data }: MessageEvent<RankStart | RankTask>) => {
  if ('wire' in data) {
    const end = new SharedEndpoint(data.wire, data.rank)
    ready = runnerOf(end, data.programs).then((all) => [end, all] as const)
  } else if (ready) globalThis.postMessage(await run(...(await ready), data))
}
