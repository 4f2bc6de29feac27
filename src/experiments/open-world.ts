/**
 * The ranks of a run: a worker each, with what they record in the run's trace, ended with the run
 * however it ends.
 */
import { whenDead } from '../base/workers'
import { FaultError, fail, succeed, type Result } from '../base/fault'
import type { RunContext } from '../gpu'
import type { RankReply } from '../lab/ranks/protocol'
import { World, type RankThread, type StartRank } from '../lab/ranks/world'
import { exactly, mergeVerifications } from '../lab/check-product'
import type { Verification } from '../trace/report'
import type { RanksOutput, RunServices } from './run-types'

export interface RanksWanted {
  /** Number of ranks at most: a variant may run on fewer. */
  readonly size: number
  /** Each opens a GPUDevice of its own, and `prepare-rank.ts` of the experiment makes its work. */
  readonly hasDevice: boolean
}

/** @throws what `new Worker` throws */
const startWorker: StartRank = (rank, heard, failed): RankThread => {
  const worker = new Worker(new URL('./rank-worker.ts', import.meta.url), {
    type: 'module',
    name: `lab rank ${String(rank)}`,
  })
  worker.onmessage = ({ data }: MessageEvent<RankReply>) => heard(data)
  whenDead(worker, failed)
  return {
    post: (order, transfer = []) => worker.postMessage(order, transfer),
    end: () => worker.terminate(),
  }
}

/**
 * Says why there is no world: some browsers and policies let no worker start another. Other faults
 * are thrown.
 */
export async function openWorld(
  context: RunContext,
  { size, hasDevice }: RanksWanted,
  { deviceStepNs }: Pick<RunServices, 'deviceStepNs'>,
): Promise<Result<World, string>> {
  const { session } = context
  const options = {
    size,
    hasDevice,
    deviceStepNs,
    start: startWorker,
    info: session.builder.info,
    hostStepUs: session.hostStepNs / 1e3,
    builder: session.builder,
    now: () => session.now() / 1e6,
    sharesMemory: globalThis.crossOriginIsolated,
  }
  const own = (world: World) => void context.own({ destroy: () => world.close() })
  try {
    return succeed(await context.race(World.open(options, own)))
  } catch (thrown) {
    if (thrown instanceof FaultError && thrown.fault.code !== 'worker') throw thrown
    if (!(thrown instanceof FaultError)) context.check() // A cancelled run throws here.
    return fail(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

const MISSING = exactly(1, 1, 'what each rank found of its own results')
const isVerification = (told: unknown): told is Verification =>
  typeof told === 'object' && told !== null && 'failed' in told

/** What ranks found that check their own results (`told`). A rank that tells nothing has failed. */
export const verificationOf = (output: unknown): Verification =>
  mergeVerifications(
    // A variant on ranks has such an output.
    (output as RanksOutput).outputs.map((told) => (isVerification(told) ? told : MISSING)),
  )
