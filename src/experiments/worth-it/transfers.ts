/** Uploads and readbacks of one size with nothing else to do, and what an empty one takes: what the rules of thumb are made of. */
import { median } from '../../base/stats'
import { MIB } from '../../base/figures'
import { readWords, USAGE, type RunContext } from '../../gpu'
import { exactly } from '../../lab/check-product'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import type { Variant } from '../run-types'
import { READBACK, UPLOAD } from './variants'

/** Carried in some ms: well beyond the latency, which is taken off. */
export const TRANSFER_BYTES = 16 * MIB
const WORDS = TRANSFER_BYTES / 4
/** Contents before they come round again: what an earlier window left behind is found wrong. */
const CYCLE = 8
const SAMPLES = 64
/** First and last word among them. */
const SAMPLED = Array.from({ length: SAMPLES }, (_, sample) =>
  Math.round((sample * (WORDS - 1)) / (SAMPLES - 1)),
)
/** The first of them does not count. */
const EMPTY_TRIPS = 6

/**
 * Makes two staging buffers and one for results, for all variants. Each maps only the bytes it
 * carries, because browsers carry all that is mapped.
 */
export const createRing = async (context: RunContext, matrixBytes: number) => ({
  staging: await createStaging(context, 2, Math.max(TRANSFER_BYTES, matrixBytes)),
  readback: await createReadback(context, Math.max(TRANSFER_BYTES, matrixBytes)),
})
export type Ring = Awaited<ReturnType<typeof createRing>>

/** Four bytes copied on the device and read back, with no kernel before them, ms. */
export async function timeEmptyTrip(context: RunContext, { readback }: Ring): Promise<number> {
  const { gpu } = context.device
  const word = await context.buffer('four bytes', 16, USAGE.copySrc)
  const times: number[] = []
  for (let trip = 0; trip < EMPTY_TRIPS; trip += 1) {
    const startNs = context.session.now()
    const encoder = gpu.createCommandEncoder({ label: 'four bytes' })
    encoder.copyBufferToBuffer(word.gpu, 0, readback, 0, 4)
    gpu.queue.submit([encoder.finish()])
    await context.race(readback.mapAsync(GPUMapMode.READ, 0, 4))
    readback.unmap()
    times.push((context.session.now() - startNs) / 1e6)
  }
  context.release(word)
  return median(times.slice(1))
}

/** The two variants, `operations` by variant in a window. */
export async function prepareTransfers(
  context: RunContext,
  { staging, readback }: Ring,
  operations: ReadonlyMap<string, number>,
): Promise<readonly Variant[]> {
  const transfers = operations.get(UPLOAD) ?? 1
  const contents = createOperands(WORDS, CYCLE, 3)
  // Each transfer has a part of its own, so that each can be checked.
  const bytes = transfers * TRANSFER_BYTES
  const target = await context.buffer('transfer target', bytes, USAGE.copySrc | USAGE.copyDst)

  let first = 0
  const sourcesFrom = (from: number) =>
    Array.from({ length: transfers }, (_, step) => contents.of((from + step) % CYCLE))
  const given = { target: target.gpu, bytes: TRANSFER_BYTES }
  const upload = { ...given, sources: sourcesFrom(first), staging: staging.buffers[0] }
  /** Samples each word, one transfer after the other. */
  const sampled = <T>(of: (step: number, at: number) => T): readonly T[] =>
    upload.sources.flatMap((_, step) => SAMPLED.map((at) => of(step, at)))
  const compare = (got: readonly unknown[]): Promise<Verification> => {
    const sent = sampled((step, at) => upload.sources[step]?.[at])
    const failed = sent.filter((value, index) => !Object.is(got[index], value)).length
    const what = 'words of each upload and of each readback, bit for bit'
    return Promise.resolve(exactly(sent.length, failed, what))
  }
  return [
    {
      name: UPLOAD,
      input: upload,
      before: () => {
        first += transfers + 1
        upload.sources = sourcesFrom(first)
        return staging.map(1, TRANSFER_BYTES)
      },
      check: async () => {
        const indices = sampled((step, at) => step * WORDS + at)
        return await compare([...new Float32Array((await readWords(context, target, indices)).buffer)])
      },
    },
    {
      name: READBACK,
      input: { ...given, transfers, readback },
      check: (output) => compare(sampled((step, at) => floatsIn(output)[step]?.[at])),
    },
  ]
}

/** The arrays that a program returned; what is missing is found by the check. */
export const floatsIn = (output: unknown): readonly (Float32Array | undefined)[] =>
  Array.isArray(output) ? output.map((one: unknown) => (one instanceof Float32Array ? one : undefined)) : []
