/**
 * The lab's kernels on their own, in a page: engine and kernels without experiments, so that a test
 * can give any kernel any shape. Every entry of C is compared, and what stands behind C must stay
 * as it was.
 */
import { encodePass, openDevice, RunContext, USAGE, type LabDevice, type OwnedBuffer } from '../../src/gpu'
import { matmulKernels, type MatmulKernel, type MatmulShape } from '../../src/gpu/kernels/catalog'
import { fillKernel, filled } from '../../src/gpu/kernels/data/fill'
import { kernelCall } from '../../src/gpu/kernels/kernel'
import { createReadback } from '../../src/lab/staging'
import {
  compareSamples,
  referenceEntry,
  tolerance,
  type Comparison,
} from '../../src/gpu/kernels/matmul/reference'
import { seededOperands } from '../../src/gpu/kernels/matmul/seeded-entry'

const SEEDS = { a: 1, b: 2, c: 3 }
/** Words behind the last entry of C. */
const GUARD = 64

export interface KernelNames {
  readonly id: string
  readonly tiles: readonly { readonly name: string; readonly size: readonly [number, number, number] }[]
}
export interface Checked extends Comparison {
  readonly guardIsWhole: boolean
}

let device: Promise<LabDevice> | null = null
const theDevice = (): Promise<LabDevice> => (device ??= openDevice(navigator.gpu))

export async function withContext<T>(body: (context: RunContext) => Promise<T>): Promise<T> {
  const opened = await theDevice()
  const context = RunContext.open(opened, {
    record: true,
    hostStepUs: 5,
    deviceStepNs: null,
    info: {
      experiment: 'kernels',
      params: {},
      derived: {},
      adapter: opened.info,
      userAgent: navigator.userAgent,
      crossOriginIsolated: globalThis.crossOriginIsolated,
      startedAt: new Date().toISOString(),
      origin: 'live',
    },
  })
  return await context.use(body)
}

export function kernelOf(id: string, tileName?: string): MatmulKernel {
  const kernel = matmulKernels.find((one) => one.id === id)
  if (!kernel) throw new Error(`no kernel ${id}`)
  if (tileName === undefined) return kernel
  const tile = kernel.tiles.find(({ name }) => name === tileName)
  if (!tile) throw new Error(`no tile ${tileName} of ${id}`)
  return kernel.withTile(tile)
}

async function read(context: RunContext, from: OwnedBuffer): Promise<ArrayBuffer> {
  const target = await createReadback(context, from.sizeBytes)
  context.queue.submit('read', (encoder) =>
    encoder.copyBufferToBuffer(from.gpu, 0, target, 0, from.sizeBytes),
  )
  await target.mapAsync(GPUMapMode.READ)
  return target.getMappedRange().slice(0)
}

/** @param isOwn with a pipeline of the shape's own, where the tile has one for it */
async function check(
  id: string,
  tileName: string | undefined,
  shape: MatmulShape,
  isOwn: boolean,
): Promise<Checked> {
  const tiled = kernelOf(id, tileName)
  const kernel = isOwn ? tiled.forShape(shape) : tiled
  const { m, n, k, alpha, accumulate } = shape
  return await withContext(async (context) => {
    const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
    const a = await context.buffer('a', m * k * 4, usage)
    const b = await context.buffer('b', k * n * 4, usage)
    const whole = await context.buffer('c and guard', (m * n + GUARD) * 4, usage)
    const fill = (buffer: OwnedBuffer, count: number, seed: number) =>
      context.dispatch(kernelCall(fillKernel, { count, seed }), [buffer])
    const dispatches = [
      await fill(a, m * k, SEEDS.a),
      await fill(b, k * n, SEEDS.b),
      await fill(whole, m * n + GUARD, SEEDS.c),
      await context.dispatch(kernelCall(kernel, shape), [a, b, whole]),
    ]
    await context.queue.wait(
      context.queue.submit('matmul', (encoder) => encodePass(encoder, 'matmul', dispatches)),
    )
    const got = new Float32Array(await read(context, whole))
    const { aAt, bAt } = seededOperands({ n, k, seedA: SEEDS.a, seedB: SEEDS.b })
    const c = filled(m * n + GUARD, SEEDS.c)
    const expected: ReturnType<typeof referenceEntry>[] = []
    for (let row = 0; row < m; row += 1)
      for (let column = 0; column < n; column += 1) {
        const { value, scale } = referenceEntry(row, column, k, aAt, bAt)
        const before = accumulate ? (c[row * n + column] ?? 0) : 0
        expected.push({ value: alpha * value + before, scale: Math.abs(alpha) * scale + Math.abs(before) })
      }
    const guard = got.subarray(m * n)
    return {
      ...compareSamples(expected, got.subarray(0, m * n), tolerance(k, 1)),
      guardIsWhole: guard.every((value, i) => value === c[m * n + i]),
    }
  })
}

const kernelLab = {
  /** With the tiles that run on this device. */
  kernels: async (): Promise<readonly KernelNames[]> => {
    const { limits } = await theDevice()
    const { maxComputeInvocationsPerWorkgroup = 0, maxComputeWorkgroupStorageSize = 0 } = limits
    return matmulKernels.map((kernel) => ({
      id: kernel.id,
      tiles: kernel.tiles
        .filter(
          ({ threads, storageBytes }) =>
            threads <= maxComputeInvocationsPerWorkgroup && storageBytes <= maxComputeWorkgroupStorageSize,
        )
        .map(({ name, rows, columns, depth }) => ({ name, size: [rows, columns, depth] as const })),
    }))
  },
  check,
}
export type KernelLab = typeof kernelLab
Object.assign(globalThis, { kernelLab })
