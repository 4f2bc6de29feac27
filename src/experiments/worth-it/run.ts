/**
 * Recipe: the same products by the processor, by the device with the way there and back, and by the device on what is already
 * there; sizes in ascending order, each as far as this machine is fast enough for it. Beside them what the rule of thumb is made
 * of: bandwidth to the device, bandwidth back, and the latency of a round trip with nothing in it.
 *
 * An operation is `uses` matmuls on one pair of matrices. Every product is checked, the processor's as well.
 */
import { FaultError } from '../../base/fault'
import { MIB } from '../../base/units'
import { USAGE, type Dispatch, type RunContext } from '../../engine'
import { tickKernel } from '../../kernels/calibrate/tick'
import { kernelCall } from '../../kernels/kernel'
import type { Verification } from '../../trace/report'
import { mergeVerifications } from '../matmul-workload'
import type { Runner } from '../run-types'
import { calibrateDevice, calibrateProcessor } from './calibrate'
import {
  createMatrices,
  openWay,
  placeOperands,
  roundTrip,
  runResident,
  sampleProduct,
  type Way,
} from './device-side'
import { figuresOfWorthIt } from './figure'
import { createInputs, type Inputs } from './inputs'
import { judgeWorthIt, measureWorthIt } from './metrics'
import { operationsFor, writeCounts } from './plan'
import { openProcessor } from './processor'
import { openTransfers } from './transfers'
import { LATENCY, parseVariant, PLACES, READBACK, sizedVariant, UPLOAD } from './variants'

const TRANSFERS = 3
const LATENCIES = 5
/** Carried in some ms: well beyond the latency, which is taken off. */
const TRANSFER_BYTES = 16 * MIB

export const worthItRunner: Runner = {
  run: async (context, { params, isSoftware, deviceStepNs, measure, progress }) => {
    const uses = Number(params['uses'])
    const sizes = (params['sizes'] as readonly string[]).map(Number).toSorted((a, b) => a - b)
    const largest = sizes.at(-1) ?? 1
    const { recorder } = context
    const say = (message: string) => {
      progress({ fraction: 0, message, variant: '', repeat: -1, region: 'setup' })
    }

    say('loading the matmul of the processor')
    const processor = await context.race(
      openProcessor(navigator.hardwareConcurrency, globalThis.crossOriginIsolated),
    )
    const inputs = createInputs(largest)
    const matrices = await createMatrices(context, largest)
    say('measuring the processor')
    const onCpu = await calibrateProcessor(context, processor, inputs, sizes, uses)
    say('measuring the device')
    const onDevice = await calibrateDevice(context, {
      kernelId: String(params['kernel']),
      matrices,
      sizes,
      uses,
      deviceStepNs,
      isSoftware,
    })
    const common = sizes.filter((n) => onCpu.has(n) && onDevice.has(n))
    if (common.length === 0) throw tooSlow(sizes[0] ?? 0, uses)

    const ways = new Map<number, Way>()
    for (const n of onDevice.keys()) ways.set(n, await openWay(context, n))
    const transfers = await openTransfers(context, TRANSFER_BYTES)
    const empty = await openEmptyTrip(context)

    const counts = new Map<string, number>()
    for (const n of sizes)
      for (const place of PLACES) {
        const ms = place === 'cpu' ? onCpu.get(n) : onDevice.get(n)?.ms
        if (ms !== undefined) counts.set(sizedVariant(place, n), operationsFor(place, ms, uses))
      }
    counts.set(UPLOAD, TRANSFERS).set(READBACK, TRANSFERS).set(LATENCY, LATENCIES)

    /** Counts on through the whole run: consecutive operations differ in their inputs. */
    let operation = 0
    /** The window's products in host memory, checked when it is over. */
    let products: {
      readonly operation: number
      readonly n: number
      readonly got: Float32Array
      readonly times: number
    }[] = []
    const checks: Verification[] = []

    const computeOnCpu = async (n: number, count: number) => {
      const startNs = recorder.now()
      for (let index = 0; index < count; index += 1) {
        operation += 1
        const { a, b } = inputs.of(operation, n)
        let got = await processor.multiply(a, b, n)
        for (let use = 1; use < uses; use += 1) got = await processor.multiply(a, b, n)
        products.push({ operation, n, got, times: 1 })
      }
      // One span for all: recording each would take as long as a small product does.
      const times = count * uses === 1 ? '' : ` × ${String(count * uses)}`
      recorder.host('host-work', `matmul ${String(n)}³${times} on the processor`, startNs, recorder.now(), {
        flops: 2 * n ** 3 * count * uses,
      })
    }

    await measure(
      context,
      [...counts.keys()],
      Number(params['repeats']),
      async (variant) => {
        const { repeat } = recorder.tag
        const count = counts.get(variant) ?? 1
        const sized = parseVariant(variant)
        if (sized?.place === 'cpu') {
          await computeOnCpu(sized.n, count)
          return
        }
        const timed = sized && onDevice.get(sized.n)
        if (sized?.place === 'resident' && timed) {
          await runResident(context, timed.matmul, count * uses)
          return
        }
        for (let index = 0; index < count; index += 1) {
          recorder.tag = { variant, repeat, step: index }
          const way = sized && ways.get(sized.n)
          if (timed && way) {
            operation += 1
            const operands = inputs.of(operation, sized.n)
            const got = await roundTrip(context, matrices, timed.matmul, way, operands, uses)
            products.push({ operation, n: sized.n, got, times: uses })
          } else if (variant === UPLOAD) await transfers.upload()
          else if (variant === READBACK) await transfers.readBack()
          else await empty()
        }
      },
      {
        before: async (variant) => {
          const sized = parseVariant(variant)
          products = []
          if (variant === UPLOAD) await transfers.begin()
          if (sized?.place === 'round-trip') await ways.get(sized.n)?.staging.begin(2)
          if (sized?.place === 'resident') await placeOperands(context, matrices, inputs.of(0, sized.n))
        },
        after: async (variant) => {
          const sized = parseVariant(variant)
          if (variant === UPLOAD) await transfers.end()
          if (variant === READBACK) checks.push(transfers.check())
          if (sized?.place === 'round-trip') await ways.get(sized.n)?.staging.end()
          if (sized?.place === 'resident') {
            const got = await sampleProduct(context, matrices, inputs, sized.n)
            checks.push(inputs.checkSampled(0, sized.n, got, (counts.get(variant) ?? 1) * uses))
          }
          checks.push(...checkProducts(inputs, products))
          products = []
        },
      },
    )
    return {
      derived: {
        processorLibrary: processor.library,
        processorThreads: processor.threads,
        processorNote: processor.note,
        operationsPerWindow: writeCounts(counts),
        sizesLeftOut: sizes.filter((n) => !common.includes(n)).join(' '),
        transferBytes: TRANSFER_BYTES,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: measureWorthIt,
  figures: figuresOfWorthIt,
  verdict: judgeWorthIt,
}

const checkProducts = (
  inputs: Inputs,
  products: readonly {
    readonly operation: number
    readonly n: number
    readonly got: Float32Array
    readonly times: number
  }[],
): readonly Verification[] =>
  products.map(({ operation, n, got, times }) => inputs.check(operation, n, got, times))

const tooSlow = (n: number, uses: number): FaultError =>
  new FaultError({
    code: 'limit',
    message: `Even ${String(uses)} × the product of ${String(n)} × ${String(n)} takes too long here, on the processor or on the device.`,
    hint: 'Choose smaller sizes, or fewer matmuls on each upload.',
    data: { size: n, uses },
  })

/** A round trip with nothing in it: the smallest dispatch, four bytes back. */
async function openEmptyTrip(context: RunContext): Promise<() => Promise<void>> {
  const target = await context.buffer('four bytes', 16, USAGE.storage | USAGE.copySrc)
  const tick: Dispatch = await context.dispatch(kernelCall(tickKernel, {}), [target])
  const ring = await context.readbackRing(1, 4)
  return async () => {
    const encoding = context.queue.encode('four bytes')
    encoding.pass('almost nothing', [tick])
    const copied = ring.encodeCopy(encoding, target, 0, 4)
    await ring.read(copied, context.queue.submit('four bytes', [encoding]), 4)
  }
}
