/** The page of `npm run bench -- wire`: starts the ranks, and takes from each repeat the time of the rank that took longest. */
import { makeWire } from '../src/ranks/shared-wire'
import type { RankStart, RankTask, RankTimes } from './wire-rank'

export interface WireBench {
  readonly cores: number
  /** `script`: wire-rank.ts as one module. */
  readonly open: (script: string, size: number, programs: RankStart['programs']) => void
  /** ms, by repeat. */
  readonly trial: (task: RankTask) => Promise<readonly number[]>
  readonly close: () => void
}
export type WireBenchGlobal = typeof globalThis & { wireBench: WireBench }

let workers: readonly Worker[] = []
const bench: WireBench = {
  cores: navigator.hardwareConcurrency,
  open: (script, size, programs) => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    const wire = makeWire(size)
    workers = Array.from({ length: size }, (_, rank) => {
      const worker = new Worker(url, { type: 'module' })
      worker.postMessage({ wire, rank, programs } satisfies RankStart)
      return worker
    })
  },
  trial: async (task) => {
    const times = await Promise.all(
      workers.map(
        (worker) =>
          new Promise<RankTimes>((resolve, reject) => {
            worker.onmessage = ({ data }: MessageEvent<RankTimes>) => {
              resolve(data)
            }
            worker.onerror = ({ message }) => {
              reject(new Error(message))
            }
            worker.postMessage(task)
          }),
      ),
    )
    return Array.from({ length: task.repeats }, (_, repeat) =>
      Math.max(...times.map((own) => own[repeat + 1] ?? Number.NaN)),
    )
  },
  close: () => {
    for (const worker of workers) worker.terminate()
  },
}
;(globalThis as WireBenchGlobal).wireBench = bench
