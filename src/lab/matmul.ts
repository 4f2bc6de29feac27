/**
 * The matmul that programs encode: C += A·B in f32, as one compute pass. Accumulating makes every
 * step count: after N of them C is N·A·B, so that a check of sampled entries proves that each of
 * the N ran, exactly once.
 */
import { encodeDispatch, encodePass, type DeviceSite, type Dispatch, type OwnedBuffer } from '../gpu'
import type { MatmulKernel } from '../gpu/kernels/catalog'
import { fillKernel } from '../gpu/kernels/data/fill'
import { kernelCall } from '../gpu/kernels/kernel'
import type { RecordingSession } from '../recorder'

export interface Matmul {
  /** C is rows × columns. The host knows, because it chose. */
  readonly rows: number
  readonly columns: number
  readonly c: GPUBuffer
  /** Floating-point operations of one matmul; below, the bytes that must move at least. */
  readonly flops: number
  readonly bytes: number
  /** One compute pass with `times` matmuls in it. */
  readonly encode: (encoder: GPUCommandEncoder, times?: number) => void
}

/** A pass that programs may encode. */
export type Encodable = Pick<Matmul, 'encode'>

export interface Pass extends Encodable {
  readonly dispatch: Dispatch
}

export const createPass = (dispatch: Dispatch, label: string): Pass => ({
  dispatch,
  encode: (encoder) => void encodePass(encoder, label, [dispatch]),
})

/**
 * Pseudo-random numbers in all of a buffer, which the host knows too (gpu/kernels/data/fill.ts).
 */
export const createFill = async (site: DeviceSite, target: OwnedBuffer, seed: number): Promise<Pass> =>
  createPass(
    await site.dispatch(kernelCall(fillKernel, { count: target.sizeBytes / 4, seed }), [target]),
    'fill',
  )

export const createMatmul = (
  session: RecordingSession,
  dispatch: Dispatch,
  facts: Omit<Matmul, 'encode'> & { readonly label: string },
): Matmul => ({
  ...facts,
  encode: (encoder, times = 1) => {
    const pass = encoder.beginComputePass({ label: facts.label })
    encodeDispatch(pass, dispatch, times) // its pipeline; sizes, A, B and C; its workgroups, so many times
    pass.end()
    session.work(pass, { flops: facts.flops * times, bytes: facts.bytes * times })
  },
})

/**
 * C += A·B of n × n matrices, or of some rows of A and C, and its bare dispatch.
 */
export async function squareMatmul(
  context: DeviceSite,
  kernel: MatmulKernel,
  n: number,
  [a, b, c]: readonly [a: OwnedBuffer, b: OwnedBuffer, c: OwnedBuffer],
  label = `matmul ${String(n)}³`,
  rows = n,
): Promise<Matmul & { readonly dispatch: Dispatch }> {
  const shape = { m: rows, n, k: n, alpha: 1, accumulate: true }
  const dispatch = await context.dispatch(kernelCall(kernel, shape), [a, b, c])
  const size = { rows, columns: n, flops: kernel.flops(shape), bytes: kernel.bytes(shape) }
  const matmul = createMatmul(context.session, dispatch, { ...size, label, c: c.gpu })
  return { ...matmul, dispatch }
}
