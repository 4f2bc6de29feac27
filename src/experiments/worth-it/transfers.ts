/** Uploads and readbacks of one size with nothing else to do, and a round trip of four bytes: what the rules of thumb are made of. */
import { MIB } from '../../base/units'
import { readWords, USAGE, type RunContext } from '../../engine'
import { tickKernel } from '../../kernels/calibrate/tick'
import { kernelCall } from '../../kernels/kernel'
import { createPass } from '../../lab/matmul'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import type { Variant } from '../run-types'
import { LATENCY, READBACK, UPLOAD } from './variants'

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
const MARK = 1

/** Two staging buffers and one for results, for all variants. Each maps as many bytes as it carries: browsers carry all that is mapped. */
export const createRing = async (context: RunContext, matrixBytes: number) => ({
  staging: await createStaging(context, 2, Math.max(TRANSFER_BYTES, matrixBytes)),
  readback: await createReadback(context, Math.max(TRANSFER_BYTES, matrixBytes)),
})
export type Ring = Awaited<ReturnType<typeof createRing>>

/** The three variants, `operations` by variant in a window. */
export async function prepareTransfers(
  context: RunContext,
  { staging, readback }: Ring,
  operations: ReadonlyMap<string, number>,
): Promise<readonly Variant[]> {
  const [transfers, trips] = [operations.get(UPLOAD) ?? 1, operations.get(LATENCY) ?? 1]
  const contents = createOperands(WORDS, CYCLE, 3)
  // Each transfer has a part of its own, so that each can be checked.
  const bytes = transfers * TRANSFER_BYTES
  const target = await context.buffer('transfer target', bytes, USAGE.copySrc | USAGE.copyDst)
  const word = await context.buffer('four bytes', 16, USAGE.storage | USAGE.copySrc)
  const tick = await context.dispatch(kernelCall(tickKernel, { mark: MARK }), [word])

  let first = 0
  const contentOf = (step: number) => (first + step) % CYCLE
  const sources = () => Array.from({ length: transfers }, (_, step) => contents.of(contentOf(step)))
  const given = { target: target.gpu, bytes: TRANSFER_BYTES }
  const upload = { ...given, sources: sources(), staging: staging.buffers[0] }
  /** The words sampled of each transfer, one transfer after the other, bit for bit. */
  const compare = (got: (step: number, sample: number) => number | undefined): Verification => {
    let failed = 0
    for (let step = 0; step < transfers; step += 1)
      for (const [sample, at] of SAMPLED.entries())
        if (!Object.is(got(step, sample), contents.valueAt(contentOf(step), at))) failed += 1
    return exact(transfers * SAMPLES, failed, 'words of each upload and of each readback, bit for bit')
  }
  return [
    {
      name: UPLOAD,
      input: upload,
      before: () => {
        first += transfers + 1
        upload.sources = sources()
        return staging.map(1, TRANSFER_BYTES)
      },
      check: async () => {
        const sampled = upload.sources.flatMap((_, step) => SAMPLED.map((at) => step * WORDS + at))
        const got = new Float32Array((await readWords(context, target, sampled)).buffer)
        return compare((step, sample) => got[step * SAMPLES + sample])
      },
    },
    {
      name: READBACK,
      input: { ...given, transfers, readback },
      check: (output) => {
        const got = floatsIn(output)
        return Promise.resolve(compare((step, sample) => got[step]?.[SAMPLED[sample] ?? 0]))
      },
    },
    {
      name: LATENCY,
      input: { tick: createPass(tick, 'almost nothing'), target: word.gpu, readback, trips },
      check: (output) => {
        const got: readonly unknown[] = Array.isArray(output) ? output : []
        const right = got.filter((value) => value === MARK).length
        return Promise.resolve(exact(trips, trips - right, 'the word of each round trip'))
      },
    },
  ]
}

const exact = (checked: number, failed: number, what: string): Verification => ({
  checked,
  failed,
  maxRelativeError: 0,
  tolerance: 0,
  what,
})

/** The arrays that a program returned; what is missing is found by the check. */
export const floatsIn = (output: unknown): readonly (Float32Array | undefined)[] =>
  Array.isArray(output) ? output.map((one: unknown) => (one instanceof Float32Array ? one : undefined)) : []
