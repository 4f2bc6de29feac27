/**
 * Loops of barriers: how long an iteration takes that waits for its workgroup, alone and among
 * many.
 */
import text from '../../../../shaders/calibrate/barriers.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

/** WebGPU's default limit of a workgroup; the output needs 4 bytes for each. */
export const BARRIERS_INVOCATIONS = 256

export const barriersKernel = kernelOf<{ readonly workgroups: number; readonly iterations: number }>(
  'calibrate/barriers',
  text,
  {
    uniforms: ({ iterations }) => packUniforms(['u32', iterations]),
    workgroups: ({ workgroups }) => [workgroups, 1, 1],
  },
)
