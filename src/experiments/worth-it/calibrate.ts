/** Which sizes this machine can do in time, measured from the smallest up: a size is not tried once a smaller one foretells too much. */
import type { RunContext } from '../../engine'
import { rampClocks, timeDispatch } from '../calibrate'
import { prepareSize, type Matrices, type SizedMatmul } from './device-side'
import type { Inputs } from './inputs'
import { fitsCpu, fitsDevice, foretell, stepsTo } from './plan'
import type { Processor } from './processor'

/** Enough calls that compilers and caches have settled, little enough that all sizes take a fraction of a second. */
const SETTLED_MS = 5
const MAX_CALLS = 50

/** The fastest of some calls, ms; the first, which pays for memory, does not count. */
async function timeProduct(
  context: RunContext,
  processor: Processor,
  inputs: Inputs,
  n: number,
): Promise<number> {
  const { a, b } = inputs.of(0, n)
  const call = async (): Promise<number> => {
    const startNs = context.session.now()
    await processor.multiply(a, b, n)
    return (context.session.now() - startNs) / 1e6
  }
  await context.breathe()
  await call()
  await context.breathe()
  let fastest = Infinity
  let spent = 0
  for (let calls = 0; calls < MAX_CALLS && spent < SETTLED_MS; calls += 1) {
    const ms = await call()
    spent += ms
    fastest = Math.min(fastest, ms)
  }
  return fastest
}

/** Sizes in ascending order with the time of one matmul, ms; those that take too long are missing. */
export async function calibrateProcessor(
  context: RunContext,
  processor: Processor,
  inputs: Inputs,
  sizes: readonly number[],
  uses: number,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  let before: { readonly n: number; readonly ms: number } | null = null
  for (const n of stepsTo(sizes)) {
    if (before && !fitsCpu(foretell(before.ms, before.n, n), uses)) break
    const ms = await timeProduct(context, processor, inputs, n)
    if (!fitsCpu(ms, uses)) break
    if (sizes.includes(n)) found.set(n, ms)
    before = { n, ms }
  }
  return found
}

export interface TimedMatmul {
  readonly matmul: SizedMatmul
  readonly ms: number
}

/** The same for the device, in ascending order. */
export async function calibrateDevice(
  context: RunContext,
  options: {
    readonly kernelId: string
    readonly matrices: Matrices
    readonly sizes: readonly number[]
    readonly uses: number
    readonly deviceStepNs: number | null
    readonly isSoftware: boolean
  },
): Promise<ReadonlyMap<number, TimedMatmul>> {
  const { kernelId, matrices, sizes, uses, deviceStepNs, isSoftware } = options
  const found = new Map<number, TimedMatmul>()
  let last: TimedMatmul | null = null
  for (const n of stepsTo(sizes)) {
    if (last && !fitsDevice(foretell(last.ms, last.matmul.n, n), uses)) break
    const matmul = await prepareSize(context, kernelId, matrices, n)
    const { ms } = await timeDispatch(context, matmul.add, deviceStepNs)
    if (!fitsDevice(ms, uses)) break
    last = { matmul, ms }
    if (sizes.includes(n)) found.set(n, last)
  }
  // Clocks that had cooled down ramp up under load; a software adapter has none.
  if (last && !isSoftware) await rampClocks(context, last.matmul.add, last.ms)
  return found
}
