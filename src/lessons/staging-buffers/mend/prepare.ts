/** Batches with fresh numbers, each used on the device when it stands there. What was kept of them is compared, bit for bit. */
import { mostSteps, sizeBatch } from '../../../experiments/staging-buffers/sizes'
import { createArrivals } from '../../../lab/arrivals'
import { watchStaging } from '../../../mend/worker/staging-used'
import { seedFor } from '../../../mend/worker/square'
import type { PrepareMend, WorkloadRun } from '../../../mend/workload'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { createBatches } from './batches'

const RUNS = 4
/** Enough that three buffers are few. */
const STEPS = 12
const LEAST_STEPS = 6
/** What waits for a buffer in each step takes at most about so long: with ends reported every 100 ms that is fewer steps. */
const WAITS_MS = 1500

export const prepare: PrepareMend = async (context, services) => {
  const measure = async () => {
    const { batchBytes, writeMs } = await sizeBatch(context, 0)
    const affordable = Math.floor(WAITS_MS / (writeMs + services.roundTripMs))
    const steps = Math.max(LEAST_STEPS, Math.min(mostSteps(STEPS, batchBytes), affordable))
    return { batchBytes, steps }
  }
  const plan = services.plan ?? (await measure())
  const [batchBytes, steps] = [Number(plan['batchBytes']), Number(plan['steps'])]
  const arrivals = await createArrivals(context, batchBytes / 4, steps)
  const used = watchStaging()

  const runOf = (at: number, repeat: number): WorkloadRun => {
    const seed = seedFor(at, services.seed)
    let batch: ReturnType<typeof createBatches> | null = null
    return {
      name: 'uploads',
      repeat,
      facts: { seed, batchBytes, steps },
      input: {
        batch: (step: number) => batch?.(step),
        bytes: batchBytes,
        target: arrivals.target.gpu,
        uses: arrivals.uses,
      },
      before: async () => {
        batch = createBatches(batchBytes / 4, steps, seed)
        await arrivals.clear()
        used.begin()
      },
      find: async () => {
        batch = null
        const [stagingUsed, stagingBytes] = [used.count(), used.bytes()]
        return { stagingUsed, stagingBytes, kept: await arrivals.read() }
      },
    }
  }
  return {
    plan,
    runs: Array.from({ length: RUNS }, (_, at) => runOf(at, at === 0 ? REPEAT_WARM_UP : at - 1)),
  }
}
