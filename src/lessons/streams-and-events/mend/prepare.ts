/** Eight products. The lab notes when each result is handed over, and what was in it. */
import {
  createProducts,
  clearProducts,
  inputOf,
  sizeProducts,
  wordsOf,
} from '../../../experiments/streams-and-events/products'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seededMatrices } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import type { Results } from './checks'

const COUNT = 8
/**
 * A product is so many times as long as the report of a short one: the first is reported before the
 * last ends, also where that is every 100 ms.
 */
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
  const { a, b } = await seededMatrices(context, n, services.seed)
  const steps = Array.from({ length: COUNT }, (_, step) => step)
  const products = await createProducts(context, n, [a, b], steps)
  const encodes = noteEncodes(session)
  let handed: { readonly step: number; readonly atNs: number; readonly words: Float32Array }[] = []
  const handOver = (step: unknown, numbers: unknown): void => {
    if (typeof step !== 'number' || !(numbers instanceof Float32Array) || numbers.length !== wordsOf(n))
      throw new TypeError(`handOver(step, numbers): numbers must be the ${String(wordsOf(n))} of a result.`)
    if (handed.length < 2 * COUNT) handed.push({ step, atNs: session.now(), words: numbers.slice() })
  }
  const missing = Array<number>(wordsOf(n)).fill(Number.NaN)
  return {
    plan,
    given: products.slice(0, 1).map(({ matmul }) => matmul.dispatch),
    runs: runsOf({
      name: 'results',
      input: {
        ...inputOf(products, times),
        matmuls: products.map(({ matmul }) => ({ c: matmul.c, ...encodes.lend(matmul) })),
        handOver,
      },
      before: async () => {
        await clearProducts(context, products)
        encodes.clear()
        handed = []
      },
      find: () => ({
        count: COUNT,
        products: encodes.found().dispatches / times,
        encodedNs: encodes.found().encodedNs,
        handedSteps: handed.map(({ step }) => step),
        handedNs: handed.map(({ atNs }) => atNs),
        words: steps.flatMap((step) => [...(handed.find((each) => each.step === step)?.words ?? missing)]),
      }),
    }),
  }
}
