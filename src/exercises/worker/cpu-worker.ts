/**
 * Products on the CPU, for an exercise's worker. Apart from it: the library takes the network,
 * WebAssembly and threads, and the realm in which a learner's program runs next shall have none of
 * them, nor a policy that allows them.
 */
import { workerScope } from '../../base/workers'
import { openProcessor } from '../../gpu/kernels/cpu/processor'
import { productTimer, type CpuAnswer, type CpuQuestion } from './cpu-product'

const scope = workerScope<CpuQuestion, CpuAnswer>()

async function open(words: number) {
  const { library, multiply } = await openProcessor(
    navigator.hardwareConcurrency,
    globalThis.crossOriginIsolated,
  )
  return { library, time: productTimer(multiply, words) }
}
let opened: ReturnType<typeof open> | null = null

async function answer({ n, words }: CpuQuestion): Promise<CpuAnswer> {
  opened ??= open(words)
  const { library, time } = await opened
  return { library, ms: await time(n) }
}

scope.addEventListener('message', ({ data }) => {
  answer(data).then(
    (value) => {
      scope.postMessage(value)
    },
    (thrown: unknown) => {
      scope.postMessage({ failed: String(thrown) })
    },
  )
})
