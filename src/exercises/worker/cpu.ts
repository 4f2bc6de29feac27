/**
 * The CPU's side of a comparison, in a worker of its own (cpu-worker.ts), which ends before a
 * learner's program runs.
 */
import type { Race } from '../../gpu'
import type { Processor } from '../../gpu/kernels/cpu/processor'
import { createOperands } from '../../lab/operands'
import type { CpuAnswer, CpuQuestion } from './cpu-types'

export interface Cpu {
  readonly library: string
  readonly threads: number
  /** The product of operands 0 and 1 of `createOperands(words, 2, 1)`. */
  readonly multiply: (n: number) => Promise<Float32Array>
  /** Milliseconds of one product. */
  readonly time: (n: number) => Promise<number>
  readonly close: () => void
}

/** Products of fewer ms are timed together. */
const LEAST_MS = 2

/** The same where the processor is a model's, which has this thread's clock. */
export function cpuOf({ library, threads, multiply }: Processor, words: number): Cpu {
  const pool = createOperands(words, 2, 1)
  const product = async (n: number) => await multiply(pool.of(0, n * n), pool.of(1, n * n), n)
  return {
    library,
    threads,
    multiply: product,
    time: async (n) => {
      const startMs = performance.now()
      for (let calls = 1; ; calls += 1) {
        await product(n)
        const ms = performance.now() - startMs
        if (ms >= LEAST_MS) return ms / calls
      }
    },
    close: () => undefined,
  }
}

/** @throws Error where the worker does not start. */
export async function openCpu(race: Race, words: number): Promise<Cpu> {
  const worker = new Worker(new URL('./cpu-worker.ts', import.meta.url), { type: 'module', name: 'mend CPU' })
  const ask = (question: CpuQuestion): Promise<CpuAnswer> =>
    race(
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<CpuAnswer>) => {
          if (data.type === 'failed') reject(new Error(data.message))
          else resolve(data)
        }
        worker.onerror = (event) => {
          event.preventDefault()
          // A script that does not load fires an event without a message.
          reject(new Error(event.message || 'The worker for the CPU did not start.'))
        }
        worker.postMessage(question)
      }),
    )
  const unexpected = ({ type }: CpuAnswer): never => {
    throw new Error(`The worker for the CPU answered '${type}'.`)
  }
  const opened = await ask({ type: 'open', words })
  if (opened.type !== 'opened') return unexpected(opened)
  const { library, threads } = opened
  return {
    library,
    threads,
    multiply: async (n) => {
      const answer = await ask({ type: 'multiply', n })
      return answer.type === 'product' ? answer.product : unexpected(answer)
    },
    time: async (n) => {
      const answer = await ask({ type: 'time', n })
      return answer.type === 'time' ? answer.ms : unexpected(answer)
    },
    close: () => {
      worker.terminate()
    },
  }
}
