/**
 * What the device has for every size: operands and product in three buffers that all sizes share, two staging buffers and one to
 * read back through of exactly the size's bytes (browsers carry the whole of a mapped buffer), and the matmul itself.
 */
import { FaultError } from '../../base/fault'
import {
  readWords,
  USAGE,
  type Dispatch,
  type Encoding,
  type OwnedBuffer,
  type ReadbackRing,
  type RunContext,
  type StagingRing,
} from '../../engine'
import { findMatmul, type MatmulShape } from '../../kernels/catalog'
import { kernelCall } from '../../kernels/kernel'
import type { Inputs, Operands } from './inputs'

/** Dispatches in one pass: encoding must not hold the host up for long. */
const DISPATCHES_A_PASS = 256

export interface Matrices {
  readonly a: OwnedBuffer
  readonly b: OwnedBuffer
  readonly c: OwnedBuffer
}

/** Three buffers for the largest size: 3 · 4n² bytes. */
export async function createMatrices(context: RunContext, largest: number): Promise<Matrices> {
  const sizeBytes = largest * largest * 4
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  return {
    a: await context.buffer('matrix A', sizeBytes, usage),
    b: await context.buffer('matrix B', sizeBytes, usage),
    c: await context.buffer('matrix C', sizeBytes, usage),
  }
}

/** The matmul of one size, on the first n² words of each buffer. */
export interface SizedMatmul {
  readonly n: number
  readonly flops: number
  /** C = A·B, and C += A·B. */
  readonly assign: Dispatch
  readonly add: Dispatch
}

export async function prepareSize(
  context: RunContext,
  kernelId: string,
  { a, b, c }: Matrices,
  n: number,
): Promise<SizedMatmul> {
  const kernel = findMatmul(kernelId)
  const shape: MatmulShape = { m: n, n, k: n, alpha: 1, accumulate: true }
  const unsupported = kernel.supports(context.device, shape)
  if (unsupported)
    throw new FaultError({
      code: 'limit',
      message: `The kernel '${kernelId}' does not run on this adapter: ${unsupported}`,
      hint: 'Choose another kernel.',
    })
  return {
    n,
    flops: kernel.flops(shape),
    assign: await context.dispatch(kernelCall(kernel, { ...shape, accumulate: false }), [a, b, c]),
    add: await context.dispatch(kernelCall(kernel, shape), [a, b, c]),
  }
}

/** Staging buffers for A and B, and one for C on its way back. */
export interface Way {
  readonly staging: StagingRing
  readonly readback: ReadbackRing
}

export async function openWay(context: RunContext, n: number): Promise<Way> {
  const sizeBytes = n * n * 4
  return {
    staging: await context.stagingRing(2, sizeBytes),
    readback: await context.readbackRing(1, sizeBytes),
  }
}

/** Both operands up through staging, `uses` matmuls, the product back; awaited. C is uses · A·B. */
export async function roundTrip(
  context: RunContext,
  matrices: Matrices,
  { n, flops, assign, add }: SizedMatmul,
  { staging, readback }: Way,
  operands: Operands,
  uses: number,
): Promise<Float32Array> {
  const { queue, recorder } = context
  const { tag } = recorder
  const sizeBytes = n * n * 4
  const label = `round trip ${String(n)}`
  const slots = []
  for (const source of [operands.a, operands.b]) {
    const slot = await staging.acquire()
    recorder.tag = tag // other continuations ran while this one awaited
    staging.fill(slot, sizeBytes, (range) => {
      new Float32Array(range).set(source)
    })
    slots.push({ slot, target: source === operands.a ? matrices.a : matrices.b })
  }
  const encoding = queue.encode(label)
  for (const { slot, target } of slots) staging.encodeCopy(encoding, slot, target, sizeBytes)
  encoding.pass(`matmul ${String(n)}³`, [assign, ...Array<Dispatch>(uses - 1).fill(add)], {
    flops: flops * uses,
  })
  const product = readback.encodeCopy(encoding, matrices.c, 0, sizeBytes)
  const submission = queue.submit(label, [encoding])
  for (const { slot } of slots) staging.release(slot, submission)
  return new Float32Array(await readback.read(product, submission, sizeBytes))
}

/** `count` matmuls on what is there, queued in one go and awaited once. C grows by A·B with each. */
export async function runResident(
  context: RunContext,
  { n, flops, add }: SizedMatmul,
  count: number,
): Promise<void> {
  const { queue } = context
  const label = `resident ${String(n)}`
  const encoding: Encoding = queue.encode(label)
  for (let left = count; left > 0; left -= DISPATCHES_A_PASS) {
    const dispatches = Math.min(left, DISPATCHES_A_PASS)
    encoding.pass(`matmul ${String(n)}³ × ${String(dispatches)}`, Array<Dispatch>(dispatches).fill(add), {
      flops: flops * dispatches,
    })
  }
  await queue.wait(queue.submit(label, [encoding]))
}

/** Outside measured windows: operands in place, C = 0. */
export async function placeOperands(
  context: RunContext,
  matrices: Matrices,
  { a, b }: Operands,
): Promise<void> {
  const { queue } = context.device.gpu
  queue.writeBuffer(matrices.a.gpu, 0, a)
  queue.writeBuffer(matrices.b.gpu, 0, b)
  const encoding = context.queue.encode('clear C')
  encoding.clear(matrices.c)
  await context.queue.wait(context.queue.submit('clear C', [encoding]))
}

/** Sampled entries of C, where `inputs.checkSampled` expects them. */
export async function sampleProduct(
  context: RunContext,
  matrices: Matrices,
  inputs: Inputs,
  n: number,
): Promise<Float32Array> {
  return new Float32Array((await readWords(context, matrices.c, inputs.positions(n))).buffer)
}
