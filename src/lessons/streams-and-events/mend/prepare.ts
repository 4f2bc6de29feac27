/** Eight products with fresh operands. When each result is handed over, and what was in it, is noted by the lab. */
import {
  createProducts,
  clearProducts,
  inputOf,
  sizeProducts,
  wordsOf,
} from '../../../experiments/streams-and-events/products'
import { seededMatrices, seedFor } from '../../../exercises/worker/square'
import { checkTimes } from '../../../exercises/worker/times'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import type { input, Results } from './checks'

const COUNT = 8
/** A product is so many times as long as the report of a short one: the first is reported before the last ends, also where that is every 100 ms. */
const KERNEL = 4

export const prepare: PrepareExercise<Results> = async (context, services) => {
  const { session } = context
  let { plan } = services
  if (!plan) {
    const { square, times } = await sizeProducts(context, services, {
      kernel: KERNEL,
      count: COUNT,
    })
    plan = { n: square.n, times }
    square.release()
  }
  const [n, times] = [Number(plan['n']), Number(plan['times'])]
  const { a, b, reset } = await seededMatrices(context, n)
  const steps = Array.from({ length: COUNT }, (_, step) => step)
  const products = await createProducts(context, n, [a, b], steps)

  let encoded: { readonly atNs: number; readonly times: number }[] = []
  let handed: { readonly step: number; readonly atNs: number; readonly words: Float32Array }[] = []
  const matmuls = products.map(({ matmul: { c, encode } }) => ({
    c,
    encode: (encoder: GPUCommandEncoder, count = 1) => {
      checkTimes(count)
      encode(encoder, count)
      encoded.push({ atNs: session.now(), times: count })
    },
  }))
  const handOver = (step: unknown, numbers: unknown): void => {
    if (typeof step !== 'number' || !(numbers instanceof Float32Array) || numbers.length !== wordsOf(n))
      throw new TypeError(`handOver(step, numbers): numbers must be the ${String(wordsOf(n))} of a result.`)
    if (handed.length < 2 * COUNT) handed.push({ step, atNs: session.now(), words: numbers.slice() })
  }

  const runOf = (repeat: number, at: number): WorkloadRun<Results> => {
    const [seedA, seedB] = [seedFor(2 * at, services.seed), seedFor(2 * at + 1, services.seed)]
    return {
      name: 'results',
      repeat,
      facts: { n, times, seedA, seedB, rows: products.map(({ row }) => row) },
      input: { ...inputOf(products, times), matmuls, handOver } satisfies Given<typeof input>,
      before: async () => {
        await clearProducts(context, products)
        await reset(seedA, seedB)
        encoded = []
        handed = []
      },
      find: () =>
        Promise.resolve({
          encodedNs: encoded.map(({ atNs }) => atNs),
          encodedTimes: encoded.map((each) => each.times),
          handedSteps: handed.map(({ step }) => step),
          handedNs: handed.map(({ atNs }) => atNs),
          words: Float32Array.from(handed.flatMap(({ words }) => [...words])),
        }),
    }
  }
  return {
    plan,
    given: products.slice(0, 1).map(({ matmul }) => matmul.dispatch),
    runs: runsOf(runOf),
  }
}
