/** Pseudo-random 32-bit integers, made on the device and known to the host (`randomWord`). */
import text from '../../../../shaders/data/random.wgsl?raw'
import { ceilDivide, kernelOf, packUniforms } from '../kernel'
import { PCG } from './fill'

export interface RandomShape {
  /** Words to make, from the buffer's first on. */
  readonly count: number
  /** The first word of the uniforms, so that a program can write another there. */
  readonly seed: number
}

const WORKGROUP_SIZE = 256
/** A quarter of a million threads fill any device; each strides over what is left. */
const MAX_WORKGROUPS = 1024

export const randomKernel = kernelOf<RandomShape>('data/random', text, {
  lib: [PCG],
  uniforms: ({ seed, count }) => packUniforms(['u32', seed], ['u32', count]),
  workgroups: ({ count }) => [Math.min(MAX_WORKGROUPS, ceilDivide(count, WORKGROUP_SIZE)), 1, 1],
})
