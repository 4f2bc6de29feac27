/**
 * FMAs in registers: the roof of a roofline, checked against their exact results, and work that keeps
 * a device's clocks up between measured windows.
 */
import { readWords, STORAGE, USAGE, type Dispatch, type RunContext } from '../..'
import { kernelCall } from '../kernel'
import { compareSamples, samplePositions } from '../matmul/reference'
import {
  FMA_PEAK_INVOCATIONS,
  fmaPeakFlops,
  fmaPeakKernel,
  fmaPeakValue,
  type FmaPeakShape,
  CHAIN_COUNTS,
  MAX_WORKGROUPS,
  planFmaPeak,
} from './fma-peak'
import { keepBusy } from './keep-busy'
import { GROWTH, PASS_MS, SAMPLES, type DeviceFacts, type RooflineWork } from './roofline'
import { timeDispatch, timeEach } from './timing'

const SMALLEST: FmaPeakShape = { workgroups: 4, iterations: 4, chains: 1 }

/** FMAs at the fastest of several numbers of chains. */
export async function prepareFmaPeak(context: RunContext, facts: DeviceFacts): Promise<RooflineWork> {
  const results = await context.buffer('FMA results', 4 * FMA_PEAK_INVOCATIONS * MAX_WORKGROUPS, STORAGE)
  const dispatchOf = (shape: FmaPeakShape) => context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  const time = async (shape: FmaPeakShape) => {
    const dispatch = await dispatchOf(shape)
    const { ms } = await timeDispatch(context, dispatch, facts.deviceStepNs)
    context.release(dispatch.uniforms)
    return { ms, flopsPerMs: fmaPeakFlops(shape) / ms }
  }
  // Up to the size with one chain, then every number of chains at that size: the rate of one
  // foretells the others'. Where a matmul's rate is known the first size is near: no kernel
  // multiplies faster than this one.
  let shape = facts.matmulGflops ? planFmaPeak(facts.matmulGflops * 1e6, PASS_MS / 2, 1) : SMALLEST
  let found = await time(shape)
  while (found.ms < PASS_MS / 2) {
    const next = planFmaPeak(found.flopsPerMs, Math.min(PASS_MS, found.ms * GROWTH), shape.chains)
    if (fmaPeakFlops(next) <= fmaPeakFlops(shape)) break
    shape = next
    found = await time(shape)
  }
  const warm = await dispatchOf(shape)
  await keepBusy(context, warm, found.ms)
  context.release(warm.uniforms)
  const shapes = CHAIN_COUNTS.map((chains) => planFmaPeak(found.flopsPerMs, PASS_MS / 2, chains))
  const tried: Dispatch[] = []
  for (const each of shapes) tried.push(await dispatchOf(each))
  const times = await timeEach(context, tried, facts.deviceStepNs)
  for (const { uniforms } of tried) context.release(uniforms)
  const best = shapes.reduce(
    (fastest, { chains }, index) => {
      const flopsPerMs = fmaPeakFlops(shapes[index] ?? shape) / (times[index] ?? Infinity)
      return flopsPerMs > fastest.flopsPerMs ? { chains, flopsPerMs } : fastest
    },
    { chains: 1, flopsPerMs: 0 },
  )
  const sized = planFmaPeak(best.flopsPerMs, PASS_MS, best.chains)
  const dispatch = await dispatchOf(sized)
  const flops = fmaPeakFlops(sized)
  const threads = FMA_PEAK_INVOCATIONS * sized.workgroups
  return {
    name: 'fma-peak',
    flops,
    bytes: 4 * threads,
    passMs: flops / best.flopsPerMs,
    dispatches: [dispatch],
    reset: () => context.queue.clear(results),
    verify: async () => {
      const positions = samplePositions(1, threads, SAMPLES, sized.iterations).map(([, thread]) => thread)
      const got = new Float32Array((await readWords(context, results, positions)).buffer)
      const expected = positions.map((thread) => fmaPeakValue(thread, sized))
      return {
        ...compareSamples(expected, expected, got, 0),
        what: 'sampled FMA chains against their exact results',
      }
    },
    derived: { fmaChains: sized.chains, fmaIterations: sized.iterations, fmaWorkgroups: sized.workgroups },
  }
}

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
