/**
 * Products sized by the period at which completion is reported, on one device and on two. What the
 * host read of each is checked.
 */
import { FaultError } from '../../base/fault'
import { USAGE, type DeviceSite } from '../../gpu'
import { checkProduct, mergeVerifications } from '../../lab/check-product'
import { createFill } from '../../lab/matmul'
import type { Verification } from '../../trace/report'
import type { Derived, Prepare } from '../run-types'
import { fitRun } from '../sizing'
import { expectedProduct, SEED_A, SEED_B } from '../square-matmul'
import { CALL_NAMES, RACE, TWO_DEVICES, type streamsAndEvents } from './meta'
import { clearProducts, createProducts, inputOf, sizeProducts, wordsOf, type Product } from './products'

const WHAT = 'entries of each result, as the host read them, against a float64 reference'

export const prepare: Prepare<typeof streamsAndEvents> = async (context, values, services, variants) => {
  const { roundTripMs, deviceStepNs, say } = services
  say('sizing a product')
  const count = values.steps
  const { square, times, productMs } = await sizeProducts(context, services, { kernel: values.kernel, count })
  const { n, a, b } = square
  // The number of results is what is asked about, so it stays as it was asked for.
  const { repeats } = fitRun(values, () => variants.length * (count * productMs + 2 * roundTripMs), count)
  const steps = Array.from({ length: count }, (_, step) => step)
  const products = await createProducts(context, n, [a, b], steps)

  let noSecondDevice: string | undefined
  const second = variants.includes(TWO_DEVICES)
    ? await context.anotherDevice(navigator.gpu, deviceStepNs).catch((thrown: unknown) => {
        if (!(thrown instanceof FaultError)) throw thrown
        noSecondDevice = thrown.message
        return null
      })
    : null
  const odd = steps.filter((step) => step % 2 === 1)
  const onSecond = second ? await productsOn(second, n, odd) : []
  const inTurn = products.map((own, step) => (step % 2 === 1 ? (onSecond[(step - 1) / 2] ?? own) : own))

  const answers: Record<string, string> = {}
  const expected = expectedProduct(n, times)
  const words = wordsOf(n)
  /** A missing entry counts as wrong. */
  const verify = (rows: unknown, of: readonly Product[]): Verification =>
    mergeVerifications(
      of.map(({ row }, index) => {
        const positions = Array.from({ length: words }, (_, column) => [row, column] as const)
        const read: unknown = Array.isArray(rows) ? rows[index] : null
        const got =
          read instanceof Float32Array && read.length === words ? read : new Float32Array(words).fill(NaN)
        return checkProduct(expected, positions, got, WHAT)
      }),
    )
  const before = async () => {
    await clearProducts(context, products)
    if (second) await clearProducts(second, onSecond)
  }
  const variantOf = (name: string) => {
    const input = inputOf(name === TWO_DEVICES ? inTurn : products, times)
    if (name !== RACE) {
      const devices = [context.device.gpu, second?.device.gpu]
      return {
        name,
        input: { ...input, devices },
        before,
        check: (rows: unknown) => Promise.resolve(verify(rows, inTurn)),
      }
    }
    const check = (output: unknown): Promise<Verification> => {
      const { found = {}, row } = output as {
        readonly found?: Record<string, string>
        readonly row?: unknown
      } // what race.js returns
      for (const call of CALL_NAMES) answers[`race ${call}`] = String(found[call])
      return Promise.resolve(verify([row], products.slice(0, 1)))
    }
    return { name, input, before, check }
  }
  return {
    derived: {
      matrixSize: n,
      productsAdded: times,
      calibratedProductMs: productMs,
      roundTripMs,
      steps: count,
      ...(noSecondDevice === undefined ? {} : { noSecondDevice }),
    },
    repeats,
    variants: variants.filter((name) => name !== TWO_DEVICES || second !== null).map(variantOf),
    found: (): Derived => answers,
  }
}

/** Makes products with A and B of their own, from the same seeds. */
async function productsOn(
  site: DeviceSite,
  n: number,
  steps: readonly number[],
): Promise<readonly Product[]> {
  const operand = async (label: string, seed: number) => {
    const made = await site.buffer(label, 4 * n * n, USAGE.storage)
    const fill = await createFill(site, made, seed)
    await site.queue.run('fill', fill.encode)
    return made
  }
  const operands = [await operand('second A', SEED_A), await operand('second B', SEED_B)] as const
  return await createProducts(site, n, operands, steps)
}
