/**
 * The CPU's side of a comparison, in a worker of its own (cpu-worker.ts), which ends before a
 * learner's program runs.
 */
import { whenDead } from '../../base/workers'
import type { Race } from '../../gpu'
import type { CpuAnswer, CpuQuestion } from './cpu-product'

export interface Cpu {
  /** Times one product, and names the library that multiplied. */
  readonly time: (n: number) => Promise<{ readonly library: string; readonly ms: number }>
  readonly close: () => void
}

/** `time` throws where the worker does not start. */
export function openCpu(race: Race, words: number): Cpu {
  const worker = new Worker(new URL('./cpu-worker.ts', import.meta.url), { type: 'module', name: 'mend CPU' })
  return {
    time: (n) =>
      race(
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }: MessageEvent<CpuAnswer>) => {
            if ('failed' in data) reject(new Error(data.failed))
            else resolve(data)
          }
          whenDead(worker, (why) => reject(new Error(`The worker for the CPU did not start: ${why}`)))
          const question: CpuQuestion = { n, words }
          worker.postMessage(question)
        }),
      ),
    close: () => {
      worker.terminate()
    },
  }
}
