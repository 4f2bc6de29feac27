/**
 * The CPU's matmul, whichever this browser can have: the library, with as many threads as the page
 * may start, or plain code. What was used is part of the result: a slow CPU makes any device look
 * good.
 */
import type { Multiply } from './onnx-matmul'
import { multiplyPlain } from './plain-matmul'

export type { Multiply }

export interface Processor {
  readonly library: string
  readonly threads: number
  /** Why it is not what it could be; '' where it is. */
  readonly note: string
  readonly multiply: Multiply
}

const MAX_THREADS = 16

/**
 * One for every two logical processors: mostly two of them share the units that multiply, and the
 * browser's other threads need a place too. PyTorch on a CPU starts as many, for the same reason.
 */
function threadsFor(logicalProcessors: number, isolated: boolean): number {
  if (!isolated) return 1
  return Math.min(MAX_THREADS, Math.max(1, Math.ceil(logicalProcessors / 2)))
}

const NOT_ISOLATED =
  'one thread only: threads need memory shared with workers, and this page is not cross-origin isolated'

/** `load` stands in for the library in tests. */
export async function openProcessor(
  logicalProcessors: number,
  isolated: boolean,
  load: (threads: number) => Promise<Multiply> = async (threads) =>
    await (await import('./onnx-matmul')).openMultiply(threads),
): Promise<Processor> {
  const threads = threadsFor(logicalProcessors, isolated)
  try {
    const multiply = await load(threads)
    return { library: 'onnxruntime-web', threads, note: isolated ? '' : NOT_ISOLATED, multiply }
  } catch (thrown) {
    return {
      library: 'plain TypeScript',
      threads: 1,
      note: `plain code, without SIMD or threads: onnxruntime-web did not load (${thrown instanceof Error ? thrown.message : String(thrown)})`,
      multiply: (a, b, n) => Promise.resolve(multiplyPlain(a, b, n)),
    }
  }
}
