/** Parts with fresh numbers go into one buffer; as many as an awaited transfer takes time for. Of each part the lab keeps words, taken on the device. */
import { USAGE } from '../../../gpu'
import { GATHER_WORDS, gatherKernel, gatherSeed } from '../../../gpu/kernels/data/gather'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { awaitedWriteMs } from '../../../lab/awaited-write'
import { createPass, type Encodable } from '../../../lab/matmul'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import { readAll } from '../../../exercises/worker/shader'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { type input, contentOf, KEPT_WORDS, PART_BYTES, PART_WORDS, type Uploads } from './checks'

const PARTS = 64
const LEAST_PARTS = 8
const KEPT_BYTES = PARTS * GATHER_WORDS * 4
/** The unchanged program takes at most about so long: with ends reported every 100 ms that is fewer parts. */
const START_MS = 1500
/** For each part, of the unchanged program of a rung. */
const waitsAt = (rung: number): number => (rung === 1 ? 4 : 1)

export const prepare: PrepareExercise<Uploads> = async (context, services) => {
  const { queue } = context.device.gpu
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const target = await context.buffer('target', PARTS * PART_BYTES, usage)
  const kept = await context.buffer('kept', KEPT_BYTES, usage)

  const partMs = async () => waitsAt(services.rung) * (await awaitedWriteMs(context))
  const plan = services.plan ?? {
    parts: Math.max(LEAST_PARTS, Math.min(PARTS, Math.floor(START_MS / (await partMs())))),
  }
  const parts = Number(plan['parts'])
  // A part is looked at in a buffer of its own, since positions are counted from its first word.
  const one = await context.buffer('one part', PART_BYTES, usage)
  const passes: { readonly part: number; readonly pass: Encodable }[] = []
  for (let part = 0; part < parts; part += 1) {
    const words = { wordCount: PART_WORDS, seed: gatherSeed(part), outOffset: part * GATHER_WORDS }
    const dispatch = await context.dispatch(kernelCall(gatherKernel, words), [one, kept])
    passes.push({ part, pass: createPass(dispatch, 'arrived?') })
  }

  const runOf = (repeat: number, at: number): WorkloadRun<Uploads> => {
    const seed = seedFor(at, services.seed)
    let content: Float32Array<ArrayBuffer> | null = null
    return {
      name: 'uploads',
      repeat,
      facts: { seed, parts },
      input: {
        part: (step: number) => content?.slice(step * PART_WORDS, (step + 1) * PART_WORDS),
        parts,
        target: target.gpu,
        bytes: PART_BYTES,
      } satisfies Given<typeof input>,
      before: async () => {
        content = contentOf(seed, parts)
        const encoding = context.queue.encode('clear')
        encoding.clear(target)
        encoding.clear(kept)
        await context.queue.wait(context.queue.submit('clear', [encoding]))
      },
      find: async () => {
        content = null
        const encoder = context.device.gpu.createCommandEncoder({ label: 'found' })
        for (const { part, pass } of passes) {
          encoder.copyBufferToBuffer(target.gpu, part * PART_BYTES, one.gpu, 0, PART_BYTES)
          pass.encode(encoder)
        }
        queue.submit([encoder.finish()])
        const words = await readAll(context, kept.gpu, parts * GATHER_WORDS)
        return { arrived: words.filter((_, at) => at % GATHER_WORDS < KEPT_WORDS) }
      },
    }
  }
  return {
    plan,
    runs: runsOf(runOf),
  }
}
