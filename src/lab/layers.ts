/**
 * Layers of a network as programs encode them, y = alpha · x · W, and the mean of what one gives.
 */
import { encodePass, USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../gpu'
import type { MatmulKernel } from '../gpu/kernels/catalog'
import { partsFor, sumKernel } from '../gpu/kernels/data/sum'
import { kernelCall } from '../gpu/kernels/kernel'
import { layerScale } from '../gpu/kernels/matmul/chain'
import { createMatmul } from './matmul'

/** x and y are rows × n, W is n × n; y must not be x. */
export async function createLayer(
  context: RunContext,
  kernel: MatmulKernel,
  [rows, n]: readonly [rows: number, n: number],
  [x, w, y]: readonly [x: OwnedBuffer, w: OwnedBuffer, y: OwnedBuffer],
) {
  const shape = { m: rows, n, k: n, alpha: layerScale(n), accumulate: false }
  const dispatch = await context.dispatch(kernelCall(kernel, shape), [x, w, y])
  const size = { rows, columns: n, flops: kernel.flops(shape), bytes: kernel.bytes(shape) }
  const matmul = createMatmul(context.session, dispatch, { ...size, label: 'layer', c: y.gpu })
  return { ...matmul, x: x.gpu, y: y.gpu, dispatch }
}

export type Layer = Awaited<ReturnType<typeof createLayer>>

/** A pass that writes the mean of `count` numbers into `value`, 4 bytes on the device. */
export async function createMean(context: RunContext, source: OwnedBuffer, count: number) {
  const parts = partsFor(count)
  const value = await context.buffer('mean', 4, USAGE.storage | USAGE.copySrc)
  const sums = parts === 1 ? value : await context.buffer('sums', 4 * parts, USAGE.storage)
  const sum = (of: OwnedBuffer, into: OwnedBuffer, numbers: number, workgroups: number) => {
    const factor = into === value ? 1 / count : 1
    return context.dispatch(kernelCall(sumKernel, { count: numbers, factor, parts: workgroups }), [of, into])
  }
  const dispatches = [await sum(source, sums, count, parts)]
  if (parts > 1) dispatches.push(await sum(sums, value, parts, 1))
  return {
    value: value.gpu,
    dispatches: dispatches as readonly Dispatch[],
    encode: (encoder: GPUCommandEncoder): void => void encodePass(encoder, 'mean', dispatches),
  }
}
export type Mean = Awaited<ReturnType<typeof createMean>>
