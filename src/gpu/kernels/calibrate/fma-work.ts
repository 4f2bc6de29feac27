/**
 * FMAs in registers: the roof of a roofline, checked against their exact results, and work that
 * keeps a device's clocks up between measured windows.
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
  MAX_WORKGROUPS,
  planFmaPeak,
} from './fma-peak'
import { keepBusy } from './keep-busy'
import { GROWTH, PASS_MS, SAMPLES, type DeviceFacts, type RooflineWork } from './roofline'
import { timeDispatch } from './timing'

const SMALLEST: FmaPeakShape = { workgroups: 4, iterations: 4 }

/** FMAs in registers, sized to a pass. */
export async function prepareFmaPeak(context: RunContext, facts: DeviceFacts): Promise<RooflineWork> {
  const results = await context.buffer('FMA results', 4 * FMA_PEAK_INVOCATIONS * MAX_WORKGROUPS, STORAGE)
  const dispatchOf = (shape: FmaPeakShape) => context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  const time = async (dispatch: Dispatch) => (await timeDispatch(context, dispatch, facts.deviceStepNs)).ms
  // Where a matmul's rate is known the first size is near: no kernel multiplies faster than this
  // one.
  let shape = facts.matmulGflops ? planFmaPeak(facts.matmulGflops * 1e6, PASS_MS / 2) : SMALLEST
  let dispatch = await dispatchOf(shape)
  let ms = await time(dispatch)
  const resize = async (targetMs: number): Promise<void> => {
    context.release(dispatch.uniforms)
    shape = planFmaPeak(fmaPeakFlops(shape) / ms, targetMs)
    dispatch = await dispatchOf(shape)
  }
  while (ms < PASS_MS / 2) {
    const before = fmaPeakFlops(shape)
    await resize(Math.min(PASS_MS, ms * GROWTH))
    ms = await time(dispatch)
    if (fmaPeakFlops(shape) <= before) break
  }
  await keepBusy(context, dispatch, ms)
  ms = await time(dispatch)
  const flopsPerMs = fmaPeakFlops(shape) / ms
  await resize(PASS_MS)
  const flops = fmaPeakFlops(shape)
  const { workgroups, iterations } = shape
  const threads = FMA_PEAK_INVOCATIONS * workgroups
  return {
    name: 'fma-peak',
    flops,
    bytes: 4 * threads,
    passMs: flops / flopsPerMs,
    dispatches: [dispatch],
    reset: () => context.queue.clear(results),
    verify: async () => {
      const positions = samplePositions(1, threads, SAMPLES, iterations).map(([, thread]) => thread)
      const got = new Float32Array((await readWords(context, results, positions)).buffer)
      const expected = positions.map((thread) => ({ value: fmaPeakValue(thread, iterations), scale: 1 }))
      return {
        ...compareSamples(expected, got, 0),
        what: 'sampled FMA chains against their exact results',
      }
    },
    derived: { fmaIterations: iterations, fmaWorkgroups: workgroups },
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
  // No kernel multiplies faster than this one: it takes at most LOAD_MS.
  const shape = planFmaPeak(matmulGflops * 1e6, LOAD_MS)
  const sizeBytes = 4 * FMA_PEAK_INVOCATIONS * shape.workgroups
  const results = await context.buffer('ramp', sizeBytes, USAGE.storage)
  const dispatch = await context.dispatch(kernelCall(fmaPeakKernel, shape), [results])
  return (forMs) => keepBusy(context, dispatch, LOAD_MS, forMs)
}
