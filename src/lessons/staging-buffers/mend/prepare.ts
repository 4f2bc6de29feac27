/**
 * Batches, each used on the device while it is still there. What was kept of them is compared, bit
 * for bit.
 */
import { USAGE, type RunContext } from '../../../gpu'
import { mostSteps, sizeBatch } from '../../../experiments/staging-buffers/sizes'
import { createArrivals } from '../../../lab/arrivals'
import { createOperands } from '../../../lab/operands'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import type { Loads } from './checks'

/** With so many batches three buffers are few. */
const STEPS = 12
const LEAST_STEPS = 6
/**
 * A program that makes a buffer in each step and waits for it takes at most about so long. Steps
 * are fewer where ends are reported every 100 ms, or where new memory is slow: on one virtual
 * machine 310 ms for 32 MiB beside 30 ms for memory that is used again.
 */
const SLOWEST_MS = 1500

/**
 * A batch through a staging buffer of its own, as the unchanged program does it, until the device
 * has it; ms.
 */
async function newBufferMs({ device: { gpu } }: RunContext, size: number): Promise<number> {
  const target = gpu.createBuffer({ size, usage: USAGE.copyDst })
  const startMs = performance.now()
  const staging = gpu.createBuffer({ size, usage: USAGE.copySrc, mappedAtCreation: true })
  new Uint8Array(staging.getMappedRange()).fill(1)
  staging.unmap()
  const encoder = gpu.createCommandEncoder()
  encoder.copyBufferToBuffer(staging, 0, target, 0, size)
  gpu.queue.submit([encoder.finish()])
  staging.destroy()
  await gpu.queue.onSubmittedWorkDone()
  target.destroy()
  return performance.now() - startMs
}

export const prepare: PrepareExercise<Loads> = async (context, services) => {
  const measure = async () => {
    const { batchBytes, writeMs } = await sizeBatch(context, 0)
    const stepMs = Math.max(writeMs + services.roundTripMs, await newBufferMs(context, batchBytes))
    const affordable = Math.floor(SLOWEST_MS / stepMs)
    const steps = Math.max(LEAST_STEPS, Math.min(mostSteps(STEPS, batchBytes), affordable))
    return { batchBytes, steps }
  }
  const plan = services.plan ?? (await measure())
  const [batchBytes, steps] = [Number(plan['batchBytes']), Number(plan['steps'])]
  const arrivals = await createArrivals(context, batchBytes / 4, steps)
  const batches = createOperands(batchBytes / 4, steps, services.seed)
  return {
    plan,
    given: arrivals.uses.map(({ dispatch }) => dispatch).slice(0, 1),
    runs: runsOf({
      name: 'uploads',
      input: {
        batch: (step: number) => batches.of(step),
        bytes: batchBytes,
        target: arrivals.target.gpu,
        uses: arrivals.uses,
      },
      before: arrivals.clear,
      find: async () => ({ batchBytes, steps, kept: await arrivals.read() }),
    }),
  }
}
