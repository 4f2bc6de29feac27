/**
 * The device's side: two inputs in turn, one batch for computing alone, weights, the product. It
 * plans and measures how large a batch and a matmul on it take the wanted time and how long a
 * window takes, and checks the results.
 */
import { keep } from '../../base/buffer-registry'
import { MIB } from '../../base/figures'
import { STORAGE, USAGE, type OwnedBuffer, type RunContext, type Submission } from '../../gpu'
import type { MatmulKernel, MatmulShape } from '../../gpu/kernels/catalog'
import { kernelCall } from '../../gpu/kernels/kernel'
import { keepBusy } from '../../gpu/kernels/calibrate/keep-busy'
import { timeDispatch } from '../../gpu/kernels/calibrate/timing'
import { seededOperands } from '../../gpu/kernels/matmul/seeded-entry'
import { checkProductOnDevice, mergeVerifications, type ProductTerm } from '../../lab/check-product'
import { createFill, createMatmul, type Matmul } from '../../lab/matmul'
import type { Operands } from '../../lab/operands'
import { checkArrivals } from '../../lab/arrivals'
import { createStaging } from '../../lab/staging'
import { REPEAT_WARM_UP } from '../../trace/schema'
import type { Verification } from '../../trace/report'
import { boundedKernelMs } from '../sizing'
import { COMPUTE_ONLY, ringDepth, SERIAL } from './variants'

/** It is above the 3 ms in which completion is reported, and 16 of them stay under 0.1 s. */
const TARGET_UPLOAD_MS = 6
const MIN_BATCH_BYTES = MIB / 4
const MAX_BATCH_BYTES = 64 * MIB

/**
 * The wanted time of one upload: shorter if computing, in proportion, would queue more than the lab
 * allows.
 */
export const targetUploadMs = (balance: number, steps: number): number =>
  Math.min(TARGET_UPLOAD_MS, boundedKernelMs(Infinity, steps) / balance)

/**
 * The next power of two to try when `sizeBytes` took `tookMs`; null when it is near enough or at a
 * bound.
 * @internal
 */
export function nextBatchBytes(sizeBytes: number, tookMs: number, targetMs: number): number | null {
  if (tookMs >= targetMs * 0.7 || sizeBytes >= MAX_BATCH_BYTES) return null
  return sizeBytes * 2
}

interface ComputePlan {
  /** C (rows × s) += A (rows × s) · B (s × s); A is the first rows of the batch. */
  readonly s: number
  readonly rows: number
  /** The matmul is dispatched this often in the pass. */
  readonly dispatches: number
}

/**
 * Rows and dispatches so that a pass takes `targetMs`, given the time of one s³ matmul: time grows
 * with rows. A batch holds at most bytes / 4s rows; what does not fit is computed by dispatching
 * again. @internal
 */
export function planCompute(s: number, cubeMs: number, targetMs: number, batchBytes: number): ComputePlan {
  const available = Math.max(1, Math.floor(batchBytes / (4 * s)))
  const wanted = (targetMs / cubeMs) * s
  const dispatches = Math.max(1, Math.min(64, Math.ceil(wanted / available)))
  const grain = s >= 512 ? 128 : 16
  const rows = Math.max(1, Math.min(available, Math.round(wanted / dispatches / grain) * grain || grain))
  return { s, rows, dispatches }
}

/**
 * Rows of the largest weights, a power of two, that fit the batch and whose cube takes the usual
 * kernel no longer than `targetMs`; where no rate is known, the smallest.
 */
export function largestWeights(batchBytes: number, targetMs: number, matmulGflops: number | null): number {
  const most = Math.sqrt(batchBytes / 4)
  const n = Math.max(64, Math.cbrt((targetMs * (matmulGflops ?? 0) * 1e6) / 2))
  const fits = [64, 128, 256, 512, 1024, 2048, 4096].filter((size) => size <= Math.min(n, most))
  return fits.at(-1) ?? Math.max(1, Math.floor(most))
}

/**
 * About how long a window of `steps` takes. A step that is awaited ends at a look for completion:
 * at the first, or one after its end.
 */
export function windowMs(
  variant: string,
  steps: number,
  { uploadMs, computeMs, roundTripMs }: Readonly<Record<'uploadMs' | 'computeMs' | 'roundTripMs', number>>,
): number {
  const sum = uploadMs + computeMs
  const awaited = sum < roundTripMs ? roundTripMs : sum + roundTripMs
  if (variant === COMPUTE_ONLY) return steps * computeMs + roundTripMs
  // It awaits the result, then its buffer: another look, where looks are rarer than steps.
  if (variant === SERIAL) return steps * (sum < roundTripMs ? 2 * awaited : awaited)
  const depth = ringDepth(variant)
  // 'upload-only' was timed as it will run.
  const step = depth === 0 ? uploadMs : Math.max(uploadMs, computeMs, awaited / depth)
  return steps * step + roundTripMs
}

const SEED_B = 2
const TIMED_UPLOADS = 5
const SMALLEST_WEIGHTS = 64
const MAX_ROUNDS = 6
const CLOSE_ENOUGH = 0.25
/** Before each later size is timed, the device gets so many ms of work of its own. */
const BUSY_MS = 20
/**
 * Each costs the host as many multiply-adds as there are batches, times the rows of the weights.
 */
const SAMPLES = 16

/**
 * Grows the batch until an upload takes about `targetMs` by the host's clock; `batchMiB` > 0 is a
 * size that was asked for.
 */
export async function sizeBatch(
  context: RunContext,
  options: {
    readonly batchMiB: number
    readonly targetMs: number
    readonly depth: number
    /** A window has so many batches. */
    readonly steps: number
  },
) {
  const { batchMiB, targetMs, depth, steps } = options
  const { maxStorageBufferBindingSize = Infinity, maxBufferSize = Infinity } = context.device.limits
  let batchBytes = batchMiB > 0 ? Math.max(4, Math.round((batchMiB * MIB) / 4) * 4) : MIN_BATCH_BYTES
  for (;;) {
    const uploadMs = await timeUpload(context, batchBytes, depth, TIMED_UPLOADS)
    const next = batchMiB > 0 ? null : nextBatchBytes(batchBytes, uploadMs, targetMs)
    // Times as many as a window has: the first few of a size take half as long again (H200), and
    // all share one wait at the end.
    if (next === null || next > Math.min(maxStorageBufferBindingSize, maxBufferSize))
      return { batchBytes, uploadMs: await timeUpload(context, batchBytes, depth, steps) }
    batchBytes = next
  }
}

/**
 * ms an upload takes when uploads follow each other through a ring: as 'upload-only' will run them.
 */
async function timeUpload(
  context: RunContext,
  sizeBytes: number,
  depth: number,
  timed: number,
): Promise<number> {
  const { queue, session } = context
  session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
  const source = keep(new Uint8Array(sizeBytes).fill(1))
  const target = await context.buffer('calibration input', sizeBytes, USAGE.storage | USAGE.copyDst)
  const staging = await createStaging(context, depth, sizeBytes)
  const { buffers } = staging
  await staging.map(depth)
  const mapped = buffers.map((): Promise<unknown> => Promise.resolve())
  let next = 0
  const upload = async (count: number): Promise<number> => {
    const startNs = session.now()
    let last: Submission | null = null
    for (let index = 0; index < count; index += 1) {
      const buffer = buffers[next]
      if (!buffer) throw new Error('a ring needs at least one buffer')
      await context.race(mapped[next] ?? Promise.resolve())
      new Uint8Array(buffer.getMappedRange()).set(source)
      buffer.unmap()
      last = queue.submit('calibration upload', (encoder) =>
        encoder.copyBufferToBuffer(buffer, 0, target.gpu, 0, sizeBytes),
      )
      // The buffer is asked for back at once, as in a ring; a run that is cancelled meanwhile
      // awaits it no more.
      const again = buffer.mapAsync(GPUMapMode.WRITE)
      again.catch(() => undefined)
      mapped[next] = again
      next = (next + 1) % depth
    }
    if (last) await queue.wait(last)
    return (session.now() - startNs) / 1e6 / count
  }
  await upload(depth) // the first upload touches new memory
  const tookMs = await upload(timed)
  await staging.unmap()
  await queue.collect()
  staging.release()
  context.release(target)
  return tookMs
}

export interface Work {
  readonly plan: ComputePlan
  /** The measured time of one step. */
  readonly computeMs: number
  readonly product: OwnedBuffer
  /** Makes the matmul on this batch, wherever it lies. */
  readonly matmulOn: (batch: OwnedBuffer) => Promise<Matmul>
}

/**
 * Plans a matmul on a batch so that it takes `targetMs`, by its own time: of a few rows first, then
 * of as many as those foretell, and so on. With smaller weights where a few rows take too long
 * already.
 */
export async function prepareWork(
  context: RunContext,
  options: {
    readonly kernel: MatmulKernel
    /** The weights have at most so many rows and columns. */
    readonly s: number
    readonly targetMs: number
    readonly batch: OwnedBuffer
    readonly deviceStepNs: number | null
  },
): Promise<Work> {
  const { kernel, s, targetMs, batch, deviceStepNs } = options
  const weights = await context.buffer('weights', s * s * 4, STORAGE)
  context.queue.submit('fill weights', (await createFill(context, weights, SEED_B)).encode)
  const mostRows = Math.max(1, Math.floor(batch.sizeBytes / (4 * s)))
  const product = await context.buffer('c', mostRows * s * 4, STORAGE)
  const shapeOf = (rows: number): MatmulShape => ({ m: rows, n: s, k: s, alpha: 1, accumulate: true })
  const dispatchOf = (rows: number, input: OwnedBuffer) =>
    context.dispatch(kernelCall(kernel, shapeOf(rows)), [input, weights, product])

  let plan = planCompute(s, Infinity, targetMs, batch.sizeBytes)
  let rowMs = Infinity
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { rows, dispatches } = plan
    const dispatch = await dispatchOf(rows, batch)
    const cool = await timeDispatch(context, dispatch, deviceStepNs)
    await keepBusy(context, dispatch, cool.ms, round === 0 ? undefined : BUSY_MS)
    const { ms } = context.device.isSoftware ? cool : await timeDispatch(context, dispatch, deviceStepNs)
    if (round === 0 && ms > 2 * targetMs && s > SMALLEST_WEIGHTS) {
      for (const each of [weights, product]) context.release(each)
      return await prepareWork(context, { ...options, s: s / 2 })
    }
    rowMs = ms / rows
    plan = planCompute(s, rowMs * s, targetMs, batch.sizeBytes)
    if (plan.rows === rows && plan.dispatches === dispatches) break
    // Few rows do not fill a large device: what they foretell is timed, unless it is near.
    if (round > 0 && Math.abs(plan.rows / rows - 1) <= CLOSE_ENOUGH) break
  }
  const shape = shapeOf(plan.rows)
  return {
    plan,
    computeMs: rowMs * plan.rows * plan.dispatches,
    product,
    matmulOn: async (input) =>
      createMatmul(context.session, await dispatchOf(plan.rows, input), {
        label: 'matmul',
        rows: plan.rows,
        columns: s,
        c: product.gpu,
        flops: kernel.flops(shape),
        bytes: kernel.bytes(shape),
      }),
  }
}

export interface Expected {
  /** Batches that must have arrived; null: nothing was uploaded. */
  readonly arrivals: Pick<Operands, 'words' | 'valueAt'> | null
  /** Terms that were added up in C; none: C is not checked. */
  readonly terms: readonly Omit<ProductTerm, 'bAt'>[]
}

/** Reads back what a window left on the device, and compares. */
export async function check(
  context: RunContext,
  { plan: { rows, s: columns }, product }: Work,
  read: () => Promise<Uint32Array>,
  { arrivals, terms }: Expected,
): Promise<Verification> {
  const { bAt } = seededOperands({ n: columns, k: columns, seedA: SEED_B, seedB: SEED_B })
  const sums = { rows, columns, k: columns, terms: terms.map((term) => ({ ...term, bAt })) }
  return mergeVerifications([
    ...(arrivals ? [checkArrivals(await read(), arrivals.words, arrivals.valueAt)] : []),
    ...(terms.length > 0
      ? [
          await checkProductOnDevice(context, product, sums, {
            samples: SAMPLES,
            seed: terms.length,
            what: 'sampled entries of the sum of all batches · B against a float64 reference',
          }),
        ]
      : []),
  ])
}
