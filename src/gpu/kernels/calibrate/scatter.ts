/**
 * Loops whose every iteration waits for memory: how long an iteration takes at worst, alone and
 * among many.
 */
import text from '../../../../shaders/calibrate/scatter.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

interface ScatterShape {
  readonly workgroups: number
  readonly iterations: number
  /** Words of the output; a power of two, at most 2^24, since a place uses that many bits. */
  readonly words: number
}

export const SCATTER_INVOCATIONS = 64

export const scatterKernel = kernelOf<ScatterShape>('calibrate/scatter', text, {
  uniforms: ({ iterations, words }) => packUniforms(['u32', iterations], ['u32', words - 1]),
  workgroups: ({ workgroups }) => [workgroups, 1, 1],
})
