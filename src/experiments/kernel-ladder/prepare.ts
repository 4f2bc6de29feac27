/**
 * One matmul size for all rungs; the device's peak and bandwidth; matrices to upload. The result of
 * every window is checked: C against a reference of the matrices it was made from, uploads without
 * a kernel bit by bit, each pass of the micro-kernels.
 */
import { readWords, type RunContext } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { prepareStreamCopy } from '../../gpu/kernels/calibrate/stream-copy'
import { prepareFmaPeak } from '../../gpu/kernels/calibrate/fma-work'
import { encodable, type RooflineWork } from '../../gpu/kernels/calibrate/roofline'
import {
  checkProduct,
  checkProductOnDevice,
  exactly,
  mergeVerifications,
  positionsOf,
  type ProductTerm,
} from '../../lab/check-product'
import type { Matmul } from '../../lab/matmul'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Prepare, Variant } from '../run-types'
import { wholeTiles } from '../sizing'
import { expectedProduct, sizeSquare, type SquareMatmuls } from '../square-matmul'
import { dispatchesPerPass, fitLadder } from './fit'
import type { kernelLadder } from './meta'
import { FMA_PEAK, isRung, moved, STREAM_COPY, TRANSFERS_ONLY } from './variants'

const SAMPLES = 64
const MOVING_SAMPLES = 32
const MATRICES_SEED = 11
/**
 * The slowest rung decides the size, since a size of its own for each could not be compared. Below
 * MAX_DISPATCH_MS, as rates may be off.
 */
const SLOWEST_MS = 30
/** All rungs must have the same size; which one matters less. */
const CLOSE_ENOUGH = 0.25
/** Staging and readback buffers are of this size too: 64 MiB each. */
const LARGEST = 4096
export const prepare: Prepare<typeof kernelLadder> = async (context, values, services, variants) => {
  const { say } = services
  say('sizing the matmul')
  const kernels = variants.filter(isRung).map((id) => findMatmul(id, context.device))
  const square = await sizeSquare(context, kernels, {
    ...services,
    targetMs: SLOWEST_MS,
    fixedSize: values.matrixSize,
    maxSize: LARGEST,
    round: wholeTiles,
    closeEnough: CLOSE_ENOUGH,
  })
  const rungs = square.rungs.map(({ kernel, matmul, ms }) => ({
    id: kernel.id,
    matmul,
    ms,
    times: dispatchesPerPass(ms, services.deviceStepNs),
  }))
  say('sizing the micro-kernels')
  const peak = await prepareFmaPeak(context, services)
  const copy = await prepareStreamCopy(context, services)
  say('making the matrices to upload')
  const moving = values.transfers === 'none' ? null : await prepareMoving(context, square, values.steps)

  const { steps, repeats } = fitLadder(values, rungs, {
    rooflineMs: Math.max(peak.passMs, copy.passMs),
    transfersMs: moving?.transfersMs ?? null,
    roundTripMs: services.roundTripMs,
  })

  const roofline = (name: string, work: RooflineWork): Variant => ({
    name,
    input: { kernel: encodable(context, work) },
    before: work.reset,
    check: () => work.verify(1),
  })
  return {
    derived: {
      matrixSize: square.n,
      flopsPerStep: rungs[0]?.matmul.flops ?? 0,
      leastBytesPerStep: rungs[0]?.matmul.bytes ?? 0,
      ...Object.fromEntries(rungs.map(({ id, times }) => [`dispatchesPerPass ${id}`, times])),
      flopsPerPeakPass: peak.flops,
      bytesPerCopyPass: copy.bytes,
      ...peak.derived,
      ...copy.derived,
      roundTripMs: services.roundTripMs,
      steps,
    },
    repeats,
    variants: [
      roofline(FMA_PEAK, peak),
      roofline(STREAM_COPY, copy),
      ...rungs.map(({ id, matmul, times }): Variant => ({
        name: id,
        input: { matmul, steps, times },
        before: () => square.reset('operands'),
        check: () =>
          checkProductOnDevice(context, square.c, expectedProduct(square.n, steps * times), {
            samples: SAMPLES,
            seed: steps * times,
            what: 'sampled entries of C against a float64 reference',
          }),
      })),
      ...(moving ? [moving.variant(TRANSFERS_ONLY, null, steps)] : []),
      ...(moving ? rungs.map(({ id, matmul }) => moving.variant(moved(id), matmul, steps)) : []),
    ],
  }
}

/**
 * The variants whose steps bring their data along. Every step has matrices of its own, so that a
 * skipped upload gives wrong results.
 */
async function prepareMoving(context: RunContext, { n, a, b, c }: SquareMatmuls, maxSteps: number) {
  const { gpu } = context.device
  const bytes = c.sizeBytes
  const matrices = createOperands(n * n, 2 * maxSteps, MATRICES_SEED)
  const { buffers: staging, map } = await createStaging(context, 2, bytes)
  const readback = await createReadback(context, bytes)
  const positions = positionsOf({ rows: n, columns: n }, MOVING_SAMPLES, n)
  const checked = positions.map(([row, column]) => row * n + column)

  /**
   * One step without a kernel, which also clears A, B and C: after other work the CPU's caches and
   * the pages of staging are cold.
   */
  const warm = async () => {
    await map(2)
    const encoder = gpu.createCommandEncoder({ label: 'warm the transfers' })
    for (const [index, buffer] of staging.entries()) {
      new Float32Array(buffer.getMappedRange()).set(matrices.of(index))
      buffer.unmap()
      encoder.copyBufferToBuffer(buffer, 0, (index === 0 ? a : b).gpu, 0, bytes)
    }
    encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, bytes)
    for (const each of [a, b, c]) encoder.clearBuffer(each.gpu)
    gpu.queue.submit([encoder.finish()])
    await Promise.all([map(2), context.race(readback.mapAsync(GPUMapMode.READ))])
    new Float32Array(readback.getMappedRange()).slice()
    readback.unmap()
  }
  await warm()
  const startNs = context.session.now()
  await warm()
  const transfersMs = (context.session.now() - startNs) / 1e6

  /** C after a step is the sum of all products until then. */
  const checkProducts = (got: readonly (readonly number[])[]) => {
    const terms = got.map((_, step): ProductTerm => ({
      aAt: (row, k) => matrices.valueAt(2 * step, row * n + k),
      bAt: (k, column) => matrices.valueAt(2 * step + 1, k * n + column),
      times: 1,
    }))
    const what = 'sampled entries of every C read back against a float64 reference of the matrices uploaded'
    return mergeVerifications(
      got.map((entries, step) =>
        checkProduct(
          { rows: n, columns: n, k: n, terms: terms.slice(0, step + 1) },
          positions,
          entries,
          what,
        ),
      ),
    )
  }
  /**
   * Nothing was multiplied: what was uploaded last must be there, bit by bit, and C must have
   * stayed 0.
   */
  const checkUploads = async (got: readonly (readonly number[])[]) => {
    const words = await Promise.all([readWords(context, a, checked), readWords(context, b, checked)])
    const arrived = [...words.flatMap(({ buffer }) => [...new Float32Array(buffer)]), ...got.flat()]
    const last = 2 * (got.length - 1)
    const wanted = [last, last + 1].flatMap((matrix) => checked.map((at) => matrices.valueAt(matrix, at)))
    const failed = arrived.filter((word, index) => word !== (wanted[index] ?? 0)).length
    return exactly(arrived.length, failed, 'sampled words of A and B as uploaded, and of C as read back')
  }

  return {
    transfersMs,
    variant: (name: string, matmul: Matmul | null, steps: number): Variant => ({
      name,
      input: { matmul, steps, matrices, a: a.gpu, b: b.gpu, c: c.gpu, staging, readback, bytes, checked },
      before: warm,
      check: async (output) => {
        // Sampled entries of C after each step: what the program returned. One that is missing is
        // no number, which no check passes.
        const results = output as readonly (readonly unknown[] | undefined)[] | undefined
        const got = Array.from({ length: steps }, (_, step) =>
          checked.map((__, at) => Number(results?.[step]?.[at] ?? Number.NaN)),
        )
        return matmul ? checkProducts(got) : await checkUploads(got)
      },
    }),
  }
}
