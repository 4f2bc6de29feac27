/**
 * Pseudo-random f32 in [-1, 1), made on the device and known to the host: matrices need no upload
 * and can be checked anywhere.
 */
import text from '../../../../shaders/data/fill.wgsl?raw'
import pcg from '../../../../shaders/lib/pcg.wgsl?raw'
import { ceilDivide, kernelOf, packUniforms, type SourceFile } from '../kernel'
import { wordsOf } from '../pcg'

export interface FillShape {
  /** Elements to fill, from the buffer's first on. */
  readonly count: number
  readonly seed: number
}

/** The hash, for kernels that make or pick numbers by it. */
export const PCG: SourceFile = { file: 'shaders/lib/pcg.wgsl', text: pcg }

const WORKGROUP_SIZE = 256
/**
 * 1M threads fill any device; each strides over what is left. Far below the 65,535 workgroups that
 * every device takes.
 */
const MAX_WORKGROUPS = 4096

export const fillKernel = kernelOf<FillShape>('data/fill', text, {
  lib: [PCG],
  constants: () => ({ WORKGROUP_SIZE }),
  uniforms: ({ count, seed }) => packUniforms(['u32', count], ['u32', seed]),
  workgroups: ({ count }) => [Math.min(MAX_WORKGROUPS, ceilDivide(count, WORKGROUP_SIZE)), 1, 1],
})

/**
 * A buffer filled with `seed`, by the index of an element: the same f32 as the device's, exactly.
 */
export function fillOf(seed: number): (index: number) => number {
  const wordAt = wordsOf(seed)
  return (index) => ((wordAt(index) >>> 8) - 2 ** 23) * 2 ** -23
}

export const fillValue = (index: number, seed: number): number => fillOf(seed)(index)

/** Its elements from `first` on. */
export function fillInto(values: Float32Array, first: number, seed: number): void {
  const valueAt = fillOf(seed)
  for (let at = 0; at < values.length; at += 1) values[at] = valueAt(first + at)
}

export function filled(count: number, seed: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(count)
  fillInto(values, 0, seed)
  return values
}
