/**
 * The same products by the CPU, by the device with transfers there and back, and by the device on what is already there; sizes as far
 * as this machine is fast enough for them. Beside them what the rules of thumb are made of: bandwidth to the device, bandwidth back,
 * and the latency of a round trip. Every product is checked, the CPU's as well, and every transfer.
 */
import { FaultError } from '../../base/fault'
import { MIB } from '../../base/units'
import { readWords, USAGE, type RunContext } from '../../engine'
import { tickKernel } from '../../kernels/calibrate/tick'
import { findMatmul } from '../../kernels/catalog'
import { kernelCall } from '../../kernels/kernel'
import {
  checkProduct,
  checkProductOnDevice,
  mergeVerifications,
  positionsOf,
  type ExpectedProduct,
} from '../../lab/check-product'
import { createMatmul, createPass } from '../../lab/matmul'
import { createOperands, type Operands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import type { ValuesOf } from '../declare'
import type { Prepare, RunServices, Variant } from '../run-types'
import { kernelParam } from '../shared-params'
import { fitRun } from '../sizing'
import { calibrateCpu, calibrateDevice, tooSlow, type KnownRates } from './calibrate'
import type { worthIt } from './meta'
import { byInterest, operationsFor, roundMs, tripsFor, writeCounts, type Pace } from './plan'
import { openProcessor } from './processor'
import { CPU, LATENCY, READBACK, RESIDENT, ROUND_TRIP, sizedVariant, UPLOAD } from './variants'

/** Operands before they come round again: no two operations in a row have the same product. */
const CYCLE = 8
const SAMPLES = 32
/** Carried in some ms: well beyond the latency, which is taken off. */
const TRANSFER_BYTES = 16 * MIB
const TRANSFER_MS = 11
/** Dispatches in one pass: encoding must not hold the host up for long. */
const DISPATCHES_A_PASS = 256
/** With fewer sizes, or repeats, than these there is no curve, or no interval. */
const LEAST = { steps: 2, repeats: 3 }
/** Another kernel than the usual one may be as much slower (naive: 42 times on an H200); none is as much faster. */
const SLOWER_AT_MOST = 64
const FASTER_AT_MOST = 4
const WHAT = 'sampled entries of each product, of the CPU and of the device, against a float64 reference'

export const prepare: Prepare<ValuesOf<typeof worthIt>> = async (context, values, services, variants) => {
  const { uses, kernel } = values
  const { roundTripMs, progress } = services
  const sizes = values.sizes.map(Number).toSorted((a, b) => a - b)
  const largest = sizes.at(-1) ?? 1
  const announce = (message: string) => {
    progress({ fraction: 0, message, variant: '', repeat: -1, region: 'setup' })
  }

  announce("loading the CPU's matmul")
  const processor = await context.race(
    openProcessor(navigator.hardwareConcurrency, globalThis.crossOriginIsolated),
  )
  const a = createOperands(largest * largest, CYCLE, 1)
  const b = createOperands(largest * largest, CYCLE, 2)
  announce('measuring the CPU')
  const multiply = (n: number) => processor.multiply(a.of(0, n * n), b.of(0, n * n), n)
  const onCpu = await calibrateCpu(context, multiply, sizes, uses)
  announce('measuring the device')
  const matrices = await createMatrices(context, a, b)
  const onDevice = await calibrateDevice(context, services, { sizes, uses, rates: ratesOf(services, kernel) }, (n) =>
    dispatchOf(context, kernel, matrices, n),
  )

  const pace: Pace = { uses, roundTripMs }
  const timed = sizes
    .map((n) => ({ n, cpuMs: onCpu.get(n), deviceMs: onDevice.get(n)?.ms }))
    .filter(({ cpuMs, deviceMs }) => cpuMs !== undefined || deviceMs !== undefined)
  const both = timed.filter(({ cpuMs, deviceMs }) => cpuMs !== undefined && deviceMs !== undefined)
  if (both.length === 0) throw tooSlow(sizes[0] ?? 0, uses)
  const ranked = byInterest(timed, pace)
  const transfers = tripsFor(TRANSFER_MS + roundTripMs, 3)
  const latencies = tripsFor(roundTripMs, 5)
  const transferMs = 2 * transfers * (TRANSFER_MS + roundTripMs) + latencies * roundTripMs
  const { steps, repeats } = fitRun(
    { steps: ranked.length, repeats: values.repeats },
    values.seconds * 1e3,
    (count) => roundMs(ranked.slice(0, count), pace, transferMs),
    LEAST,
  )
  const chosen = ranked.slice(0, steps)

  const counts = new Map([
    ...chosen.flatMap(({ n, cpuMs, deviceMs }) => [
      ...(cpuMs === undefined ? [] : [[sizedVariant(CPU, n), operationsFor(CPU, n, cpuMs, pace)] as const]),
      ...(deviceMs === undefined
        ? []
        : ([ROUND_TRIP, RESIDENT] as const).map(
            (place) => [sizedVariant(place, n), operationsFor(place, n, deviceMs, pace)] as const,
          )),
    ]),
    [UPLOAD, transfers] as const,
    [READBACK, transfers] as const,
    [LATENCY, latencies] as const,
  ])
  const countOf = (variant: string): number => counts.get(variant) ?? 1

  /** Counts on through the whole run, so that a result of the window before is found wrong. */
  let next = 0
  const pairsFrom = (first: number, n: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const at = (first + index) % CYCLE
      return [a.of(at, n * n), b.of(at, n * n)] as const
    })
  const productOf = (operation: number, n: number, times: number): ExpectedProduct => {
    const at = operation % CYCLE
    const aAt = (row: number, k: number) => a.valueAt(at, row * n + k)
    const bAt = (k: number, column: number) => b.valueAt(at, k * n + column)
    return { rows: n, columns: n, k: n, terms: [{ aAt, bAt, times }] }
  }
  /** A program that multiplies the pairs it is given and returns the products. */
  const multiplying = (
    name: string,
    n: number,
    times: number,
    given: object,
    prepareWindow?: () => Promise<void>,
  ): Variant => {
    const input = { ...given, uses, pairs: pairsFrom(0, n, countOf(name)) }
    let first = 0
    return {
      name,
      input,
      before: async () => {
        first = next
        next += countOf(name) + 1
        input.pairs = pairsFrom(first, n, countOf(name))
        await prepareWindow?.()
      },
      check: (output) => {
        const products = floatsIn(output)
        const positions = positionsOf({ rows: n, columns: n }, SAMPLES, n)
        const checks = input.pairs.map((_, index) => {
          const got = positions.map(([row, column]) => products[index]?.[row * n + column] ?? Number.NaN)
          return checkProduct(productOf(first + index, n, times), positions, got, WHAT)
        })
        return Promise.resolve(mergeVerifications(checks))
      },
    }
  }

  const ready = new Map<string, Variant>()
  const add = (variant: Variant) => ready.set(variant.name, variant)
  const { c } = matrices
  for (const { n } of chosen) {
    add(multiplying(sizedVariant(CPU, n), n, 1, { n, multiply: processor.multiply }))
    const dispatch = onDevice.get(n)?.dispatch
    if (!dispatch) continue
    const bytes = 4 * n * n
    const facts = { label: `matmul ${String(n)}³`, rows: n, columns: n, c: c.gpu, flops: 2 * n ** 3, bytes: 3 * bytes }
    const matmul = createMatmul(context.session, dispatch.resident, facts)
    const staging = await createStaging(context, 2, bytes)
    const trip = {
      matmul: createMatmul(context.session, dispatch.carried, facts),
      a: matrices.carried.a.gpu,
      b: matrices.carried.b.gpu,
      c: c.gpu,
      staging: staging.buffers,
      readback: await createReadback(context, bytes),
      bytes,
    }
    add(multiplying(sizedVariant(ROUND_TRIP, n), n, uses, trip, () => staging.map(2)))
  }
}
