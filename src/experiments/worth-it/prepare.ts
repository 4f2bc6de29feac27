/**
 * Prepares the same products by the CPU, by the device with transfers there and back, and by the
 * device on what is already there. Sizes go as far as this machine is fast enough for them, and as
 * many are run as the time at hand allows.
 */
import { FaultError } from '../../base/fault'
import type { RunContext } from '../../gpu'
import { openProcessor } from '../../gpu/kernels/cpu/processor'
import { keepBusy } from '../../gpu/kernels/calibrate/keep-busy'
import { timeDispatch } from '../../gpu/kernels/calibrate/timing'
import type { Prepare, Variant } from '../run-types'
import type { worthIt } from './meta'
import { longestOnCpu, longestOnDevice, planRun, timeSizes } from './plan'
import { openProducts } from './products'
import { writeCounts } from '../evidence'
import { sizedOf } from './variants'

/**
 * Calls are timed for so long: compilers and caches have settled, and all sizes take a fraction of
 * a second.
 */
const SETTLED_MS = 5
const MAX_CALLS = 1000

export const prepare: Prepare<typeof worthIt> = async (
  context,
  values,
  { say, deviceStepNs, roundTripMs },
  variants,
) => {
  const { uses, kernel } = values
  const sizes = values.sizes.map(Number)
  const largest = Math.max(...sizes)
  say("loading the CPU's matmul")
  const { library, threads, note, multiply } = await context.race(
    openProcessor(navigator.hardwareConcurrency, globalThis.crossOriginIsolated),
  )
  const work = await openProducts(context, multiply, { kernel, uses, largest })

  say('measuring the CPU')
  const onCpu = await timeSizes(sizes, longestOnCpu(uses), (n) => timeCalls(context, () => work.multiply(n)))
  say('measuring the device')
  const dispatchOf = async (n: number) => (await work.matmulOf(n)).dispatch
  const onDevice = await timeSizes(sizes, longestOnDevice(uses), async (n) => {
    const { ms } = await timeDispatch(context, await dispatchOf(n), deviceStepNs)
    return ms
  })
  const plan = planRun({ ...values, sizes }, roundTripMs, onCpu, onDevice)
  if (!plan)
    throw new FaultError({
      code: 'limit',
      message: `Even ${String(uses)} × the product of the smallest matrices takes too long here, on the CPU or on the device.`,
      hint: 'Choose smaller sizes, or fewer matmuls on each upload.',
      data: { size: Math.min(...sizes), uses },
    })
  // Clocks that had cooled down ramp up under load; a software adapter has none.
  for (const [n, ms] of [...onDevice].slice(-1)) await keepBusy(context, await dispatchOf(n), ms)

  const { counts, repeats } = plan
  const ready: Variant[] = []
  for (const name of variants) {
    const [sized, count] = [sizedOf(name), counts.get(name)]
    if (sized && count !== undefined) ready.push(await work.variants[sized.place](sized.n, count))
  }
  return {
    derived: {
      processorLibrary: library,
      processorThreads: threads,
      processorNote: note,
      operationsPerWindow: writeCounts(counts),
      sizesLeftOut: plan.leftOut.join(' '),
    },
    repeats,
    variants: ready,
  }
}

/** The mean of some calls, ms; the first, which pays for memory, does not count. */
async function timeCalls(context: RunContext, call: () => Promise<unknown>): Promise<number> {
  await context.breathe()
  await call()
  await context.breathe()
  const startNs = context.session.now()
  for (let calls = 1; ; calls += 1) {
    await call()
    const ms = (context.session.now() - startNs) / 1e6
    if (ms >= SETTLED_MS || calls === MAX_CALLS) return ms / calls
  }
}
