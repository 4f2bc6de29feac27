/** Parts go into one buffer; as many as an awaited transfer takes time for. */
import { readAll, STORAGE } from '../../../gpu'
import { filled } from '../../../gpu/kernels/data/fill'
import { awaitedWriteMs } from '../../../lab/awaited-write'
import { setBuffers } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import { PART_BYTES, PART_WORDS, type Uploads } from './checks'

const PARTS = 64
const LEAST_PARTS = 8
/**
 * The unchanged program takes at most about so long: with ends reported every 100 ms that is fewer
 * parts.
 */
const START_MS = 1500
/** The first rung's unchanged program waits so often for each part. */
const WAITS = 4

export const prepare: PrepareExercise<Uploads> = async (context, services) => {
  const partMs = async () => WAITS * (await awaitedWriteMs(context))
  const plan = services.plan ?? {
    parts: Math.max(LEAST_PARTS, Math.min(PARTS, Math.floor(START_MS / (await partMs())))),
  }
  const parts = Number(plan['parts'])
  const target = await context.buffer('target', parts * PART_BYTES, STORAGE)
  const content = filled(parts * PART_WORDS, services.seed)
  return {
    plan,
    runs: runsOf({
      name: 'uploads',
      input: {
        part: (step: number) => content.slice(step * PART_WORDS, (step + 1) * PART_WORDS),
        parts,
        target: target.gpu,
        bytes: PART_BYTES,
      },
      before: () => setBuffers(context, [], [target]),
      find: async () => ({ parts, arrived: await readAll(context, target.gpu, parts * PART_WORDS) }),
    }),
  }
}
