/** Work that keeps a device's clocks up between measured windows. */
import { USAGE, type RunContext } from '../..'
import { kernelCall } from '../kernel'
import { FMA_PEAK_INVOCATIONS, fmaPeakKernel, planFmaPeak } from './fma-peak'
import { keepBusy } from './keep-busy'
import type { DeviceFacts } from './roofline'

/** Duration of one dispatch of `prepareLoad`, ms. */
const LOAD_MS = 1

/**
 * Work for all of a device, in registers, that touches nothing of a run's: what is called keeps the
 * device busy for about so many ms, and resolves when its queue is empty. Null where there is no
 * clock to keep up: on a software adapter, or where no rate is known.
 */
export async function prepareLoad(
  context: RunContext,
  { isSoftware, matmulGflops }: Pick<DeviceFacts, 'isSoftware' | 'matmulGflops'>,
): Promise<((forMs: number) => Promise<void>) | null> {
  if (isSoftware || !matmulGflops) return null
  // No kernel multiplies faster than this one with four chains: it takes at most LOAD_MS.
  const shape = planFmaPeak(matmulGflops * 1e6, LOAD_MS, 4)
  const sizeBytes = 4 * FMA_PEAK_INVOCATIONS * shape.workgroups
  const results = await context.buffer('ramp', sizeBytes, USAGE.storage)
  const dispatch = await context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  return (forMs) => keepBusy(context, dispatch, LOAD_MS, forMs)
}
