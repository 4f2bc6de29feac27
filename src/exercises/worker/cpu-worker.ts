/**
 * Products on the CPU, for a mend's worker. Apart from it: the library takes the network,
 * WebAssembly and threads, and the realm in which a learner's program runs next shall have none of
 * them, nor a policy that allows them.
 */
import { workerScope } from '../../base/worker-scope'
import { openProcessor } from '../../gpu/kernels/cpu/processor'
import { createOperands } from '../../lab/operands'
import type { CpuAnswer, CpuQuestion } from './cpu-types'

/** A few steps of a coarse clock (100 µs without cross-origin isolation). */
const LEAST_MS = 2

const scope = workerScope<CpuQuestion, CpuAnswer>()

let opened: Promise<{
  readonly answer: CpuAnswer
  readonly multiply: (n: number) => Promise<Float32Array>
}> | null = null

async function open(words: number) {
  const { library, threads, multiply } = await openProcessor(
    navigator.hardwareConcurrency,
    globalThis.crossOriginIsolated,
  )
  const pool = createOperands(words, 2, 1)
  return {
    answer: { type: 'opened', library, threads } as const,
    multiply: (n: number) => multiply(pool.of(0, n * n), pool.of(1, n * n), n),
  }
}

async function answer(question: CpuQuestion): Promise<CpuAnswer> {
  if (question.type === 'open') {
    opened ??= open(question.words)
    return (await opened).answer
  }
  if (!opened) throw new Error('It was not opened.')
  const { multiply } = await opened
  const { n } = question
  if (question.type === 'multiply') return { type: 'product', product: await multiply(n) }
  const startMs = performance.now()
  for (let calls = 1; ; calls += 1) {
    await multiply(n)
    const ms = performance.now() - startMs
    if (ms >= LEAST_MS) return { type: 'time', ms: ms / calls }
  }
}

scope.addEventListener('message', ({ data }) => {
  answer(data).then(
    (value) => {
      scope.postMessage(value)
    },
    (thrown: unknown) => {
      scope.postMessage({ type: 'failed', message: String(thrown) })
    },
  )
})
