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

export async function prepareTransfers(
  context: RunContext,
  counts: ReadonlyMap<string, number>,
): Promise<(variant: string) => Variant> {
  const [transfers, trips] = [counts.get(UPLOAD) ?? 1, counts.get(LATENCY) ?? 1]
  const contents = createOperands(WORDS, CYCLE, 3)
  // Each transfer has a part of its own, so that each can be checked.
  const target = await context.buffer(
    'transfer target',
    transfers * TRANSFER_BYTES,
    USAGE.copySrc | USAGE.copyDst,
  )
  const staging = await createStaging(context, 1, TRANSFER_BYTES)
  const readback = await createReadback(context, TRANSFER_BYTES)
  const tickTarget = await context.buffer('four bytes', 16, USAGE.storage | USAGE.copySrc)
  const tick = createPass(
    await context.dispatch(kernelCall(tickKernel, { mark: MARK }), [tickTarget]),
    'almost nothing',
  )

  let first = 0
  const contentOf = (step: number) => (first + step) % CYCLE
  const sources = () => Array.from({ length: transfers }, (_, step) => contents.of(contentOf(step)))
  const upload = {
    sources: sources(),
    staging: staging.buffers[0],
    target: target.gpu,
    bytes: TRANSFER_BYTES,
  }
  /** The words sampled of each transfer, one transfer after the other, bit for bit. */
  const compare = (got: (step: number, sample: number) => number | undefined): Verification => {
    let failed = 0
    for (let step = 0; step < transfers; step += 1)
      for (const [sample, word] of SAMPLED.entries())
        if (!Object.is(got(step, sample), contents.valueAt(contentOf(step), word))) failed += 1
    return exact(transfers * SAMPLES, failed, 'words of each upload and of each readback, bit for bit')
  }

  const variants: readonly Variant[] = [
    {
      name: UPLOAD,
      input: upload,
      before: () => {
        first += transfers + 1
        upload.sources = sources()
        return staging.map(1)
      },
      check: async () => {
        const words = await readWords(
          context,
          target,
          upload.sources.flatMap((_, step) => SAMPLED.map((word) => step * WORDS + word)),
        )
        const got = new Float32Array(words.buffer)
        return compare((step, sample) => got[step * SAMPLES + sample])
      },
    },
    {
      name: READBACK,
      input: { transfers, target: target.gpu, readback, bytes: TRANSFER_BYTES },
      check: (output) => {
        const got = floatsIn(output)
        return Promise.resolve(compare((step, sample) => got[step]?.[SAMPLED[sample] ?? 0]))
      },
    },
    {
      name: LATENCY,
      input: { tick, target: tickTarget.gpu, readback: await createReadback(context, 4), trips },
      check: (output) => {
        const got: readonly unknown[] = Array.isArray(output) ? output : []
        const right = got.filter((value) => value === MARK).length
        return Promise.resolve(exact(trips, trips - right, 'the word of each round trip'))
      },
    },
  ]
  return (variant) => {
    const found = variants.find(({ name }) => name === variant)
    if (!found) throw new Error(`There is no variant '${variant}'.`)
    return found
  }
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
