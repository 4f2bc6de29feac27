/**
 * One matmul size for all rungs; the device's peak and bandwidth; matrices to upload. The result of every window is checked: C against
 * a reference of the matrices it was made from, uploads without a kernel bit by bit, each pass of the micro-kernels.
 */
import { FaultError } from '../../base/fault'
import { readWords, type RunContext } from '../../engine'
import { findMatmul, type MatmulKernel } from '../../kernels/catalog'
import { compareSamples } from '../../kernels/matmul/reference'
import {
  checkProduct,
  checkProductOnDevice,
  mergeVerifications,
  positionsOf,
  type ExpectedProduct,
} from '../../lab/check-product'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import { REPEAT_NONE } from '../../trace/schema'
import type { Verification } from '../../trace/report'
import { expectedProduct } from '../matmul-workload'
import { encodable, prepareFmaPeak, prepareStreamCopy, type RooflineWork } from '../roofline-work'
import type { Prepare, Variant } from '../run-types'
import { fitLadder } from './fit'
import { prepareLadder, type Ladder, type Rung } from './ladder'
import type { LadderValues } from './meta'
import { FMA_PEAK, isRung, moved, STREAM_COPY, TRANSFERS_ONLY } from './variants'

const SAMPLES = 64
const MOVING_SAMPLES = 32
const MATRICES_SEED = 11
/** Without timestamps a window is timed as a whole: more passes in it, so that the wait for completion weighs less. */
const HOST_TIMED_PASSES = 8

export const prepare: Prepare<LadderValues> = async (context, values, services, variants) => {
  const say = (message: string) => {
    services.progress({ fraction: 0, message, variant: '', repeat: REPEAT_NONE, region: 'setup' })
  }
  say('sizing the matmul')
  const { kernels, leftOut } = usableKernels(context, variants.filter(isRung))
  const ladder = await prepareLadder(context, kernels, values.matrixSize, services)
  say('sizing the micro-kernels')
  const peak = await prepareFmaPeak(context, services)
  const copy = await prepareStreamCopy(context, services)
  const passes = services.deviceStepNs === null ? HOST_TIMED_PASSES : 1
  say('making the matrices to upload')
  const moving = values.transfers === 'none' ? null : await prepareMoving(context, ladder, values.steps)

  const { steps, repeats, rungs } = fitLadder(values, ladder.rungs, values.seconds * 1e3, {
    rooflineMs: passes * Math.max(peak.passMs, copy.passMs),
    transfersMs: moving?.transfersMs ?? null,
    roundTripMs: services.roundTripMs,
  })
  const tooLittleTime = ladder.rungs.filter((rung) => !rungs.includes(rung)).map(({ id }) => id)
  const why = [
    ...leftOut,
    ...(tooLittleTime.length > 0
      ? [`${tooLittleTime.join(', ')}: the time to measure in is too short.`]
      : []),
  ]
  const [first] = ladder.rungs
  return {
    derived: {
      matrixSize: ladder.n,
      flopsPerStep: first?.matmul.flops ?? 0,
      leastBytesPerStep: first?.matmul.bytes ?? 0,
      ...(moving ? { movedBytesPerStep: 3 * ladder.matrixBytes } : {}),
      ...(why.length > 0 ? { leftOut: why.join(' ') } : {}),
      ...Object.fromEntries(rungs.map(({ id, times }) => [`dispatchesPerPass ${id}`, times])),
      rooflinePasses: passes,
      flopsPerPeakPass: peak.flops,
      bytesPerCopyPass: copy.bytes,
      ...peak.derived,
      ...copy.derived,
      roundTripMs: services.roundTripMs,
      steps,
      repeats,
    },
    repeats,
    variants: [
      roofline(context, FMA_PEAK, peak, passes),
      roofline(context, STREAM_COPY, copy, passes),
      ...rungs.map((rung) => resident(context, ladder, rung, steps)),
      ...(moving ? [moving.variant(TRANSFERS_ONLY, null, steps)] : []),
      ...(moving ? rungs.map((rung) => moving.variant(moved(rung.id), rung, steps)) : []),
    ],
  }
}

/** Kernels that run here, in the ladder's order, and why the others do not. Throws FaultError 'limit' where none does. */
function usableKernels(context: RunContext, ids: readonly string[]) {
  const kernels: MatmulKernel[] = []
  const leftOut: string[] = []
  for (const id of ids) {
    const kernel = findMatmul(id)
    const why = kernel.supports(context.device)
    if (why === null) kernels.push(kernel)
    else leftOut.push(`${id}: ${why}`)
  }
  if (kernels.length > 0) return { kernels, leftOut }
  throw new FaultError({
    code: 'limit',
    message: `None of the kernels runs on this adapter: ${leftOut.join(' ')}`,
    hint: 'Choose other kernels.',
  })
}

const roofline = (context: RunContext, name: string, work: RooflineWork, passes: number): Variant => ({
  name,
  input: { kernel: encodable(context, work), passes },
  before: () => work.reset(),
  check: () => work.verify(passes),
})

const resident = (
  context: RunContext,
  ladder: Ladder,
  { id, matmul, times }: Rung,
  steps: number,
): Variant => ({
  name: id,
  input: { matmul, steps, times },
  before: ladder.reset,
  check: () =>
    checkProductOnDevice(context, ladder.c, expectedProduct(ladder.n, steps * times), {
      samples: SAMPLES,
      seed: steps * times,
      what: 'sampled entries of C against a float64 reference',
    }),
})

/** The variants whose steps bring their data along. Every step has matrices of its own, so that a skipped upload gives wrong results. */
async function prepareMoving(context: RunContext, { n, matrixBytes, a, b, c }: Ladder, maxSteps: number) {
  const matrices = createOperands(n * n, 2 * maxSteps, MATRICES_SEED)
  const { buffers, map } = await createStaging(context, 2, matrixBytes)
  const readback = await createReadback(context, matrixBytes)
  const positions = positionsOf({ rows: n, columns: n }, MOVING_SAMPLES, n)
  const checked = positions.map(([row, column]) => row * n + column)
  const { queue } = context.device.gpu

  /** One step without a kernel, which also clears A, B and C: after other work the CPU's caches and the pages of staging are cold. */
  const warm = async () => {
    await map(2)
    const encoder = context.device.gpu.createCommandEncoder({ label: 'warm the transfers' })
    for (const [index, staging] of buffers.entries()) {
      new Float32Array(staging.getMappedRange()).set(matrices.of(index))
      staging.unmap()
      encoder.copyBufferToBuffer(staging, 0, (index === 0 ? a : b).gpu, 0, matrixBytes)
    }
    encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, matrixBytes)
    for (const { gpu } of [a, b, c]) encoder.clearBuffer(gpu)
    queue.submit([encoder.finish()])
    await Promise.all([map(2), context.race(readback.mapAsync(GPUMapMode.READ))])
    new Float32Array(readback.getMappedRange()).slice()
    readback.unmap()
  }
  await warm()
  const startNs = context.session.now()
  await warm()
  const transfersMs = (context.session.now() - startNs) / 1e6

  /** C after step `last`: the sum of all products until then. */
  const expectedAfter = (last: number): ExpectedProduct => ({
    rows: n,
    columns: n,
    k: n,
    terms: Array.from({ length: last + 1 }, (_, step) => ({
      aAt: (row, k) => matrices.valueAt(2 * step, row * n + k),
      bAt: (k, column) => matrices.valueAt(2 * step + 1, k * n + column),
      times: 1,
    })),
  })
  const checkProducts = (got: readonly (readonly number[])[]): Verification =>
    mergeVerifications(
      got.map((values, step) =>
        checkProduct(
          expectedAfter(step),
          positions,
          values,
          'sampled entries of every C read back against a float64 reference of the matrices uploaded',
        ),
      ),
    )
  /** Nothing was multiplied: what was uploaded last must be there, bit by bit, and C must have stayed 0. */
  const checkUploads = async (got: readonly (readonly number[])[]): Promise<Verification> => {
    const words = await Promise.all([readWords(context, a, checked), readWords(context, b, checked)])
    const arrived = [...words.flatMap(({ buffer }) => [...new Float32Array(buffer)]), ...got.flat()]
    const last = 2 * (got.length - 1)
    const wanted = [last, last + 1].flatMap((matrix) => checked.map((at) => matrices.valueAt(matrix, at)))
    const expected = arrived.map((_, index) => wanted[index] ?? 0)
    const ones = arrived.map(() => 1)
    return {
      ...compareSamples(expected, ones, arrived, 0),
      what: 'sampled words of A and B as uploaded, and of C as read back',
    }
  }
  const input = {
    matrices,
    a: a.gpu,
    b: b.gpu,
    c: c.gpu,
    staging: buffers,
    readback,
    bytes: matrixBytes,
    checked,
  }

  return {
    transfersMs,
    variant: (name: string, rung: Rung | null, steps: number): Variant => ({
      name,
      input: { ...input, matmul: rung?.matmul, steps },
      before: warm,
      check: async (output) => {
        const got = entriesOf(output, steps, checked.length)
        return rung ? checkProducts(got) : await checkUploads(got)
      },
    }),
  }
}

/** What a program returned: sampled entries of C after each step. One that is missing is no number, which no check passes. */
function entriesOf(output: unknown, steps: number, count: number): readonly (readonly number[])[] {
  const results = Array.isArray(output) ? (output as readonly unknown[]) : []
  return Array.from({ length: steps }, (_, step) => {
    const entries: readonly unknown[] = Array.isArray(results[step]) ? results[step] : []
    return Array.from({ length: count }, (__, at) =>
      typeof entries[at] === 'number' ? entries[at] : Number.NaN,
    )
  })
}
