/**
 * The same products by the CPU, by the device with transfers there and back, and by the device on what is already there; sizes as far
 * as this machine is fast enough for them, and as many as the time at hand allows.
 */
import { FaultError } from '../../base/fault'
import type { ValuesOf } from '../experiment'
import type { Prepare, RunServices, Variant } from '../run-types'
import { kernelParam } from '../shared-params'
import { calibrateCpu, calibrateDevice, type KnownRates } from './calibrate'
import type { worthIt } from './meta'
import { planRun } from './plan'
import { openProcessor } from './processor'
import { openProducts } from './products'
import { prepareTransfers, TRANSFER_BYTES } from './transfers'
import { parseVariant, writeCounts } from './variants'

export const prepare: Prepare<ValuesOf<(typeof worthIt)['params']>> = async (
  context,
  values,
  services,
  variants,
) => {
  const { uses, kernel } = values
  const sizes = values.sizes.map(Number).toSorted((a, b) => a - b)
  const announce = (message: string) => {
    services.progress({ fraction: 0, message, variant: '', repeat: -1, region: 'setup' })
  }
  announce("loading the CPU's matmul")
  const processor = await context.race(
    openProcessor(navigator.hardwareConcurrency, globalThis.crossOriginIsolated),
  )
  const work = await openProducts(context, sizes.at(-1) ?? 1, uses)
  announce('measuring the CPU')
  const onCpu = await calibrateCpu(context, (n) => processor.multiply(...work.pairAt(0, n), n), sizes, uses)
  announce('measuring the device')
  const onDevice = await calibrateDevice(
    context,
    services,
    { sizes, uses, rates: ratesOf(services, kernel) },
    (n) => work.dispatch(kernel, n),
  )
  const plan = planRun(
    values,
    services.roundTripMs,
    onCpu,
    new Map([...onDevice].map(([n, { ms }]) => [n, ms])),
  )
  if (!plan) throw tooSlow(sizes[0] ?? 0, uses)

  const transfers = await prepareTransfers(context, plan.counts)
  const ready: Variant[] = []
  for (const name of variants) {
    const count = plan.counts.get(name)
    const sized = parseVariant(name)
    if (count === undefined) continue
    const dispatch = sized && onDevice.get(sized.n)?.dispatch
    if (!sized) ready.push(transfers(name))
    else if (sized.place === 'cpu') ready.push(work.onCpu(name, sized.n, count, processor))
    else if (dispatch)
      ready.push(
        sized.place === 'resident'
          ? work.resident(name, sized.n, count, dispatch)
          : await work.roundTrip(name, sized.n, count, dispatch),
      )
  }
  return {
    derived: {
      processorLibrary: processor.library,
      processorThreads: processor.threads,
      processorNote: processor.note,
      operationsPerWindow: writeCounts(plan.counts),
      sizesLeftOut: plan.tooSlow.join(' '),
      sizesSkipped: plan.skipped.join(' '),
      transferBytes: TRANSFER_BYTES,
      repeats: plan.repeats,
    },
    repeats: plan.repeats,
    variants: ready,
  }
}

/** Another kernel than the usual one may be as much slower (naive: 42 times on an H200); none is as much faster. */
const SLOWER_AT_MOST = 64
const FASTER_AT_MOST = 4

function ratesOf({ matmulGflops }: RunServices, kernelId: string): KnownRates {
  if (matmulGflops === null) return { least: 1, most: Infinity }
  const isUsual = kernelId === kernelParam.default
  return {
    least: isUsual ? matmulGflops : matmulGflops / SLOWER_AT_MOST,
    most: matmulGflops * FASTER_AT_MOST,
  }
}

const tooSlow = (n: number, uses: number): FaultError =>
  new FaultError({
    code: 'limit',
    message: `Even ${String(uses)} × the product of ${String(n)} × ${String(n)} takes too long here, on the CPU or on the device.`,
    hint: 'Choose smaller sizes, or fewer matmuls on each upload.',
    data: { size: n, uses },
  })
